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
from tablee.core.i18n import Message
from tablee.core.match import Line, Match
from tablee.server.storage.models import StoredCheckpoint


@dataclass(frozen=True)
class Checkpoint:
    match: Match
    to_act: list[tuple[Seat, ...]]  # after each line of the stored log

    @staticmethod
    def write(match: Match, awaited: Sequence[Sequence[Seat]]) -> StoredCheckpoint:
        course = {"log": [[line.seat, line.move] for line in match.log], "awaited": [_mask(seats) for seats in awaited[1:]]}
        told = [[_encode_event(event) for event in events] for events in match.events]
        text = "\n".join(json.dumps(each, separators=(",", ":")) for each in (course, told))
        return StoredCheckpoint(len(awaited) - 1, code_hash(match.game.key), match.state.tobytes(), zlib.compress(text.encode(), 1))

    @classmethod
    def read(cls, kept: StoredCheckpoint, match: Match, lines: int) -> Checkpoint | None:
        """For a table whose log has so many lines; `match` is its game as it began."""
        if kept.made_by != code_hash(match.game.key) or kept.position > lines or len(kept.state) != len(match.state.tobytes()):
            return None
        try:
            course, told = zlib.decompress(kept.rest).split(b"\n")
            rest = json.loads(course)
            log = [Line(Seat(seat), move) for seat, move in rest["log"]]
            awaited = [_seats(mask) for mask in rest["awaited"]]
            return (
                cls(match.resumed(log, partial(_decode_log_events, told), kept.state), awaited) if len(awaited) == kept.position else None
            )
        except (ValueError, TypeError, LookupError, zlib.error):
            return None


@cache
def code_hash(key: str) -> str:
    """Which rules and words a checkpoint speaks, and how: those of the files as they are."""
    found = hashlib.sha256(Path(__file__).read_bytes())
    for folder in (Path(core.__file__).parent, games.folder(key)):
        for file in sorted(folder.rglob("*.py")):
            found.update(file.read_bytes())
    return found.hexdigest()


def _decode_log_events(kept: bytes) -> list[tuple[Event, ...]]:
    """Unpacked without a fault, it is what was written, and by this code."""
    return [tuple([_decode_event(event) for event in events]) for events in json.loads(kept)]


def _mask(seats: Sequence[Seat]) -> int:
    return NATURE_NEXT if tuple(seats) == (NATURE_NEXT,) else sum(1 << seat for seat in seats)


def _seats(mask: int) -> tuple[Seat, ...]:
    return (Seat(NATURE_NEXT),) if mask == NATURE_NEXT else seats_in(mask)


def _encode_event(event: Event) -> list[Any]:
    parts = [[_encode_message(what), points] for what, points in event.parts]
    others = [None if each is None else _encode_message(each) for each in (event.public_sentence, event.brief)]
    return [event.kind, _encode_message(event.sentence), event.seat, event.points, parts, event.place, event.visible_to, *others]


def _decode_event(kept: Sequence[Any]) -> Event:
    kind, sentence, seat, points, parts, place, only, otherwise, brief = kept
    told = tuple([(_decode_message(what), each) for what, each in parts])
    return Event(
        kind,
        _decode_message(sentence),
        seat,
        points,
        told,
        place,
        only,
        otherwise and _decode_message(otherwise),
        brief and _decode_message(brief),
    )


def _encode_message(value: Any) -> Any:
    """A sentence is written [text, {gap: value}, plural], several in one gap {"": [...]}."""
    if isinstance(value, Message):
        return [value.text, {name: _encode_message(gap) for name, gap in value.params}, value.plural]
    if isinstance(value, tuple):
        return {"": [_encode_message(each) for each in value]}
    return value


def _decode_message(kept: Any) -> Any:
    kind = type(kept)
    if kind is list:
        text, gaps, plural = kept
        return Message(text, tuple([(name, _decode_message(gap)) for name, gap in gaps.items()]), plural)
    return tuple([_decode_message(each) for each in kept[""]]) if kind is dict else kept
