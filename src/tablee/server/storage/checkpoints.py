"""A position that is kept beside the log, so that a table opens without playing its game again. It holds nothing that the log does not say:
one that was made by other rules, or does not read, is as good as none. What was told is most of it; it stands on a line of its own, which
is read when somebody wants to hear it.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from tablee import core, games
from tablee.core.contract import NATURE_NEXT
from tablee.core.game import Event, Seat, seats_in
from tablee.core.i18n import Say
from tablee.core.match import Line, Match
from tablee.server.storage.models import CheckpointKept


@dataclass(frozen=True)
class Checkpoint:
    match: Match
    awaited: list[tuple[Seat, ...]]  # after each line of the stored log

    @staticmethod
    def write(match: Match, awaited: Sequence[Sequence[Seat]]) -> CheckpointKept:
        course = {"log": [[line.seat, line.move] for line in match.log], "awaited": [_mask(seats) for seats in awaited[1:]]}
        told = [[_event(event) for event in events] for events in match.told]
        text = "\n".join(json.dumps(each, separators=(",", ":")) for each in (course, told))
        return CheckpointKept(len(awaited) - 1, made_by(match.game.key), match.state.tobytes(), zlib.compress(text.encode(), 1))

    @classmethod
    def read(cls, kept: CheckpointKept, match: Match, lines: int) -> Checkpoint | None:
        """For a table whose log has so many lines; `match` is its game as it began."""
        if kept.made_by != made_by(match.game.key) or kept.position > lines or len(kept.state) != len(match.state.tobytes()):
            return None
        try:
            course, told = zlib.decompress(kept.rest).split(b"\n")
            rest = json.loads(course)
            log = [Line(Seat(seat), move) for seat, move in rest["log"]]
            awaited = [_seats(mask) for mask in rest["awaited"]]
            return cls(match.resumed(log, partial(_told, told), kept.state), awaited) if len(awaited) == kept.position else None
        except (ValueError, TypeError, LookupError, zlib.error):
            return None


@cache
def made_by(key: str) -> str:
    """Which rules and words a checkpoint speaks, and how: those of the files as they are."""
    found = hashlib.sha256(Path(__file__).read_bytes())
    for folder in (Path(core.__file__).parent, games.folder(key)):
        for file in sorted(folder.rglob("*.py")):
            found.update(file.read_bytes())
    return found.hexdigest()


def _told(kept: bytes) -> list[tuple[Event, ...]]:
    """Unpacked without a fault, it is what was written, and by this code."""
    return [tuple([_read_event(event) for event in events]) for events in json.loads(kept)]


def _mask(seats: Sequence[Seat]) -> int:
    return NATURE_NEXT if tuple(seats) == (NATURE_NEXT,) else sum(1 << seat for seat in seats)


def _seats(mask: int) -> tuple[Seat, ...]:
    return (Seat(NATURE_NEXT),) if mask == NATURE_NEXT else seats_in(mask)


def _event(event: Event) -> list[Any]:
    parts = [[_said(what), points] for what, points in event.parts]
    others = [None if each is None else _said(each) for each in (event.otherwise, event.brief)]
    return [event.kind, _said(event.sentence), event.seat, event.points, parts, event.place, event.only, *others]


def _read_event(kept: Sequence[Any]) -> Event:
    kind, sentence, seat, points, parts, place, only, otherwise, brief = kept
    told = tuple([(_read(what), each) for what, each in parts])
    return Event(kind, _read(sentence), seat, points, told, place, only, otherwise and _read(otherwise), brief and _read(brief))


def _said(value: Any) -> Any:
    """A sentence is written [text, {gap: value}, plural], several in one gap {"": [...]}."""
    if isinstance(value, Say):
        return [value.text, {name: _said(gap) for name, gap in value.gaps}, value.plural]
    if isinstance(value, tuple):
        return {"": [_said(each) for each in value]}
    return value


def _read(kept: Any) -> Any:
    kind = type(kept)
    if kind is list:
        text, gaps, plural = kept
        return Say(text, tuple([(name, _read(gap)) for name, gap in gaps.items()]), plural)
    return tuple([_read(each) for each in kept[""]]) if kind is dict else kept
