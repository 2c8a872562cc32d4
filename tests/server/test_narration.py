"""Narration: one turn is one block of the log; the news are what the others did since one's own last move."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest

from tablee.core.narration import NarrationEntry
from tablee.server.view.narration import Narration, Turn, collapse_repeats, since_last_turn, standings, turn_opened_at

pytestmark = pytest.mark.one_engine


def parse(*lines: str) -> list[NarrationEntry]:
    """Return log entries: "1 score town 12" is seat, kind, brief and points; "- draw" is an event of nature."""
    entries = list[NarrationEntry]()
    for position, line in enumerate(lines):
        seat, kind, *more = line.split()
        brief = more[0] if more else ""
        points = int(more[1]) if len(more) > 1 else 0
        who = None if seat == "-" else int(seat)
        name = "" if who is None else "ABC"[who]
        by_nature = kind == "deal" or who is None
        entries.append(NarrationEntry(position, False, kind, who, name, by_nature, sentence=kind, brief=brief, points=points, place=brief))
    return entries


def turns(entries: list[NarrationEntry], opening_kinds: Collection[str]) -> list[Turn]:
    narration = Narration(opening_kinds)
    narration.extend_to(len(entries), lambda position: [entries[position]])
    return narration.turns


def kinds(blocks: list[Turn]) -> list[list[str]]:
    return [[entry.kind for entry in block.entries] for block in blocks]


GAME = parse("- first", "- draw", "0 lay", "0 pass", "- draw", "- aside", "- draw", "1 lay", "1 score town 12", "1 score road 4", "- draw")


def test_a_turn_is_a_block_from_its_opening_on() -> None:
    assert kinds(turns(GAME, {"draw"})) == [
        ["first"],
        ["draw", "lay", "pass"],
        ["draw", "aside"],
        ["draw", "lay", "score", "score"],
        ["draw"],
    ]


def test_openings_in_a_row_belong_together() -> None:
    assert kinds(turns(parse("- draw", "- draw", "0 lay"), {"draw"})) == [["draw", "draw", "lay"]]


def test_an_aside_belongs_to_the_turn_in_which_it_was_said() -> None:
    """It stands before the next line of the game, and with the lines before it where these are looked back at."""

    def narrate(position: int) -> list[NarrationEntry]:
        entry = lines[position]
        return [*([said(entry, "pause"), said(entry, "resume")] if position == 2 else []), entry]

    def said(before: NarrationEntry, kind: str) -> NarrationEntry:
        return replace(before, aside=True, kind=kind, seat=1)

    lines = parse("- draw", "0 lay", "- draw", "1 lay")
    narration = Narration({"draw"})
    narration.extend_to(4, narrate)
    assert kinds(narration.turns) == [["draw", "lay", "pause", "resume"], ["draw", "lay"]]
    assert [[entry.kind for entry in narration.slice_until(until).entries] for until in (1, 2, 3)] == [
        ["draw"],
        ["draw", "lay", "pause", "resume"],
        ["draw", "lay", "pause", "resume", "draw"],
    ]


def test_what_a_seat_does_several_times_in_a_row_is_told_once() -> None:
    first, second, third, last = collapse_repeats(parse("0 take", "0 take", "0 take", "0 give", "0 take", "0 score town 2"))
    assert [(each.kind, times, each.position) for each, times in (first, second, third, last)] == [
        ("take", 3, 2),
        ("give", 1, 3),
        ("take", 1, 4),
        ("score", 1, 5),
    ]
    assert [times for _, times in collapse_repeats(parse("0 score town 2", "0 score town 2"))] == [1, 1], "points are told one by one"


def test_a_seat_is_named_before_the_first_of_its_entries_in_a_row() -> None:
    turn = Turn(tuple(parse("0 take", "0 take", "0 give", "- draw", "0 take", "1 take")))
    assert [(told.entry.seat, told.times, told.opens) for told in turn.told] == [
        (0, 2, True),
        (0, 1, False),
        (None, 1, False),
        (0, 1, True),
        (1, 1, True),
    ]


def test_without_openings_another_seat_begins_a_turn() -> None:
    assert kinds(turns(parse("- roll", "0 run", "- roll", "0 wait", "1 run"), ())) == [["roll", "run", "roll", "wait"], ["run"]]


def test_the_news_are_short_and_add_up() -> None:
    blocks = turns(GAME, {"draw"})
    (line,) = since_last_turn(blocks, 3, 0)
    assert (line.name, line.words, line.points, line.places) == ("B", "town, road", 16, ("town", "road"))
    assert [each.name for each in since_last_turn(blocks, -1, None)] == ["A", "B"]
    assert since_last_turn(blocks, 9, 0) == []


def test_what_nature_deals_to_somebody_is_no_news() -> None:
    assert [each.words for each in since_last_turn([Turn(tuple(parse("1 deal", "1 lay road", "2 deal", "2 deal town 3")))], -1, 0)] == [
        "road",
        "town",
    ]


def test_what_brings_no_points_is_told_in_a_word_or_as_it_was_said() -> None:
    assert [each.words for each in since_last_turn([Turn(tuple(parse("1 lay", "1 settle road")))], -1, 0)] == ["road"]
    assert [each.words for each in since_last_turn([Turn(tuple(parse("1 lay", "1 pass")))], -1, 0)] == ["lay"]


def test_a_turn_was_opened_by_the_last_opening_before_it() -> None:
    assert [turn_opened_at(turns(GAME, {"draw"}), {"draw"}, position) for position in (0, 1, 3, 5, 8, 99)] == [-1, 1, 1, 4, 6, 10]


def test_the_final_scoring_counts_up_to_the_scores() -> None:
    assert standings(parse("0 final road 3", "1 final town 4", "0 final plain 2"), [10, 9]) == ((8, 5), (8, 9), (10, 9))
    assert standings(parse("0 final won"), [3, 1]) == ()
