"""Everything that is kept, as records: a finished game whole, one that goes on as a spectator may know it."""

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
from tablee.server.table.log import apply_row


def export_records(store: Store, unfinished: bool) -> Iterator[tuple[str, dict[str, Any] | TableeError]]:
    """A name and a record for each table, or why there is none."""
    for table in store.ids():
        try:
            kept = store.load(table)
            if kept is None or kept.phase == IN_LOBBY:
                continue
            game = games.open_box(kept.game, kept.box)
            kept = replace(kept, outcome=kept.outcome or _replayed_outcome(kept, game))
            if kept.outcome or kept.brought or unfinished:
                yield f"{kept.game}-{table}", record_of(kept, game, None)
        except TableeError as error:
            yield table, error


def _replayed_outcome(stored: StoredTable, game: Game) -> Outcome | None:
    """Versions before this was written down left it to be found in the log."""
    if stored.rules != game.rules:
        return None
    match = Match(game, len(stored.seats), stored.options, stored.seed or None, stored.derivation, stored.origin)
    for row in stored.lines:
        match = apply_row(match, row)
    return match.outcome
