"""Tables that cannot be played on because the rules have changed since: what is stored of them is read, not replayed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tablee.core import record
from tablee.core.errors import TableeError
from tablee.core.game import Game, Seat
from tablee.core.i18n import say
from tablee.core.match import read_line
from tablee.server.storage.models import TableKept
from tablee.server.table.log import Ledger
from tablee.server.table.seats import Seating

UNREADABLE = "…"


class OlderRules(TableeError):
    """Carries what is stored of the table."""

    def __init__(self, kept: TableKept, game: Game) -> None:
        super().__init__(say("this game was played by rules {theirs}; these are rules {ours}", theirs=kept.rules, ours=game.rules))
        self.kept, self.game = kept, game

    def record(self, token: str | None) -> dict[str, Any]:
        return record_of(self.kept, self.game, Seating(self.kept.seats).of_token(token))


def record_of(kept: TableKept, game: Game, listener: Seat | None) -> dict[str, Any]:
    """The record of what is stored, as that seat may read it: whole once nothing more is played, as far as that was written down."""
    lines = _lines(kept)
    heard = lines if kept.outcome or kept.brought else [_heard(game, line, listener) for line in lines]
    old = replace(game, rules=kept.rules)
    return record.compose(old, len(kept.seats), kept.options, heard, kept.outcome, kept.seed or None, kept.derivation, kept.origin)


def _lines(kept: TableKept) -> list[str]:
    """The lines of the game, without those that were taken back."""
    ledger = Ledger(())
    for row in kept.rows:
        ledger.count(row, ())
    return [row.line for row in ledger.standing()]


def _heard(game: Game, line: str, listener: Seat | None) -> str:
    """A line that these rules cannot read might be secret."""
    try:
        return read_line(game, line).heard(game, listener)
    except TableeError:
        return f"{line.partition(' ')[0]} {UNREADABLE}"
