"""What is written down at a table, line by line: moves of the game, and lines of the platform that are none. The length is the version.

A move's version is the one after nature's answer to it, now and after a restart; it counts once however often it is sent.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from tablee.core.game import Game, Seat
from tablee.core.i18n import say
from tablee.core.match import Match, read_line
from tablee.server.storage.database import TableMovedOn
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
from tablee.server.storage.models import Row, SeatKept

BOT = "bot-"  # how the ids of bots' moves begin


@dataclass(frozen=True)
class Change:
    """Lines that are to be written down together, what the match becomes with them if it does, and who sits where from then on."""

    rows: Sequence[Row]
    after: Match | None = None
    chairs: Mapping[int, SeatKept] = field(default_factory=dict)
    in_a_pause: bool = False  # whether that may be while the table is paused


@dataclass(frozen=True)
class Aside:
    """A line of the platform that is told, and after how many lines of the game it was written."""

    at: int
    seat: Seat
    kind: str


@dataclass(frozen=True)
class Request:
    """A seat would like to take back its last move."""

    seat: Seat
    agreed: frozenset[Seat]


@dataclass(frozen=True)
class Claim:
    """Somebody at a device without a key says that a seat is theirs, and has made a token for it."""

    number: int  # the version that it led to: whoever answers says which claim was meant
    token_hash: str
    agreed: frozenset[Seat]
    heard: float  # when this process heard of it, by its own clock


class Ledger:
    def __init__(self, to_act: Sequence[Seat]) -> None:
        self.rows: list[Row] = []
        self.awaited: list[tuple[Seat, ...]] = [tuple(to_act)]  # by version
        self.asides: list[Aside] = []
        self.paused = False
        self.request: Request | None = None  # until it is answered, or whoever asked moves on
        self.offers: dict[Seat, frozenset[Seat]] = {}  # by seat, those who would give it to somebody else, until its owner is back
        self.claims: dict[Seat, Claim] = {}  # by seat, until they are answered or its owner is back
        self.denied: dict[Seat, float] = {}  # by seat, when this process heard that the last claim was turned away
        self._gone: set[int] = set()  # positions that are no part of the game: lines of the platform, and what they took back
        self._standing: dict[str, list[int]] = {}  # by seat, the positions that are
        self._asked: tuple[tuple[int, str], tuple[str, ...]] | None = None  # the last turn; what nature draws next belongs to it
        self._known: dict[tuple[int, str], tuple[tuple[str, ...], int]] = {}  # (seat, client-made id) -> its lines, the version they led to

    @property
    def version(self) -> int:
        return len(self.rows)

    def count(self, row: Row, to_act: Sequence[Seat]) -> None:
        """One more line, after which these seats are awaited."""
        seat, _, _ = row.line.partition(" ")
        if row.kind == MOVE:
            self._standing.setdefault(seat, []).append(self.version)
        else:
            self._gone.add(self.version)
        if row.kind == UNDO:
            self._take_back(self._standing[seat].pop())
        if row.kind not in (MOVE, UNDO):
            self.asides.append(Aside(len(self.rows) + 1 - len(self._gone), Seat(int(seat)), row.kind))
        self.paused = row.kind == PAUSE or (self.paused and row.kind != RESUME)
        self.request = self._request_after(row)
        self._count_offer(row)
        self._count_claim(row)
        self.rows.append(row)
        self.awaited.append(tuple(to_act))
        if seat != "-":
            self._asked = self._with(int(seat), row) if row.client_id else None
        if self._asked:
            key, lines = self._asked
            self._known[key] = (lines, self.version)

    def _with(self, seat: int, row: Row) -> tuple[tuple[int, str], tuple[str, ...]]:
        """What is asked under one id: a line, or the lines of one turn."""
        key = seat, row.client_id or ""
        before = self._asked[1] if self._asked and self._asked[0] == key else ()
        return key, (*before, row.line)

    def _request_after(self, row: Row) -> Request | None:
        seat, _, *agreed = row.line.split()
        if row.kind == ASK_BACK:
            return Request(Seat(int(seat)), frozenset(Seat(int(other)) for other in agreed))
        asked = self.request
        if asked is None or row.kind in (UNDO, DECLINE) or (row.kind == MOVE and seat in ("-", str(asked.seat))):
            return None
        return Request(asked.seat, asked.agreed | {Seat(int(seat))}) if row.kind == AGREE else asked

    def _count_offer(self, row: Row) -> None:
        seat, _, by = row.line.partition(" ")
        if row.kind == OFFER:
            self.offers[Seat(int(seat))] = self.offers.get(Seat(int(seat)), frozenset()) | {Seat(int(by.split()[-1]))}
        elif seat != "-":
            self.offers.pop(Seat(int(seat)), None)

    def _count_claim(self, row: Row) -> None:
        seat, _, by = row.line.partition(" ")
        if row.kind == CLAIM:
            self.claims[Seat(int(seat))] = Claim(self.version + 1, row.client_id or "", frozenset(), time.monotonic())
        elif row.kind == CONSENT and (claim := self.claims.get(Seat(int(seat)))):
            self.claims[Seat(int(seat))] = replace(claim, agreed=claim.agreed | {Seat(int(by.split()[-1]))})
        elif row.kind in (BACK, HANDED, GRANTED, DENIED) or (
            row.kind == MOVE and seat != "-" and not (row.client_id or "").startswith(BOT)
        ):
            self.claims.pop(Seat(int(seat)), None)
        if row.kind == DENIED:
            self.denied[Seat(int(seat))] = time.monotonic()

    def _take_back(self, position: int) -> None:
        """What came after it in the game comes one line sooner now."""
        if self.asides:
            line = position - sum(gone < position for gone in self._gone)
            self.asides = [replace(aside, at=aside.at - (aside.at > line)) for aside in self.asides]
        self._gone.add(position)

    def known(self, seat: Seat, client_id: str | None, *ways: Sequence[str]) -> int | None:
        """The version that these lines, in one of these ways, led to if they were sent before; an id stands for one turn only."""
        found = self._known.get((seat, client_id)) if client_id else None
        if found is None:
            return None
        if found[0] not in map(tuple, ways):
            raise TableMovedOn(say("this id was already used for another move: {line!r}", line=", ".join(found[0])))
        return found[1]

    def check_current(self, seat: Seat, at: int) -> None:
        """Refuses a move made on an old picture of the table. What others did while this seat was awaited too does not make it old."""
        if at == self.version:
            return
        told = {row.line.split()[0] for row in self.rows[at:] if row.kind in (MOVE, UNDO)}
        if at > self.version or seat not in self.awaited[at] or told & {"-", str(seat)}:
            raise TableMovedOn(say("the game has moved on; look again and choose"))

    def played(self, seats: Sequence[Seat], since: int) -> tuple[str, ...]:
        """The moves of these seats that were written since a version, also those that were taken back."""
        lines = [row.line.partition(" ") for row in self.rows[since:] if row.kind == MOVE]
        return tuple(move for seat, _, move in lines if seat in map(str, seats))

    def last_turn(self, seat: Seat) -> int:
        """How many lines the seat's last turn has that still stand: what was sent under one id belongs together."""
        own = (self.rows[position].client_id for position in reversed(self._standing.get(str(seat), ())))
        last = next(own, None)
        return 1 if last is None else 1 + sum(1 for _ in takewhile(lambda each: each == last, own))

    def standing(self) -> list[Row]:
        """The lines of the game, without those that were taken back."""
        return [row for position, row in enumerate(self.rows) if position not in self._gone]

    def earlier(self, match: Match, version: int) -> Match:
        """The match as it was at this version: what it has in common with that is not played again."""
        then = Ledger(())
        for row in self.rows[:version]:
            then.count(row, ())
        lines = [read_line(match.game, row.line) for row in then.standing()]
        common = next((number for number, line in enumerate(lines) if match.log[number : number + 1] != [line]), len(lines))
        found = match.at(common)
        for line in lines[common:]:
            found.play(line.seat, line.move)
        return found

    def heard(self, match: Match, listener: Seat | None) -> list[str]:
        """Everything, as one seat may know it."""
        heard = iter(match.heard(listener))
        return list(self._told(match.game, heard, listener))

    def _told(self, game: Game, heard: Iterator[str], listener: Seat | None) -> Iterator[str]:
        for position, row in enumerate(self.rows):
            if position not in self._gone:
                yield next(heard)
            else:
                yield read_line(game, row.line).heard(game, listener) if row.kind == MOVE else row.line


def follow(match: Match, row: Row) -> Match:
    """The match after one more line."""
    seat, _, _ = row.line.partition(" ")
    if row.kind == UNDO:
        return match.without_last(Seat(int(seat)))
    if row.kind == MOVE:
        line = read_line(match.game, row.line)
        match.play(line.seat, line.move)
    return match
