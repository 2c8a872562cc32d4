"""Tables that cannot be played on because the rules have changed since: what is stored of them is read, not replayed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tablee.core import record
from tablee.core.errors import TableeError
from tablee.core.game import Game, Seat
from tablee.core.i18n import msg
from tablee.core.match import read_line
from tablee.server.storage.models import StoredTable
from tablee.server.table.log import TableLog
from tablee.server.table.seats import Seating

UNREADABLE = "…"


class OlderRules(TableeError):
    """Carries what is stored of the table."""

    def __init__(self, stored: StoredTable, game: Game) -> None:
        super().__init__(msg("this game was played by rules {theirs}; these are rules {ours}", theirs=stored.rules, ours=game.rules))
        self.stored, self.game = stored, game

    def record(self, token: str | None) -> dict[str, Any]:
        return record_of(self.stored, self.game, Seating(self.stored.seats).seat_of_token(token))


def record_of(stored: StoredTable, game: Game, viewer: Seat | None) -> dict[str, Any]:
    """The record of what is stored, as that seat may read it: whole once nothing more is played, as far as that was written down."""
    lines = _game_lines(stored)
    heard = lines if stored.outcome or stored.brought else [_redacted_line(game, line, viewer) for line in lines]
    old = replace(game, rules=stored.rules)
    return record.compose(
        old, len(stored.seats), stored.options, heard, stored.outcome, stored.seed or None, stored.derivation, stored.origin
    )


def _game_lines(stored: StoredTable) -> list[str]:
    """The lines of the game, without those that were taken back."""
    ledger = TableLog(())
    for row in stored.lines:
        ledger.append(row, ())
    return [row.line for row in ledger.game_rows()]


def _redacted_line(game: Game, line: str, viewer: Seat | None) -> str:
    """A line that these rules cannot read might be secret."""
    try:
        return read_line(game, line).show_to(game, viewer)
    except TableeError:
        return f"{line.partition(' ')[0]} {UNREADABLE}"
