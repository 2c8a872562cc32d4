"""What is written down at a table, line by line: moves of the game, and lines of the platform that are none. The length is the version.

A move's version is the one after nature's answer to it, now and after a restart; it counts once however often it is sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tablee.core.game import Game, Seat
from tablee.core.match import Match, read_line
from tablee.core.words import say
from tablee.server.kept.kinds import HURRIED, MOVE, UNDO
from tablee.server.kept.store import Row, TableMovedOn


class Ledger:
    def __init__(self, to_act: Sequence[Seat]) -> None:
        self.rows: list[Row] = []
        self.awaited: list[tuple[Seat, ...]] = [tuple(to_act)]  # by version
        self.hurried: list[tuple[int, Seat]] = []  # bots that greedy stepped in for, and after how many lines of the game
        self._gone: set[int] = set()  # positions that are no part of the game: lines of the platform, and what they took back
        self._standing: dict[str, list[int]] = {}  # by seat, the positions that are
        self._asked: tuple[tuple[int, str], str] | None = None  # the last move; what nature draws next belongs to it
        self._known: dict[tuple[int, str], tuple[str, int]] = {}  # (seat, client-made id) -> its line and the version it led to

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
        if row.kind == HURRIED:
            self.hurried.append((len(self.rows) + 1 - len(self._gone), Seat(int(seat))))
        self.rows.append(row)
        self.awaited.append(tuple(to_act))
        if seat != "-":
            self._asked = ((int(seat), row.client_id), row.line) if row.client_id else None
        if self._asked:
            key, line = self._asked
            self._known[key] = (line, self.version)

    def _take_back(self, position: int) -> None:
        """What came after it in the game comes one line sooner now."""
        if self.hurried:
            line = position - sum(gone < position for gone in self._gone)
            self.hurried = [(at - (at > line), seat) for at, seat in self.hurried]
        self._gone.add(position)

    def known(self, seat: Seat, client_id: str, line: str) -> int | None:
        """The version that this line led to if it was sent before; an id stands for one line only."""
        found = self._known.get((seat, client_id))
        if found is None:
            return None
        if found[0] != line:
            raise TableMovedOn(say("this id was already used for another move: {line!r}", line=found[0]))
        return found[1]

    def check_current(self, seat: Seat, at: int) -> None:
        """Refuses a move made on an old picture of the table. What others did while this seat was awaited too does not make it old."""
        if at == self.version:
            return
        if at > self.version or seat not in self.awaited[at] or any(row.line.split()[0] in ("-", str(seat)) for row in self.rows[at:]):
            raise TableMovedOn(say("the table has moved on; look again and choose"))

    def played(self, seats: Sequence[Seat], since: int) -> tuple[str, ...]:
        """The moves of these seats that were written since a version, also those that were taken back."""
        lines = [row.line.partition(" ") for row in self.rows[since:] if row.kind == MOVE]
        return tuple(move for seat, _, move in lines if seat in map(str, seats))

    def standing(self) -> list[Row]:
        """The lines of the game, without those that were taken back."""
        return [row for position, row in enumerate(self.rows) if position not in self._gone]

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
        return match.undone(Seat(int(seat)))
    if row.kind == MOVE:
        line = read_line(match.game, row.line)
        match.play(line.seat, line.move)
    return match
