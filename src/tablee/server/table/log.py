"""What is written down at a table, line by line: moves of the game, and lines of the platform that are none. The length is the version.

A move's version is the one after nature's answer to it, now and after a restart; it counts once however often it is sent.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from tablee.core.game import Game, Seat
from tablee.core.i18n import msg
from tablee.core.match import Match, read_line
from tablee.server.storage.database import ConflictError
from tablee.server.storage.line_kinds import (
    AGREE,
    ASK_BACK,
    BACK,
    CLAIM,
    CONSENT,
    DECLINE,
    DENIED,
    GRANTED,
    HANDED,
    MOVE,
    OFFER,
    PAUSE,
    RESUME,
    UNDO,
)
from tablee.server.storage.models import LogLine, StoredSeat

BOT_ID_PREFIX = "bot-"  # how the ids of bots' moves begin


@dataclass(frozen=True)
class Change:
    """Lines that are to be written down together, what the match becomes with them if it does, and who sits where from then on."""

    rows: Sequence[LogLine]
    after: Match | None = None
    seats: Mapping[int, StoredSeat] = field(default_factory=dict)
    allowed_while_paused: bool = False  # whether that may be while the table is paused


@dataclass(frozen=True)
class PlatformLine:
    """A line of the platform that is told, and after how many lines of the game it was written."""

    at: int
    seat: Seat
    kind: str


@dataclass(frozen=True)
class UndoRequest:
    """A seat would like to take back its last move."""

    seat: Seat
    agreed: frozenset[Seat]


@dataclass(frozen=True)
class Claim:
    """Somebody at a device without a key says that a seat is theirs, and has made a token for it."""

    number: int  # the version that it led to: whoever answers says which claim was meant
    token_hash: str
    agreed: frozenset[Seat]
    received_at: float  # when this process heard of it, by its own clock


class TableLog:
    def __init__(self, to_act: Sequence[Seat]) -> None:
        self.rows: list[LogLine] = []
        self.to_act_by_version: list[tuple[Seat, ...]] = [tuple(to_act)]  # by version
        self.platform_lines: list[PlatformLine] = []
        self.paused = False
        self.undo_request: UndoRequest | None = None  # until it is answered, or whoever asked moves on
        self.handover_offers: dict[Seat, frozenset[Seat]] = {}  # by seat, those who would give it to somebody else, until its owner is back
        self.claims: dict[Seat, Claim] = {}  # by seat, until they are answered or its owner is back
        self.denied_at: dict[Seat, float] = {}  # by seat, when this process heard that the last claim was turned away
        self._outside_game: set[int] = set()  # positions that are no part of the game: lines of the platform, and what they took back
        self._positions_by_seat: dict[str, list[int]] = {}  # by seat, the positions that are
        self._last_request: tuple[tuple[int, str], tuple[str, ...]] | None = None  # the last turn; what nature draws next belongs to it
        self._versions_by_request: dict[
            tuple[int, str], tuple[tuple[str, ...], int]
        ] = {}  # (seat, client-made id) -> its lines, the version they led to

    @property
    def version(self) -> int:
        return len(self.rows)

    def append(self, row: LogLine, to_act: Sequence[Seat]) -> None:
        """One more line, after which these seats are awaited."""
        seat, _, _ = row.line.partition(" ")
        if row.kind == MOVE:
            self._positions_by_seat.setdefault(seat, []).append(self.version)
        else:
            self._outside_game.add(self.version)
        if row.kind == UNDO:
            self._remove_from_game(self._positions_by_seat[seat].pop())
        if row.kind not in (MOVE, UNDO):
            self.platform_lines.append(PlatformLine(len(self.rows) + 1 - len(self._outside_game), Seat(int(seat)), row.kind))
        self.paused = row.kind == PAUSE or (self.paused and row.kind != RESUME)
        self.undo_request = self._undo_request_after(row)
        self._update_offers(row)
        self._update_claims(row)
        self.rows.append(row)
        self.to_act_by_version.append(tuple(to_act))
        if seat != "-":
            self._last_request = self._extended_request(int(seat), row) if row.client_id else None
        if self._last_request:
            key, lines = self._last_request
            self._versions_by_request[key] = (lines, self.version)

    def _extended_request(self, seat: int, row: LogLine) -> tuple[tuple[int, str], tuple[str, ...]]:
        """What is asked under one id: a line, or the lines of one turn."""
        key = seat, row.client_id or ""
        before = self._last_request[1] if self._last_request and self._last_request[0] == key else ()
        return key, (*before, row.line)

    def _undo_request_after(self, row: LogLine) -> UndoRequest | None:
        seat, _, *agreed = row.line.split()
        if row.kind == ASK_BACK:
            return UndoRequest(Seat(int(seat)), frozenset(Seat(int(other)) for other in agreed))
        asked = self.undo_request
        if asked is None or row.kind in (UNDO, DECLINE) or (row.kind == MOVE and seat in ("-", str(asked.seat))):
            return None
        return UndoRequest(asked.seat, asked.agreed | {Seat(int(seat))}) if row.kind == AGREE else asked

    def _update_offers(self, row: LogLine) -> None:
        seat, _, by = row.line.partition(" ")
        if row.kind == OFFER:
            self.handover_offers[Seat(int(seat))] = self.handover_offers.get(Seat(int(seat)), frozenset()) | {Seat(int(by.split()[-1]))}
        elif seat != "-":
            self.handover_offers.pop(Seat(int(seat)), None)

    def _update_claims(self, row: LogLine) -> None:
        seat, _, by = row.line.partition(" ")
        if row.kind == CLAIM:
            self.claims[Seat(int(seat))] = Claim(self.version + 1, row.client_id or "", frozenset(), time.monotonic())
        elif row.kind == CONSENT and (claim := self.claims.get(Seat(int(seat)))):
            self.claims[Seat(int(seat))] = replace(claim, agreed=claim.agreed | {Seat(int(by.split()[-1]))})
        elif row.kind in (BACK, HANDED, GRANTED, DENIED) or (
            row.kind == MOVE and seat != "-" and not (row.client_id or "").startswith(BOT_ID_PREFIX)
        ):
            self.claims.pop(Seat(int(seat)), None)
        if row.kind == DENIED:
            self.denied_at[Seat(int(seat))] = time.monotonic()

    def _remove_from_game(self, position: int) -> None:
        """What came after it in the game comes one line sooner now."""
        if self.platform_lines:
            line = position - sum(gone < position for gone in self._outside_game)
            self.platform_lines = [replace(aside, at=aside.at - (aside.at > line)) for aside in self.platform_lines]
        self._outside_game.add(position)

    def version_of_request(self, seat: Seat, client_id: str | None, *alternatives: Sequence[str]) -> int | None:
        """The version that these lines, in one of these ways, led to if they were sent before; an id stands for one turn only."""
        found = self._versions_by_request.get((seat, client_id)) if client_id else None
        if found is None:
            return None
        if found[0] not in map(tuple, alternatives):
            raise ConflictError(msg("this id was already used for another move: {line!r}", line=", ".join(found[0])))
        return found[1]

    def check_current(self, seat: Seat, at: int) -> None:
        """Refuses a move made on an old picture of the table. What others did while this seat was awaited too does not make it old."""
        if at == self.version:
            return
        told = {row.line.split()[0] for row in self.rows[at:] if row.kind in (MOVE, UNDO)}
        if at > self.version or seat not in self.to_act_by_version[at] or told & {"-", str(seat)}:
            raise ConflictError(msg("the game has moved on; look again and choose"))

    def moves_since(self, seats: Sequence[Seat], since: int) -> tuple[str, ...]:
        """The moves of these seats that were written since a version, also those that were taken back."""
        lines = [row.line.partition(" ") for row in self.rows[since:] if row.kind == MOVE]
        return tuple(move for seat, _, move in lines if seat in map(str, seats))

    def last_turn_length(self, seat: Seat) -> int:
        """How many lines the seat's last turn has that still stand: what was sent under one id belongs together."""
        own = (self.rows[position].client_id for position in reversed(self._positions_by_seat.get(str(seat), ())))
        last = next(own, None)
        return 1 if last is None else 1 + sum(1 for _ in takewhile(lambda each: each == last, own))

    def game_rows(self) -> list[LogLine]:
        """The lines of the game, without those that were taken back."""
        return [row for position, row in enumerate(self.rows) if position not in self._outside_game]

    def match_at(self, match: Match, version: int) -> Match:
        """The match as it was at this version: what it has in common with that is not played again."""
        then = TableLog(())
        for row in self.rows[:version]:
            then.append(row, ())
        lines = [read_line(match.game, row.line) for row in then.game_rows()]
        common = next((number for number, line in enumerate(lines) if match.log[number : number + 1] != [line]), len(lines))
        found = match.at(common)
        for line in lines[common:]:
            found.play(line.seat, line.move)
        return found

    def redacted_lines(self, match: Match, viewer: Seat | None) -> list[str]:
        """Everything, as one seat may know it."""
        heard = iter(match.lines_for(viewer))
        return list(self._redact(match.game, heard, viewer))

    def _redact(self, game: Game, heard: Iterator[str], viewer: Seat | None) -> Iterator[str]:
        for position, row in enumerate(self.rows):
            if position not in self._outside_game:
                yield next(heard)
            else:
                yield read_line(game, row.line).show_to(game, viewer) if row.kind == MOVE else row.line


def apply_row(match: Match, row: LogLine) -> Match:
    """The match after one more line."""
    seat, _, _ = row.line.partition(" ")
    if row.kind == UNDO:
        return match.without_last(Seat(int(seat)))
    if row.kind == MOVE:
        line = read_line(match.game, row.line)
        match.play(line.seat, line.move)
    return match
