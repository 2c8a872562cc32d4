"""A record is checked against itself: whatever a hand may have changed in it is found, and told in one sentence."""

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
Kept = dict[str, Any]


def played(key: str = "rolling-village", seats: int = 2) -> Kept:
    game = games.find(key)
    match = Match(game, max(seats, game.seats[0]), {}, fairness.seed_for(4, 1))
    return record.write(bots.play_out(match, [bots.play_random] * match.seats))


def complaint(text: str) -> str:
    with pytest.raises(TableeError) as found:
        record.verify(games.find, text)
    sentence = str(found.value)
    assert "\n" not in sentence
    return sentence


def without_last_line(kept: Kept) -> None:
    kept["log"].pop()


def one_more_line(kept: Kept) -> None:
    kept["log"].append(kept["log"][-1])


def lines_swapped(kept: Kept) -> None:
    kept["log"][0], kept["log"][1] = kept["log"][1], kept["log"][0]


def another_winner(kept: Kept) -> None:
    kept["winners"] = [1 - kept["winners"][0]]


def another_seed(kept: Kept) -> None:
    kept["fairness"]["seed"] = fairness.seed_for(1, 1).hex()


def another_seed_and_its_commitment(kept: Kept) -> None:
    another_seed(kept)
    kept["fairness"]["commitment"] = fairness.commitment(fairness.seed_for(1, 1))


def put(key: str, value: Any) -> Callable[[Kept], None]:
    def change(kept: Kept) -> None:
        kept[key] = value

    change.__name__ = f"{key}={value!r}"
    return change


def put_line(number: int, line: Any) -> Callable[[Kept], None]:
    def change(kept: Kept) -> None:
        kept["log"][number - 1] = line

    change.__name__ = f"line {number}={line!r}"
    return change


FAULTS: list[tuple[Callable[[Kept], None], str]] = [
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
    (put_line(2, "7 build house 1A"), "line 2, '7 build house 1A': it is not your turn; awaited: seat 0, 1"),
    (put_line(2, "0 avenue A"), "line 2, '0 avenue A': an avenue is picked only when"),
    (lines_swapped, "line 1, "),
    (without_last_line, "the record says scores "),
    (one_more_line, "the game is over"),
    (put("scores", [1000, 0]), "the record says scores [1000, 0], the log gives "),
    (another_winner, "the record says winners "),
    (put("won", True), "the record says won True, the log gives None"),
    (put("fairness", {"seed": "xyz", "commitment": ""}), "the seed is not a hexadecimal number"),
    (another_seed, "the seed does not match the commitment shown at the start"),
    (another_seed_and_its_commitment, "line 1: the seed draws "),
]


@pytest.mark.parametrize(("change", "sentence"), FAULTS, ids=[change.__name__ for change, _ in FAULTS])
def test_each_fault_is_one_sentence(change: Callable[[Kept], None], sentence: str) -> None:
    kept = played()
    change(kept)
    assert sentence in complaint(json.dumps(kept))


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", "[" * 100_000, "1" * 5000, '{"format": "tablee/1"}', "\x00"])
def test_what_is_no_record_at_all_is_said_too(text: str) -> None:
    assert complaint(text).startswith(("this is not JSON: ", "this is not a record of format", "the record's game is missing"))


@pytest.mark.parametrize("key", games.known())
def test_no_line_of_a_log_can_be_left_out(key: str) -> None:
    """Each line is removed in turn (of a long log some): what is left never verifies."""
    kept = played(key)
    lines = kept["log"]
    for number in range(0, len(lines), max(1, len(lines) // 25)):
        complaint(json.dumps({**kept, "log": lines[:number] + lines[number + 1 :]}))


@pytest.mark.parametrize("key", games.known())
def test_another_seed_would_have_drawn_otherwise(key: str) -> None:
    kept = played(key)
    another_seed_and_its_commitment(kept)
    assert "the seed draws " in complaint(json.dumps(kept))


@pytest.mark.parametrize("key", games.known())
def test_a_record_survives_being_written_and_read(key: str) -> None:
    kept = played(key)
    again = record.replay(games.find(key), record.parse(record.dump(kept)))
    assert record.write(again) == {**kept, "fairness": None}, "only the seed is not in the log"


def test_without_a_seed_the_draws_are_not_checked() -> None:
    kept = played()
    kept["fairness"] = None
    assert record.verify(games.find, json.dumps(kept)).draws == 0


def test_a_game_still_being_played_gives_away_neither_seed_nor_result() -> None:
    match = Match(VILLAGE, 2, {}, fairness.seed_for(4, 1))
    match.play_nature()
    kept = record.write(match)
    assert kept["fairness"] == {"commitment": fairness.commitment(fairness.seed_for(4, 1)), "seed": None}
    assert kept["scores"] is None
    assert kept["winners"] is None
    assert record.verify(games.find, json.dumps(kept)).draws == 0


def test_the_fixed_keys_of_the_format() -> None:
    assert list(played()) == ["format", "game", "rules", "seats", "options", "components", "log", "scores", "winners", "fairness"]


def test_errors_of_a_record_are_record_errors() -> None:
    with pytest.raises(RecordError):
        record.parse("{}")
