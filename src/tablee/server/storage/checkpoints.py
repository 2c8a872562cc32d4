"""Checkpoints: a position stored beside the log, so that a table opens without replaying its game.

The log is the source of truth: a checkpoint by other code, or one that cannot be read, is ignored. The events are most of it; they stand
on a line of their own, which is decoded on demand.
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
    def write(match: Match, to_act: Sequence[Sequence[Seat]]) -> StoredCheckpoint:
        history = {"log": [[line.seat, line.move] for line in match.log], "awaited": [_mask(seats) for seats in to_act[1:]]}
        events = [[_encode_event(event) for event in line_events] for line_events in match.events]
        text = "\n".join(json.dumps(each, separators=(",", ":")) for each in (history, events))
        return StoredCheckpoint(len(to_act) - 1, code_hash(match.game.key), match.state.tobytes(), zlib.compress(text.encode(), 1))

    @classmethod
    def read(cls, stored: StoredCheckpoint, match: Match, lines: int) -> Checkpoint | None:
        """Return the checkpoint of a log with this number of lines, None if it is unusable; `match` is the game at its start."""
        if stored.made_by != code_hash(match.game.key) or stored.position > lines or len(stored.state) != len(match.state.tobytes()):
            return None
        try:
            history, events = zlib.decompress(stored.rest).split(b"\n")
            decoded = json.loads(history)
            log = [Line(Seat(seat), move) for seat, move in decoded["log"]]
            to_act = [_seats(mask) for mask in decoded["awaited"]]
            return (
                cls(match.resumed(log, partial(_decode_log_events, events), stored.state), to_act)
                if len(to_act) == stored.position
                else None
            )
        except (ValueError, TypeError, LookupError, zlib.error):
            return None


@cache
def code_hash(key: str) -> str:
    """Return a hash of the code that checkpoints of a game depend on: this file, the core and the room."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for folder in (Path(core.__file__).parent, games.folder(key)):
        for file in sorted(folder.rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _decode_log_events(text: bytes) -> list[tuple[Event, ...]]:
    """Return the events of every line; zlib's checksum and the code hash have vouched for the text."""
    return [tuple([_decode_event(event) for event in events]) for events in json.loads(text)]


def _mask(seats: Sequence[Seat]) -> int:
    return NATURE_NEXT if tuple(seats) == (NATURE_NEXT,) else sum(1 << seat for seat in seats)


def _seats(mask: int) -> tuple[Seat, ...]:
    return (Seat(NATURE_NEXT),) if mask == NATURE_NEXT else seats_in(mask)


def _encode_event(event: Event) -> list[Any]:
    parts = [[_encode_message(what), points] for what, points in event.parts]
    others = [None if each is None else _encode_message(each) for each in (event.public_sentence, event.brief)]
    return [event.kind, _encode_message(event.sentence), event.seat, event.points, parts, event.place, event.visible_to, *others]


def _decode_event(encoded: Sequence[Any]) -> Event:
    kind, sentence, seat, points, parts, place, visible_to, public, brief = encoded
    decoded_parts = tuple([(_decode_message(what), each) for what, each in parts])
    return Event(
        kind,
        _decode_message(sentence),
        seat,
        points,
        decoded_parts,
        place,
        visible_to,
        public and _decode_message(public),
        brief and _decode_message(brief),
    )


def _encode_message(value: Any) -> Any:
    """Encode a message as [text, {gap: value}, plural], and several in one gap as {"": [...]}."""
    if isinstance(value, Message):
        return [value.text, {name: _encode_message(gap) for name, gap in value.params}, value.plural]
    if isinstance(value, tuple):
        return {"": [_encode_message(each) for each in value]}
    return value


def _decode_message(encoded: Any) -> Any:
    kind = type(encoded)
    if kind is list:
        text, gaps, plural = encoded
        return Message(text, tuple([(name, _decode_message(gap)) for name, gap in gaps.items()]), plural)
    return tuple([_decode_message(each) for each in encoded[""]]) if kind is dict else encoded
