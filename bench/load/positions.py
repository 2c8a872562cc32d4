"""Tables in the middle of real games.

Bots play the games to the end in the kernel; the store gets the lines up to the wanted one, and the clients play the rest.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from pathlib import Path

from tablee import bots, games
from tablee.core import fairness
from tablee.core.batch import Batch
from tablee.core.game import choose_options
from tablee.server.storage.store import Store
from tablee.server.table.models import LogLine, StoredSeat, StoredTable, hash_token

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fanny", "Gil", "Hanna", "Ivo", "Jeanne", "Karl", "Lia")
NATURE = "-"


@dataclass(frozen=True)
class LoadProfile:
    """Load on one room: the number of seats, and the share or the number of lines of the game already played."""

    key: str
    seats: int
    share_played: float
    lines: int | None = None

    @property
    def title(self) -> str:
        return f"{self.key}, {self.seats} seats, " + (
            f"after {self.lines} lines" if self.lines else f"after {100 * self.share_played:.0f} % of the game"
        )


ROOMS = {
    room.key: room
    for room in (LoadProfile("rolling-village", 10, 0.4), LoadProfile("mayflower", 5, 0.5, lines=150), LoadProfile("amerique-1500", 4, 0.4))
}


@dataclass(frozen=True)
class Prepared:
    """Table in the store: the tokens of its seats, its whole game, and the number of lines played."""

    id: str
    tokens: tuple[str, ...]
    lines: tuple[str, ...]
    played: int

    def next_of(self, position: int) -> int:
        """Return the index of the next line of a player, after nature's lines."""
        return next((after for after in range(position, len(self.lines)) if not self.lines[after].startswith(NATURE)), len(self.lines))


def prepare(folder: Path, room: LoadProfile, count: int, seed: int = 1, address: str = "") -> list[Prepared]:
    """Write `count` tables, each with its own game, to the store in `folder` or to the database at `address`."""
    game = games.find(room.key)
    options = choose_options(game, room.seats, {})
    seeds = [fairness.seed_for(seed, number) for number in range(1, count + 1)]
    batch = Batch(game, game.setup(room.seats, options), seeds, keep_logs=True)
    batch.play([bots.GREEDY.number] * room.seats)
    store, made = Store.at(address) if address else Store.in_folder(folder), list[Prepared]()
    for number, table_seed in enumerate(seeds):
        lines = tuple(line.show(game) for line in batch.log(number))
        tokens = tuple(secrets.token_urlsafe(16) for _ in range(room.seats))
        table = Prepared(secrets.token_hex(5), tokens, lines, 0)
        table = replace(table, played=table.next_of(room.lines or int(room.share_played * len(lines))))
        seats = tuple(StoredSeat("human", name, token_hash=hash_token(token)) for name, token in zip(NAMES, tokens, strict=False))
        rows = tuple(LogLine(line, None) for line in lines[: table.played])
        store.add_table(
            StoredTable(table.id, room.key, game.rules, game.components, dict(options), seats, table_seed, fairness.NEWEST, rows)
        )
        made.append(table)
    store.close()
    return made
