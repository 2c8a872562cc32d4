"""Export of all stored tables as records: a finished game whole, an unfinished one as a spectator may see it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tablee import games
from tablee.core.errors import TableeError
from tablee.core.game import Game, Outcome
from tablee.core.match import Match
from tablee.server.storage.models import StoredTable
from tablee.server.storage.schema import IN_LOBBY
from tablee.server.storage.store import Store
from tablee.server.table.legacy import record_of
from tablee.server.table.log import apply_line


def export_records(store: Store, unfinished: bool) -> Iterator[tuple[str, dict[str, Any] | TableeError]]:
    """Yield a name and a record for each table, or its id and the error."""
    for table in store.ids():
        try:
            stored = store.load(table)
            if stored is None or stored.phase == IN_LOBBY:
                continue
            game = games.open_box(stored.game, stored.box)
            stored = replace(stored, outcome=stored.outcome or _replayed_outcome(stored, game))
            if stored.outcome or stored.brought or unfinished:
                yield f"{stored.game}-{table}", record_of(stored, game, None)
        except TableeError as error:
            yield table, error


def _replayed_outcome(stored: StoredTable, game: Game) -> Outcome | None:
    """Return the outcome by replaying the log: earlier versions did not store it."""
    if stored.rules != game.rules:
        return None
    match = Match(game, len(stored.seats), stored.options, stored.seed or None, stored.derivation, stored.origin)
    for row in stored.lines:
        match = apply_line(match, row)
    return match.outcome
