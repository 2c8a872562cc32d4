"""`tablee play`: what a player types, what the terminal shows, and what stays hidden."""

from __future__ import annotations

import io
import re
import sys

import pytest

from tablee import games
from tablee.cli import main
from tablee.core import fairness
from tablee.core.game import Seat
from tablee.core.match import Match

GAME = "rolling-village"
Printed = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def an_english_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")


def answer(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


@pytest.mark.parametrize("key", games.known())
def test_a_whole_game_is_played_in_the_terminal(key: str, capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, *["1"] * 600)
    assert main(["play", key, "--bots", "random", "--seed", "1"]) == 0
    output = capsys.readouterr().out
    assert "the game is not over" not in output
    assert "the seed was " in output


def test_play_understands_numbers_moves_and_beginnings(capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, "?", "build h", "build house 5B", "build park 1A", "fly", "", "undo", "undo", "99", "3", "q", "n", "q", "y")
    assert main(["play", GAME, "--seed", "76"]) == 0
    output = capsys.readouterr().out
    for expected in (
        "30 moves; type how one begins: build forest, build house, build lake",
        "the rules: tablee rules rolling-village",
        " 4 build house 5B",
        "seat 0: you, seat 1: greedy\n",
        "you     draws a House on 5B",
        "no Park during set-up (V4)",
        "'fly' is not a move",
        "there is nothing to undo",
        "you     draws a House on 1B",
        "leave this game?",
        "the game is not over: line 2",
    ):
        assert expected in output


def test_the_end_of_the_input_ends_the_game(capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, "1")
    assert main(["play", GAME, "--seats", "1"]) == 0
    assert "the game is not over: line 2" in capsys.readouterr().out


@pytest.mark.parametrize("key", games.known())
def test_play_shows_only_what_seat_0_may_know(key: str, capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.find(key)
    first = {"first": 0} if any(option.key == "first" for option in game.options) else {}
    match = Match(game, 2, first, fairness.seed_for(3, 1))
    match.play_nature()
    answer(monkeypatch)
    assert main(["play", key, "--seats", "2", "--seed", "3", *[f"--option={name}={value}" for name, value in first.items()]]) == 0
    output = capsys.readouterr().out
    assert game.text_board(game.observe(match.state, Seat(0)).state) in output
    assert not game.secrets or game.text_board(match.state) not in output


def test_seats_are_told_by_their_names(capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, *["1"] * 600)
    assert main(["play", GAME, "--seats", "4", "--bots", "random,random,greedy", "--seed", "2"]) == 0
    output = capsys.readouterr().out
    assert output.startswith("seat 0: you, seat 1: random 1, seat 2: random 2, seat 3: greedy\n")
    assert re.search("^random 1  draws a ", output, re.MULTILINE)
    assert re.search("^greedy    draws a ", output, re.MULTILINE)
    assert re.search("^winner: (you|random 1|random 2|greedy)\\nyou: \\d+, random 1: ", output, re.MULTILINE)
    assert not re.search("^[0-3]  ", output, re.MULTILINE)
