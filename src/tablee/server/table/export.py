"""Everything that is kept, as records: a finished game whole, one that goes on as a spectator may know it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tablee import games
from tablee.core.errors import TableeError
from tablee.core.game import Game, Outcome
from tablee.core.match import Match
from tablee.server.storage.models import TableKept
from tablee.server.storage.schema import GATHERING
from tablee.server.storage.store import Store
from tablee.server.table.legacy import record_of
from tablee.server.table.log import follow


def records(store: Store, unfinished: bool) -> Iterator[tuple[str, dict[str, Any] | TableeError]]:
    """A name and a record for each table, or why there is none."""
    for table in store.ids():
        try:
            kept = store.load(table)
            if kept is None or kept.phase == GATHERING:
                continue
            game = games.open_box(kept.game, kept.box)
            kept = replace(kept, outcome=kept.outcome or _outcome(kept, game))
            if kept.outcome or kept.brought or unfinished:
                yield f"{kept.game}-{table}", record_of(kept, game, None)
        except TableeError as error:
            yield table, error


def _outcome(kept: TableKept, game: Game) -> Outcome | None:
    """Versions before this was written down left it to be found in the log."""
    if kept.rules != game.rules:
        return None
    match = Match(game, len(kept.seats), kept.options, kept.seed or None, kept.derivation, kept.origin)
    for row in kept.rows:
        match = follow(match, row)
    return match.outcome
