"""Verification of records: every manipulation is found and reported in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tablee import bots, games
from tablee.core import fairness, record
from tablee.core.errors import RecordError, TableeError
from tablee.core.match import Match

VILLAGE = games.find("rolling-village")
SavedGame = dict[str, Any]


def played(key: str = "rolling-village", seats: int = 2, derivation: int = fairness.NEWEST) -> SavedGame:
    game = games.find(key)
    match = Match(game, max(seats, game.seats[0]), {}, fairness.seed_for(4, 1), derivation)
    return record.write(bots.play_out(match, [bots.RANDOM] * match.seats))


def complaint(text: str) -> str:
    with pytest.raises(TableeError) as found:
        record.verify(games.find, text)
    sentence = str(found.value)
    assert "\n" not in sentence
    return sentence


def without_last_line(saved: SavedGame) -> None:
    saved["log"].pop()


def one_more_line(saved: SavedGame) -> None:
    saved["log"].append(saved["log"][-1])


def lines_swapped(saved: SavedGame) -> None:
    saved["log"][0], saved["log"][1] = saved["log"][1], saved["log"][0]


def another_winner(saved: SavedGame) -> None:
    saved["winners"] = [1 - saved["winners"][0]]


def another_seed(saved: SavedGame) -> None:
    saved["fairness"]["seed"] = fairness.seed_for(1, 1).hex()


def another_seed_and_its_commitment(saved: SavedGame) -> None:
    another_seed(saved)
    saved["fairness"]["commitment"] = fairness.commitment(fairness.seed_for(1, 1))


def of_version(version: Any) -> Callable[[SavedGame], None]:
    def change(saved: SavedGame) -> None:
        saved["fairness"]["version"] = version

    change.__name__ = f"version={version!r}"
    return change


def put(key: str, value: Any) -> Callable[[SavedGame], None]:
    def change(saved: SavedGame) -> None:
        saved[key] = value

    change.__name__ = f"{key}={value!r}"
    return change


def put_line(number: int, line: Any) -> Callable[[SavedGame], None]:
    def change(saved: SavedGame) -> None:
        saved["log"][number - 1] = line

    change.__name__ = f"line {number}={line!r}"
    return change


FAULTS: list[tuple[Callable[[SavedGame], None], str]] = [
    (put("format", "tablee/2"), "this is not a record of format tablee/1"),
    (put("game", "chess"), "there is no game 'chess'; there are: "),
    (put("game", 7), "the record's game is missing or of the wrong kind"),
    (put("rules", 99), "this record was played by rules 99; these are rules 1"),
    (put("rules", True), "the record's rules is missing or of the wrong kind"),
    (put("seats", 99), "Rolling Village is for 1 to 12 players, not 99"),
    (put("seats", "2"), "the record's seats is missing or of the wrong kind"),
    (put("options", {"colour": 1}), "Rolling Village has no option 'colour'; it has: setup_types"),
    (put("options", {"setup_types": ["free"]}), "option setup_types cannot be ['free']; it is one of: different, free"),
    (put("options", None), "the record's options is missing or of the wrong kind"),
    (put("components", "0" * 64), "this record was played with another box: its components have the hash 000000000000"),
    (put("log", "- roll 1 1"), "the record's log is missing or of the wrong kind"),
    (put_line(2, 5), "the record's log is missing or of the wrong kind"),
    (put_line(2, "0 fly"), "line 2, '0 fly': 'fly' is not a move"),
    (put_line(2, "zero build house 1A"), "line 2, 'zero build house 1A': 'zero build house 1A' does not begin with a seat number"),
    (put_line(2, "7 build house 1A"), "line 2, '7 build house 1A': it is not your turn; waiting for seats 0 and 1"),
    (put_line(2, "0 avenue A"), "line 2, '0 avenue A': an avenue is picked only when"),
    (lines_swapped, "line 1, "),
    (without_last_line, "the record says scores "),
    (one_more_line, "the game is over"),
    (put("scores", [1000, 0]), "the record says scores [1000, 0], the log gives "),
    (another_winner, "the record says winners "),
    (put("won", True), "the record says won True, the log gives None"),
    (put("fairness", {"seed": "xyz", "commitment": ""}), "the seed is not a hexadecimal number"),
    (of_version(3), "the draws are of version 3, which is not known here; known: 1, 2"),
    (of_version(True), "the record's fairness.version is missing or of the wrong kind"),
    (of_version([2]), "the record's fairness.version is missing or of the wrong kind"),
    (of_version(1), "line 1: the seed draws "),
    (another_seed, "the seed does not match the commitment shown at the start"),
    (another_seed_and_its_commitment, "line 1: the seed draws "),
]


@pytest.mark.parametrize(("change", "sentence"), FAULTS, ids=[change.__name__ for change, _ in FAULTS])
def test_each_fault_is_one_sentence(change: Callable[[SavedGame], None], sentence: str) -> None:
    saved = played()
    change(saved)
    assert sentence in complaint(json.dumps(saved))


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", "[" * 100_000, "1" * 5000, '{"format": "tablee/1"}', "\x00"])
def test_what_is_no_record_at_all_is_said_too(text: str) -> None:
    assert complaint(text).startswith(("this is not JSON: ", "this is not a record of format", "the record's game is missing"))


@pytest.mark.parametrize("key", games.known())
def test_no_draw_can_be_left_out(key: str) -> None:
    """Each draw is removed in turn (a sample of a long log); the rest never verifies."""
    saved = played(key)
    draws = [number for number, line in enumerate(saved["log"]) if line[0] == "-"]
    for number in draws[:: max(1, len(draws) // 25)]:
        complaint(json.dumps({**saved, "log": saved["log"][:number] + saved["log"][number + 1 :]}))


@pytest.mark.parametrize("key", games.known())
def test_a_line_can_be_left_out_only_if_it_changed_no_draw_and_no_result(key: str) -> None:
    """Version 1 tied a draw to its line's position, so there no line before a draw can be left out."""
    old, saved = played(key, derivation=1), played(key)
    last = max(number for number, line in enumerate(old["log"]) if line[0] == "-")
    for number in range(0, last, max(1, len(old["log"]) // 25)):
        complaint(json.dumps({**old, "log": old["log"][:number] + old["log"][number + 1 :]}))
    for number in range(0, len(saved["log"]), max(1, len(saved["log"]) // 25)):
        left = saved["log"][:number] + saved["log"][number + 1 :]
        try:
            match = record.verify(games.find, json.dumps({**saved, "log": left})).match
        except TableeError:
            continue
        drawn = [line for line in saved["log"] if line[0] == "-"]
        assert match.outcome
        assert [line for line in match.lines() if line[0] == "-"] == drawn
        assert (list(match.outcome.scores), list(match.outcome.winners)) == (saved["scores"], saved["winners"])


@pytest.mark.parametrize("key", games.known())
def test_another_seed_would_have_drawn_otherwise(key: str) -> None:
    saved = played(key)
    another_seed_and_its_commitment(saved)
    assert "the seed draws " in complaint(json.dumps(saved))


@pytest.mark.parametrize("key", games.known())
def test_a_record_survives_being_written_and_read(key: str) -> None:
    saved = played(key)
    again = record.replay(games.find(key), record.parse(record.dump(saved)))
    assert record.write(again) == {**saved, "fairness": None}, "only the seed is not in the log"


@pytest.mark.parametrize("key", games.known())
def test_a_record_that_names_no_version_is_of_the_first(key: str) -> None:
    old = played(key, derivation=1)
    draws = record.verify(games.find, json.dumps(old)).draws
    assert draws == sum(line[0] == "-" for line in old["log"])
    assert old["fairness"].pop("version") == 1
    assert record.verify(games.find, json.dumps(old)).draws == draws
    assert record.replay(games.find(key), old).derivation == 1
    assert old["log"] != played(key)["log"]


@pytest.mark.parametrize("derivation", fairness.DERIVATIONS)
def test_a_draw_changed_by_hand_is_found_in_every_version(derivation: int) -> None:
    saved = played(derivation=derivation)
    last = max(number for number, line in enumerate(saved["log"]) if line[0] == "-")
    saved["log"] = [*saved["log"][:last], "- roll 1 1" if saved["log"][last] != "- roll 1 1" else "- roll 2 2"]
    assert f"line {last + 1}: the seed draws " in complaint(json.dumps(saved | {"scores": None, "winners": None}))


def test_without_a_seed_the_draws_are_not_checked() -> None:
    saved = played()
    saved["fairness"] = None
    assert record.verify(games.find, json.dumps(saved)).draws == 0


def test_a_game_still_being_played_gives_away_neither_seed_nor_result() -> None:
    match = Match(VILLAGE, 2, {}, fairness.seed_for(4, 1))
    match.play_nature()
    saved = record.write(match)
    assert saved["fairness"] == {"commitment": fairness.commitment(fairness.seed_for(4, 1)), "seed": None, "version": 2}
    assert saved["scores"] is None
    assert saved["winners"] is None
    assert record.verify(games.find, json.dumps(saved)).draws == 0


def test_the_fixed_keys_of_the_format() -> None:
    assert list(played()) == ["format", "game", "rules", "seats", "options", "components", "log", "scores", "winners", "fairness"]


def test_errors_of_a_record_are_record_errors() -> None:
    with pytest.raises(RecordError):
        record.parse("{}")


def taken_over(key: str, lines: int) -> Match:
    """Return a game forked after `lines` lines and played on with another seed."""
    begun = record.replay(games.find(key), played(key)).at(lines)
    return bots.play_out(begun.fork(fairness.seed_for(5, 1), "ab"), [bots.RANDOM] * begun.seats)


@pytest.mark.parametrize("key", games.known())
def test_a_game_that_was_taken_over_says_so_and_its_own_draws_are_checked(key: str) -> None:
    match = taken_over(key, 9)
    saved = record.write(match)
    assert saved["from"] == {"lines": 9, "table": "ab"}
    assert saved["log"][:9] == played(key)["log"][:9]
    verdict = record.verify(games.find, json.dumps(saved))
    assert verdict.draws == sum(line[0] == "-" for line in saved["log"][9:])
    assert verdict.match.origin == match.origin
    complaint(json.dumps({name: value for name, value in saved.items() if name != "from"}))
    another_seed_and_its_commitment(saved)
    assert "the seed draws " in complaint(json.dumps(saved))


def test_nobody_takes_back_what_was_taken_over() -> None:
    begun = Match.replay(VILLAGE, 2, {}, played()["log"][:2])
    seat = begun.log[1].seat
    assert begun.can_undo(seat)
    assert not begun.fork(fairness.seed_for(5, 1)).can_undo(seat)


@pytest.mark.parametrize(
    "claim",
    [
        7,
        {},
        {"lines": -1},
        {"lines": 10_000},
        {"lines": 2.0},
        {"lines": 2, "table": 3},
        {"lines": 2, "table": "x" * 17},
        {"lines": 2, "table": "<b>"},
    ],
)
def test_what_is_said_of_the_beginning_is_checked_too(claim: Any) -> None:
    assert "the record's from is missing or of the wrong kind" in complaint(json.dumps(played() | {"from": claim}))


def test_half_a_character_is_refused_wherever_it_stands() -> None:
    for wrong in ({"from": {"lines": 2, "table": "\ud800"}}, {"log": ["\udfff"]}, {"\ud83d": 1}, {"game": "\udc00"}):
        sentence = complaint(json.dumps(played() | wrong))
        assert "the record contains half a character" in sentence
        assert sentence.encode()
