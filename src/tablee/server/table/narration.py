"""The game so far in words, as one seat may hear it: entries in order, the log's turns, and what the others did since one's last move."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Any

BUNDLES, TURNS = 24, 8  # so many bundles of so many turns; a longer game's last bundle holds the rest
# A position is that of a line of the game; what happened before one and is no line of the game stands half a step before it.
Entry = dict[str, Any]  # see Narrator: position, seat, name, by_nature, kind, sentence, brief, points, parts, place

_numbers = count()


@dataclass(eq=False)
class Turn:
    """One block of the log. Its mark is another for every turn of any table, and for every entry that is added."""

    entries: list[Entry]
    number: int = field(default_factory=lambda: next(_numbers))
    of: int | None = None  # whose part of the turn this is, where nobody else's is told yet

    @property
    def mark(self) -> tuple[int, int, int | None]:
        return self.number, len(self.entries), self.of

    @property
    def position(self) -> int:
        return max(0, int(self.entries[0]["position"]))

    @cached_property
    def told(self) -> list[Entry]:
        return told_once(self.entries)

    @cached_property
    def deeds(self) -> list[Entry]:
        """What each seat did in it, a line for each."""
        return _lines(self.entries)

    def until(self, position: int) -> Turn:
        """What of it was told before this position of the log."""
        return Turn([entry for entry in self.entries if entry["position"] < position], self.number, self.of)

    def apart(self, position: int, seat: int | None) -> Turn:
        """What of it somebody may hear who has not done their part: what came up to this position, and what they did themselves."""
        heard = [entry for entry in self.entries if entry["position"] <= position or entry["seat"] in (None, seat)]
        return Turn(heard, self.number, seat)


class Tale:
    """What one listener hears in one language. Lines are put into words once, when they are new, and forgotten when they are taken back."""

    def __init__(self, opens: Collection[str]) -> None:
        self.opens = opens
        self.lines = 0  # how many lines of the log have been told
        self.entries: list[Entry] = []
        self.turns: list[Turn] = []

    def follow(self, lines: int, tell: Callable[[int], list[Entry]]) -> None:
        """Hears of the lines up to this one."""
        for position in range(self.lines, lines):
            for entry in tell(position):
                self.hear(entry)
        self.lines = lines

    def hear(self, entry: Entry) -> None:
        self.entries.append(entry)
        if not self.turns or begins(entry, self.turns[-1].entries, self.opens):
            self.turns.append(Turn([entry]))
        else:
            last = self.turns[-1]
            self.turns[-1] = Turn([*last.entries, entry], last.number, last.of)

    def forget(self, lines: int) -> None:
        """Only so many lines still stand: what is told in the place of the others is another turn."""
        kept = [entry for entry in self.entries if entry["position"] < lines - 0.5]
        self.lines, self.entries = min(self.lines, lines), []
        whole = [turn for turn in self.turns if turn.entries[-1]["position"] < lines]
        self.turns = whole[:-1]  # the last may have been longer, or was ended by what is forgotten
        for turn in self.turns:
            self.entries += turn.entries
        for entry in kept[len(self.entries) :]:
            self.hear(entry)

    def until(self, lines: int) -> Heard:
        """As it was told when the log had so many lines."""
        if lines >= self.lines:
            return Heard(self.entries, self.turns)
        turns = [turn.until(lines) for turn in self.turns if turn.position < lines]
        return Heard([entry for turn in turns for entry in turn.entries], turns)


@dataclass(frozen=True)
class Heard:
    """As much of a tale as a screen may tell."""

    entries: Sequence[Entry]
    turns: Sequence[Turn]

    def followed_by(self, asides: Sequence[Entry]) -> Heard:
        """With what has happened since the last line."""
        if not asides:
            return self
        *before, last = self.turns or [Turn([])]
        return Heard([*self.entries, *asides], [*before, Turn([*last.entries, *asides], last.number, last.of)])

    def apart(self, position: int, seat: int | None) -> Heard:
        """Without what the others did in the turn that was opened at this position."""
        if not self.turns or self.turns[-1].entries[-1]["position"] <= position:
            return self
        *before, last = self.turns
        last = last.apart(position, seat)
        earlier = len(self.entries) - len(self.turns[-1].entries)
        return Heard([*self.entries[:earlier], *last.entries], [*before, last])


def turns(entries: Iterable[Entry], opens: Collection[str]) -> list[Turn]:
    """These entries in blocks, one for each turn."""
    tale = Tale(opens)
    for entry in entries:
        tale.hear(entry)
    return tale.turns


def begins(entry: Entry, block: Sequence[Entry], opens: Collection[str]) -> bool:
    """Whether a turn begins with this entry. Those of a kind in `opens` begin one; where a game names none, another seat does. What is no
    line of the game begins none."""
    if entry["position"] % 1:
        return False
    if opens:
        return entry["kind"] in opens and any(each["kind"] not in opens for each in block)
    return entry["seat"] is not None and any(each["seat"] not in (None, entry["seat"]) for each in block)


def bundled(turns: Sequence[Turn]) -> list[Sequence[Turn]]:
    """The log in bundles, as many for a game that begins as for one that ends."""
    return [*(turns[TURNS * number : TURNS * (number + 1)] for number in range(BUNDLES - 1)), turns[TURNS * (BUNDLES - 1) :]]


def told_once(turn: Sequence[Entry]) -> list[Entry]:
    """What a seat does several times in a row is one entry that says how many `times`."""
    found: list[Entry] = []
    for entry in turn:
        times = 1 + (found.pop()["times"] if found and _same(entry, found[-1]) else 0)
        found.append(entry | {"times": times})
    return found


def _same(entry: Entry, other: Entry) -> bool:
    return entry["seat"] is not None and not entry["points"] and all(entry[key] == other[key] for key in ("seat", "kind", "sentence"))


def opened(turns: Sequence[Turn], opens: Collection[str], by: int) -> int:
    """Where the turn was opened that was played at this position of the log; -1 before the first."""
    for turn in reversed(turns):
        found = [entry["position"] for entry in turn.entries if entry["kind"] in opens and entry["position"] <= by]
        if found:
            return int(max(found))
    return -1


def news(turns: Sequence[Turn], since: int, me: int | None) -> list[Entry]:
    """What the others did after a position of the log, a line for each turn and seat: who, in few words, for how many points, and where.
    What nature brought them is no deed, unless it is points.
    """
    first = len(turns)
    while first and turns[first - 1].entries[-1]["position"] > since:
        first -= 1
    return [line for turn in turns[first:] for line in _deeds_since(turn, since) if line["seat"] != me]


def _deeds_since(turn: Turn, since: int) -> list[Entry]:
    return turn.deeds if turn.entries[0]["position"] > since else _lines([entry for entry in turn.entries if entry["position"] > since])


def last_deeds(turns: Sequence[Turn], seats: int) -> dict[int, Entry]:
    """The same for what each seat did last, if that is not long ago."""
    found: dict[int, Entry] = {}
    for turn in reversed(turns[-seats - 1 :]):
        found = {line["seat"]: line for line in turn.deeds} | found
        if len(found) == seats:
            break
    return found


def _lines(entries: Sequence[Entry]) -> list[Entry]:
    deeds: dict[int, list[Entry]] = {}
    for entry in entries:
        if (entry["points"] or not entry["by_nature"]) and entry["seat"] is not None:
            deeds.setdefault(entry["seat"], []).append(entry)
    return [_line(of_seat) for of_seat in deeds.values()]


def _line(entries: Sequence[Entry]) -> Entry:
    scored = [entry for entry in entries if entry["points"]]
    told = scored or [next((entry for entry in entries if entry["brief"]), entries[0])]
    return {
        "seat": entries[0]["seat"],
        "name": entries[0]["name"],
        "position": entries[-1]["position"],
        "words": ", ".join(entry["brief"] or entry["sentence"] for entry in told),
        "points": sum(entry["points"] for entry in scored),
        "places": [entry["place"] for entry in entries if entry["place"]],
    }
