"""Log of a table: moves of the game and lines of the platform. Its length is the table's version.

A move's version is the one after nature's answer to it, also after a restart; a client id makes sending it again idempotent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from tablee.core.game import Game, Seat
from tablee.core.i18n import msg
from tablee.core.match import Match, read_line
from tablee.server.table.models import (
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
    ConflictError,
    LogLine,
    StoredSeat,
)

BOT_ID_PREFIX = "bot-"  # client ids of bots' moves begin with it


@dataclass(frozen=True)
class Change:
    """Lines to commit together, the match after them if it changes, and the changed seats."""

    rows: Sequence[LogLine]
    after: Match | None = None
    seats: Mapping[int, StoredSeat] = field(default_factory=dict)
    allowed_while_paused: bool = False


Decision = Callable[[], Change | int]  # decides under the table's lock; an int is the version that a repeated request led to


@dataclass(frozen=True)
class PlatformLine:
    """A narrated line of the platform, and the number of game lines before it."""

    at: int
    seat: Seat
    kind: str


@dataclass(frozen=True)
class UndoRequest:
    """A seat's request to take back its last move."""

    seat: Seat
    agreed: frozenset[Seat]


@dataclass(frozen=True)
class Claim:
    """A claim on a seat by a device without its token; the device has made a new token."""

    number: int  # the version it led to: an answer names the claim by it
    token_hash: str
    agreed: frozenset[Seat]
    received_at: float  # time.monotonic() of this process


