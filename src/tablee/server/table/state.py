"""State of a table: its match, log, seats, settings and presence, and what follows from them.

Only `Table` changes it. The collaborators of a table, such as undo or the clock, read it and return decisions for `Table.change`.
"""

from __future__ import annotations

from collections.abc import Collection

from tablee.core import tutorial
from tablee.core.errors import TableeError
from tablee.core.game import Game, Seat
from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.core.tutorial import Tutorial
from tablee.server.table.config import TableConfig
from tablee.server.table.log import TableLog, apply_line
from tablee.server.table.models import LogLine, StoredTable
from tablee.server.table.presence import ChangeSignal, Presence
from tablee.server.table.seats import Seating


class TableState:
    def __init__(self, stored: StoredTable, game: Game, config: TableConfig) -> None:
        """Replay the log."""
        self.id, self.game, self.config = stored.id, game, config
        self.settings, self.is_imported = stored.settings, stored.brought
        self.seating = Seating(stored.seats, stored.former_tokens)
        self.rematch, self.inviter = stored.rematch, self.seating.seat_of_hash(stored.inviter)  # who asked for the rematch
        self.club_paused = stored.club_paused
        self.presence, self.signal = Presence(config, self.on_presence_change), ChangeSignal()
        self._tutorial = tutorial.tutorial_of(game) if stored.settings.lesson else None
        self.match = Match(game, len(stored.seats), stored.options, stored.seed or None, stored.derivation, stored.origin)
        self.log = TableLog(self.match.to_act, config.monotonic)
        for row in stored.lines:
            self.append_line(row, apply_line(self.match, row))

    def on_presence_change(self) -> None:
        self.signal.notify()

    def append_line(self, row: LogLine, after: Match) -> None:
        """Append a stored line, after which the match is this one."""
        self.match = after
        self.log.append(row, after.to_act)

    @property
    def version(self) -> int:
        return self.log.version

    @property
    def done(self) -> bool:
        """Return whether nothing more is played here, and so nothing is secret any more."""
        return self.is_imported or self.match.over

    @property
    def paused(self) -> bool:
        """Return whether the table is paused, by its players or with its club."""
        return self.club_paused or self.log.paused

    @property
    def tutorial(self) -> Tutorial | None:
        """Return the tutorial of this table; None if there is none, or if the moves have departed from it."""
        return self._tutorial if self._tutorial and self._tutorial.progress(self.match.lines()) else None

    @property
    def people_to_act(self) -> list[Seat]:
        """Return the seats to act that people play themselves."""
        return [seat for seat in self.match.to_act if seat in self.seating.people and not self.seating.is_bot(seat)]

    def others_here(self, but: Collection[Seat]) -> tuple[Seat, ...]:
        """Return the other people who are here or expected back, and play themselves."""
        others = sorted(self.seating.people - self.seating.programs - {*but})
        return tuple(seat for seat in others if self.presence.is_here(seat) and not self.seating.is_bot(seat))

    def match_at(self, version: int) -> Match:
        """Return the match after `version` lines of the stored log, including moves undone later."""
        self.check_version_exists(version)
        return self.log.match_at(self.match, version)

    def check_version_exists(self, version: int) -> None:
        if not 0 <= version <= self.version:
            raise TableeError(msg("there is no position after line {number}: the log has {lines}", number=version, lines=self.version))
