"""Narration of a game as one viewer may see it: entries in order, the turns of the log, and the others' actions since one's last move."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tablee.core.narration import NarrationEntry, starts_turn

MAX_BUNDLES, TURNS_PER_BUNDLE = 24, 8  # a longer game's last bundle holds the rest


class TurnSummary(NamedTuple):
    """What one seat did in one turn, in a line."""

    seat: int
    name: str
    position: int
    words: str
    points: int
    places: tuple[str, ...]


class ToldEntry(NamedTuple):
    """Entry of a turn, how many times in a row it is told, and whether it begins what its seat did, so that the seat is named."""

    entry: NarrationEntry
    times: int
    opens: bool


@dataclass(frozen=True)
class Turn:
    """One block of the log."""

    entries: tuple[NarrationEntry, ...]

    def __hash__(self) -> int:
        """Return the hash, computed once: turns are part of the keys of fragments."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.entries)

    @property
    def position(self) -> int:
        first = self.entries[0]
        return max(0, first.position - first.aside)

    @cached_property
    def told(self) -> list[ToldEntry]:
        """Return the entries as the log tells them: repeats once, and the name of a seat before the first of its entries in a row."""
        found = collapse_repeats(self.entries)
        before = (None, *(entry.seat for entry, _ in found))
        return [ToldEntry(entry, times, entry.seat not in (None, last)) for (entry, times), last in zip(found, before, strict=False)]

    @cached_property
    def summaries(self) -> list[TurnSummary]:
        """Return a one-line summary for each seat that acted in the turn."""
        return _summaries(self.entries)

    def before(self, position: int) -> Turn:
        """Return the part of the turn before this position of the log."""
        entries = tuple(entry for entry in self.entries if entry.position - entry.aside < position)
        return self if len(entries) == len(self.entries) else Turn(entries)

    def hide_others_since(self, position: int, seat: int | None) -> Turn:
        """Return the part for a seat that has not acted yet: entries up to this position, the seat's own, and those of no seat."""
        return Turn(tuple(entry for entry in self.entries if entry.position <= position or entry.seat in (None, seat)))


class Narration:
    """Entries for one viewer in one language. A line is narrated once, when it is new."""

    def __init__(self, opening_kinds: Collection[str]) -> None:
        self.opening_kinds = opening_kinds
        self.narrated_lines = 0  # how many lines of the log have been narrated
        self.entries: list[NarrationEntry] = []
        self.turns: list[Turn] = []

    def extend_to(self, lines: int, narrate: Callable[[int], list[NarrationEntry]]) -> None:
        """Narrate the lines up to this one."""
        for position in range(self.narrated_lines, lines):
            for entry in narrate(position):
                self.append(entry)
        self.narrated_lines = lines

    def append(self, entry: NarrationEntry) -> None:
        self.entries.append(entry)
        if not self.turns or starts_turn(entry, self.turns[-1].entries, self.opening_kinds):
            self.turns.append(Turn((entry,)))
        else:
            self.turns[-1] = Turn((*self.turns[-1].entries, entry))

    def slice_until(self, lines: int) -> NarrationSlice:
        """Return the narration as it was when the log had `lines` lines."""
        if lines >= self.narrated_lines:
            return NarrationSlice(self.entries, self.turns)
        turns = [turn.before(lines) for turn in self.turns if turn.position < lines]
        return NarrationSlice([entry for turn in turns for entry in turn.entries], turns)


@dataclass(frozen=True)
class NarrationSlice:
    """The part of a narration that one client may see."""

    entries: Sequence[NarrationEntry]
    turns: Sequence[Turn]

    def with_trailing(self, platform_entries: Sequence[NarrationEntry]) -> NarrationSlice:
        """Return the slice with the platform's entries since the last line of the game."""
        if not platform_entries:
            return self
        *before, last = self.turns or [Turn(())]
        return NarrationSlice([*self.entries, *platform_entries], [*before, Turn((*last.entries, *platform_entries))])

    def hide_others_since(self, position: int, seat: int | None) -> NarrationSlice:
        """Return the slice without the others' actions in the turn opened at this position."""
        if not self.turns or self.turns[-1].entries[-1].position <= position:
            return self
        *before, last = self.turns
        last = last.hide_others_since(position, seat)
        earlier = len(self.entries) - len(self.turns[-1].entries)
        return NarrationSlice([*self.entries[:earlier], *last.entries], [*before, last])


