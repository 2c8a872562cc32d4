"""Records of tables as their readers may know them, also of tables of older rules: their stored log is read, not replayed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tablee.core import record
from tablee.core.errors import TableeError
from tablee.core.game import Game, Seat
from tablee.core.i18n import msg
from tablee.core.match import read_line
from tablee.server.table.log import TableLog
from tablee.server.table.models import StoredTable
from tablee.server.table.seats import Seating
from tablee.server.table.state import TableState

UNREADABLE = "…"


class OlderRules(TableeError):
    """Refusal to open a table of older rules; carries its stored data."""

    def __init__(self, stored: StoredTable, game: Game) -> None:
        super().__init__(msg("this game was played by rules {theirs}; these are rules {ours}", theirs=stored.rules, ours=game.rules))
        self.stored, self.game = stored, game

    def record(self, token: str | None) -> dict[str, Any]:
        return record_of(self.stored, self.game, Seating(self.stored.seats).seat_of_token(token))


def record_of(stored: StoredTable, game: Game, viewer: Seat | None) -> dict[str, Any]:
    """Return the stored table's record as that seat may read it: whole if the game is over, else redacted."""
    lines = _game_lines(stored)
    visible = lines if stored.outcome or stored.brought else [_redacted_line(game, line, viewer) for line in lines]
    old = replace(game, rules=stored.rules)
    return record.compose(
        old, len(stored.seats), stored.options, visible, stored.outcome, stored.seed or None, stored.derivation, stored.origin
    )


def _game_lines(stored: StoredTable) -> list[str]:
    """Return the lines of the game without those taken back."""
    log = TableLog(())
    for row in stored.lines:
        log.append(row, ())
    return [row.line for row in log.game_lines()]


def _redacted_line(game: Game, line: str, viewer: Seat | None) -> str:
    """Return the line as the viewer may see it; a line that these rules cannot read might be secret."""
    try:
        return read_line(game, line).show_to(game, viewer)
    except TableeError:
        return f"{line.partition(' ')[0]} {UNREADABLE}"


def readable_record(table: TableState, token: str | None) -> dict[str, Any]:
    seat, written = table.seating.seat_of_token(token), record.write(table.match)
    if not table.done:
        written["log"] = table.match.lines_for(seat)
    if table.settings.lesson:
        written["fairness"] = None
    return written