class TableLog:
    def __init__(self, to_act: Sequence[Seat], now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self.rows: list[LogLine] = []
        self.to_act_by_version: list[tuple[Seat, ...]] = [tuple(to_act)]
        self.platform_lines: list[PlatformLine] = []
        self.undone = 0  # number of moves taken back
        self.paused = False
        self.undo_request: UndoRequest | None = None  # until it is answered, or the seat that asked moves
        self.handover_offers: dict[Seat, frozenset[Seat]] = {}  # by seat: who agrees to hand it over, until its owner is back
        self.claims: dict[Seat, Claim] = {}  # by seat, until answered or its owner is back
        self.denied_at: dict[Seat, float] = {}  # by seat: time.monotonic() of the last denied claim
        self._outside_game: set[int] = set()  # positions of platform lines and of moves taken back
        self._positions_by_seat: dict[str, list[int]] = {}  # by seat: positions of the moves that stand
        self._last_request: tuple[tuple[int, str], tuple[str, ...]] | None = None  # the last turn; nature's next draws belong to it
        # (seat, client id) -> the lines of the request, the version they led to
        self._versions_by_request: dict[tuple[int, str], tuple[tuple[str, ...], int]] = {}

    @property
    def version(self) -> int:
        return len(self.rows)

    def append(self, row: LogLine, to_act: Sequence[Seat]) -> None:
        """Append a line, after which these seats are to act."""
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
        """Return the request of this line's client id: one line, or the lines of one turn."""
        key = seat, row.client_id or ""
        before = self._last_request[1] if self._last_request and self._last_request[0] == key else ()
        return key, (*before, row.line)

    def _undo_request_after(self, row: LogLine) -> UndoRequest | None:
        seat, _, *agreed = row.line.split()
        if row.kind == ASK_BACK:
            return UndoRequest(Seat(int(seat)), frozenset(Seat(int(other)) for other in agreed))
        request = self.undo_request
        if request is None or row.kind in (UNDO, DECLINE) or (row.kind == MOVE and seat in ("-", str(request.seat))):
            return None
        return UndoRequest(request.seat, request.agreed | {Seat(int(seat))}) if row.kind == AGREE else request

    def _update_offers(self, row: LogLine) -> None:
        seat, _, by = row.line.partition(" ")
        if row.kind == OFFER:
            self.handover_offers[Seat(int(seat))] = self.handover_offers.get(Seat(int(seat)), frozenset()) | {Seat(int(by.split()[-1]))}
        elif seat != "-":
            self.handover_offers.pop(Seat(int(seat)), None)

    def _update_claims(self, row: LogLine) -> None:
        seat, _, by = row.line.partition(" ")
        if row.kind == CLAIM:
            self.claims[Seat(int(seat))] = Claim(self.version + 1, row.client_id or "", frozenset(), self._now())
        elif row.kind == CONSENT and (claim := self.claims.get(Seat(int(seat)))):
            self.claims[Seat(int(seat))] = replace(claim, agreed=claim.agreed | {Seat(int(by.split()[-1]))})
        elif row.kind in (BACK, HANDED, GRANTED, DENIED) or (
            row.kind == MOVE and seat != "-" and not (row.client_id or "").startswith(BOT_ID_PREFIX)
        ):
            self.claims.pop(Seat(int(seat)), None)
        if row.kind == DENIED:
            self.denied_at[Seat(int(seat))] = self._now()

    def _remove_from_game(self, position: int) -> None:
        """Take a line out of the game; the game lines after it move up by one."""
        self.undone += 1
        if self.platform_lines:
            line = position - sum(outside < position for outside in self._outside_game)
            self.platform_lines = [replace(each, at=each.at - (each.at > line)) for each in self.platform_lines]
        self._outside_game.add(position)

    def version_of_request(self, seat: Seat, client_id: str | None, *alternatives: Sequence[str]) -> int | None:
        """Return the version that a repeated request led to; None if its client id is new.

        Raise ConflictError if the id was used for lines other than one of `alternatives`.
        """
        found = self._versions_by_request.get((seat, client_id)) if client_id else None
        if found is None:
            return None
        if found[0] not in map(tuple, alternatives):
            raise ConflictError(msg("this id was already used for another move: {line!r}", line=", ".join(found[0])))
        return found[1]

    def check_current(self, seat: Seat, at: int) -> None:
        """Refuse a move based on an old version; moves of others made while this seat was to act too do not make it old."""
        if at == self.version:
            return
        actors = {row.line.split()[0] for row in self.rows[at:] if row.kind in (MOVE, UNDO)}
        if at > self.version or seat not in self.to_act_by_version[at] or actors & {"-", str(seat)}:
            raise ConflictError(msg("the game has moved on; look again and choose"))

    def moves_since(self, seats: Sequence[Seat], since: int) -> tuple[str, ...]:
        """Return the moves of these seats written since a version, including those taken back."""
        lines = [row.line.partition(" ") for row in self.rows[since:] if row.kind == MOVE]
        return tuple(move for seat, _, move in lines if seat in map(str, seats))

    def last_turn_length(self, seat: Seat) -> int:
        """Return how many lines of the seat's last turn still stand: lines with the same client id are one turn."""
        own = (self.rows[position].client_id for position in reversed(self._positions_by_seat.get(str(seat), ())))
        last = next(own, None)
        return 1 if last is None else 1 + sum(1 for _ in takewhile(lambda each: each == last, own))

    def game_lines(self) -> list[LogLine]:
        """Return the rows of the game without those taken back."""
        return [row for position, row in enumerate(self.rows) if position not in self._outside_game]

    def match_at(self, match: Match, version: int) -> Match:
        """Return the match at this version; only the lines after the common prefix are played again."""
        log = TableLog(())
        for row in self.rows[:version]:
            log.append(row, ())
        lines = [read_line(match.game, row.line) for row in log.game_lines()]
        common = next((number for number, line in enumerate(lines) if match.log[number : number + 1] != [line]), len(lines))
        found = match.at(common)
        for line in lines[common:]:
            found.play(line.seat, line.move)
        return found

    def redacted_lines(self, match: Match, viewer: Seat | None) -> list[str]:
        """Return all lines as the viewer may see them."""
        game_lines = iter(match.lines_for(viewer))
        return list(self._redact(match.game, game_lines, viewer))

    def _redact(self, game: Game, game_lines: Iterator[str], viewer: Seat | None) -> Iterator[str]:
        for position, row in enumerate(self.rows):
            if position not in self._outside_game:
                yield next(game_lines)
            else:
                yield read_line(game, row.line).show_to(game, viewer) if row.kind == MOVE else row.line


def apply_line(match: Match, row: LogLine) -> Match:
    """Return the match after one more row."""
    seat, _, _ = row.line.partition(" ")
    if row.kind == UNDO:
        return match.without_last(Seat(int(seat)))
    if row.kind == MOVE:
        line = read_line(match.game, row.line)
        match.play(line.seat, line.move)
    return match