def bundle_turns(turns: Sequence[Turn]) -> list[Sequence[Turn]]:
    """Split the log into a fixed number of bundles, whatever the length of the game."""
    return [
        *(turns[TURNS_PER_BUNDLE * number : TURNS_PER_BUNDLE * (number + 1)] for number in range(MAX_BUNDLES - 1)),
        turns[TURNS_PER_BUNDLE * (MAX_BUNDLES - 1) :],
    ]


def collapse_repeats(turn: Sequence[NarrationEntry]) -> list[tuple[NarrationEntry, int]]:
    """Return the entries, each with how many times in a row it is told; of a seat's consecutive equal entries the last."""
    found: list[tuple[NarrationEntry, int]] = []
    for entry in turn:
        times = 1 + (found.pop()[1] if found and _is_repeat(entry, found[-1][0]) else 0)
        found.append((entry, times))
    return found


def _is_repeat(entry: NarrationEntry, other: NarrationEntry) -> bool:
    if entry.seat is None or entry.points:
        return False
    return (entry.seat, entry.kind, entry.sentence) == (other.seat, other.kind, other.sentence)


def turn_opened_at(turns: Sequence[Turn], opening_kinds: Collection[str], by: int) -> int:
    """Return the position at which the turn played at `by` was opened; -1 before the first."""
    for turn in reversed(turns):
        found = [entry.position for entry in turn.entries if entry.kind in opening_kinds and entry.position <= by]
        if found:
            return max(found)
    return -1


def since_last_turn(turns: Sequence[Turn], since: int, me: int | None) -> list[TurnSummary]:
    """Return summaries of the others' actions after a position of the log, one for each turn and seat.

    Nature's draws for a seat count only if they bring points.
    """
    first = len(turns)
    while first and turns[first - 1].entries[-1].position > since:
        first -= 1
    return [line for turn in turns[first:] for line in _summaries_since(turn, since) if line.seat != me]


def _summaries_since(turn: Turn, since: int) -> list[TurnSummary]:
    return turn.summaries if turn.entries[0].position > since else _summaries([entry for entry in turn.entries if entry.position > since])


def last_summaries(turns: Sequence[Turn], seats: int) -> dict[int, TurnSummary]:
    """Return the summary of each seat's last actions, if they are recent."""
    found: dict[int, TurnSummary] = {}
    for turn in reversed(turns[-seats - 1 :]):
        found = {line.seat: line for line in turn.summaries} | found
        if len(found) == seats:
            break
    return found


def _summaries(entries: Sequence[NarrationEntry]) -> list[TurnSummary]:
    entries_by_seat: dict[int, list[NarrationEntry]] = {}
    for entry in entries:
        if (entry.points or not entry.by_nature) and entry.seat is not None:
            entries_by_seat.setdefault(entry.seat, []).append(entry)
    return [_summary(seat, of_seat) for seat, of_seat in entries_by_seat.items()]


def _summary(seat: int, entries: Sequence[NarrationEntry]) -> TurnSummary:
    scored = [entry for entry in entries if entry.points]
    chosen = scored or [next((entry for entry in entries if entry.brief), entries[0])]
    return TurnSummary(
        seat,
        entries[0].name,
        entries[-1].position,
        words=", ".join(entry.brief or entry.sentence for entry in chosen),
        points=sum(entry.points for entry in scored),
        places=tuple(entry.place for entry in entries if entry.place),
    )


def standings(finale: Sequence[NarrationEntry], scores: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the scores after each step of the final scoring, which ends with these; none where no step scores."""
    if not any(step.points for step in finale):
        return ()
    left, found = list(scores), list[tuple[int, ...]]()
    for step in reversed(finale):
        found.insert(0, tuple(left))
        if step.seat is not None:
            left[step.seat] -= step.points
    return tuple(found)
