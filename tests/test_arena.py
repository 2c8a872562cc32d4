"""Tournaments: pairings, figures, ratings, resuming after an interruption, and the picture of the ladder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tablee import games
from tablee.arena import Results, Tournament, plan_runner, standings
from tablee.arena.ladder import ladder
from tablee.arena.rating import ratings
from tablee.arena.tally import interval_of_mean, interval_of_share
from tablee.arena.tournament import rotations, sets
from tablee.cli import main
from tablee.core.i18n import LANGUAGES, Translator
from tests.rounds import rounds

GAME = "rolling-village"
Printed = pytest.CaptureFixture[str]


def tournament(names: list[str], seats: int = 2, count: int = 4) -> Tournament:
    return Tournament.of(games.find(GAME), seats, names, {}, seed=3, games=count)


def arena(capsys: Printed, *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["arena", GAME, "--json", *arguments]) == 0
    printed = capsys.readouterr()
    assert printed.err == "", "the bar is for terminals"
    found: dict[str, Any] = json.loads(printed.out)
    return found


def test_every_set_of_bots_that_a_table_can_seat() -> None:
    assert sets(["a", "b", "c"], 2) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert sets(["a", "b", "c", "d"], 3) == [("a", "b", "c"), ("a", "b", "d"), ("a", "c", "d"), ("b", "c", "d")]
    assert sets(["a", "b"], 3) == [("a", "b", "a"), ("b", "a", "b")], "a short list repeats, and each bot sits equally often"
    assert sets(["a", "b"], 4) == [("a", "b", "a", "b")]
    assert sets(["a", "b", "b", "b"], 4) == [("a", "b", "b", "b")], "one against three of a kind"
    assert sets(["a", "b", "b"], 2) == [("a", "b")], "nobody is compared with itself"
    assert sets(["a"], 2) == sets(["a", "b"], 1) == []


def test_every_rotation_of_the_seats_once() -> None:
    assert rotations(("a", "b")) == [("a", "b"), ("b", "a")]
    assert rotations(("a", "b", "c")) == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]
    assert rotations(("a", "b", "a", "b")) == [("a", "b", "a", "b"), ("b", "a", "b", "a")]


def test_all_seatings_of_a_set_play_the_same_seeds_equally_often() -> None:
    for names, seats in ((["greedy", "random"], 2), (["greedy", "random"], 4), (["greedy", "random", "search:nodes=5"], 3)):
        found = tournament(names, seats, 7)
        assert found.games == -(-7 // seats) * seats
        played: dict[int, list[int]] = {}
        for chunk in found.chunks:
            played.setdefault(chunk.plan_index, []).extend(chunk.numbers)
        assert list(played) == list(range(len(found.plans)))
        assert len({tuple(numbers) for numbers in played.values()}) == 1
        assert {plan.seed for plan in found.plans} == {3}
        assert found.total == found.games * len(found.plans) // len(rotations(found.plans[0].bots))


def test_a_small_tournament(capsys: Printed) -> None:
    found = arena(capsys, "--bots", "random,greedy", "--games", "60", "--seed", "4")
    assert {key: found[key] for key in ("game", "seats", "games", "seed", "options")} == {
        "game": GAME, "seats": 2, "games": 60, "seed": 4, "options": {"setup_types": "different"}
    }  # fmt: skip
    assert list(found) == ["game", "seats", "games", "seed", "options", "bots", "pairs"]
    weak, strong = found["bots"]
    assert list(weak) == ["bot", "games", "wins", "share", "low", "high", "mean_score", "rating"]
    assert (weak["bot"], weak["games"], strong["bot"], strong["games"]) == ("random", 60, "greedy", 60)
    assert weak["share"] + strong["share"] == pytest.approx(1)
    assert weak["rating"] == 0 < strong["rating"]
    for bot in found["bots"]:
        assert [bot["low"], bot["high"]] == interval_of_share(bot["share"], 60)
    (pair,) = found["pairs"]
    assert list(pair) == [
        "first", "second", "games", "share", "low", "high", "mean_difference", "difference_low", "difference_high"
    ]  # fmt: skip
    assert (pair["first"], pair["second"], pair["games"], pair["share"]) == ("random", "greedy", 60, weak["share"])
    assert pair["mean_difference"] == pytest.approx(weak["mean_score"] - strong["mean_score"], abs=1e-3)
    assert pair["difference_low"] < pair["mean_difference"] < pair["difference_high"] < 0


@pytest.mark.parametrize("key", games.known())
def test_greedy_is_rated_above_random_at_every_table(key: str) -> None:
    game = games.find(key)
    for seats in {2, game.seats[-1]}:
        found = Tournament.of(game, seats, ["greedy", "random"], {}, seed=1, games=24)
        strong, weak = standings(found, dict(found.play()))["bots"]
        assert strong["rating"] > weak["rating"] == 0
        assert strong["share"] > weak["share"]


def results(scores: list[list[int]], winners: list[int]) -> Results:
    return Results(np.array(scores), np.array(winners), np.array([9] * len(winners)), together=False)


def test_a_shared_win_is_a_part_and_the_seeds_are_the_witnesses() -> None:
    """Two seeds in both seatings, counted by hand."""
    found = tournament(["greedy", "random"])
    here = results([[30, 10], [20, 20]], [0b01, 0b11])  # greedy first
    there = results([[12, 14], [9, 25]], [0b10, 0b10])
    figures = standings(found, dict(zip(found.chunks, (here, there), strict=True)))
    greedy, random = figures["bots"]
    assert (greedy["games"], greedy["wins"], greedy["share"]) == (4, 4, 0.875)
    assert (random["games"], random["wins"], random["share"]) == (4, 1, 0.125)
    assert (greedy["mean_score"], random["mean_score"]) == (22.25, 12.75)
    (pair,) = figures["pairs"]
    assert (pair["share"], pair["mean_difference"]) == (0.875, 9.5)
    assert [pair["difference_low"], pair["difference_high"]] == interval_of_mean([(20 + 2) / 2, (0 + 16) / 2])
    assert greedy["rating"] == pytest.approx(400 * np.log10(4 / 1), abs=0.1), "3.5 to 0.5, and one more game that is shared"


def test_one_against_three_is_counted_by_seats_and_compared_by_games() -> None:
    found = tournament(["greedy", "random", "random", "random"], 4, 4)
    one = results([[50, 40, 60, 30]], [0b0100])  # greedy in seat 0: behind one, ahead of two
    others = [results([[0, 0, 0, 9]], [0b1000]), results([[0, 0, 9, 0]], [0b0100]), results([[0, 9, 0, 0]], [0b0010])]
    assert [plan.bots.index("greedy") for plan in found.plans] == [0, 3, 2, 1]
    figures = standings(found, dict(zip(found.chunks, [one, *others], strict=True)))
    greedy, random = figures["bots"]
    assert (greedy["games"], greedy["wins"], random["games"], random["wins"]) == (4, 3, 12, 1)
    assert figures["pairs"][0]["games"] == 4
    assert figures["pairs"][0]["share"] == pytest.approx((2 / 3 + 3) / 4, abs=1e-6)


def test_ratings_are_on_one_scale() -> None:
    assert ratings(["a", "b"], np.array([[0, 9.5], [0.5, 0]])) == [400, 0]
    assert ratings(["random", "b"], np.array([[0, 9.5], [0.5, 0]])) == [0, -400], "random is the ground, even if it is not the weakest"
    chain = ratings(["a", "b", "c"], np.array([[0, 99.5, 99.5], [0.5, 0, 99.5], [0.5, 0.5, 0]]))
    assert chain[0] > chain[1] > chain[2] == 0
    assert ratings(["a", "b"], np.array([[0, 10**6], [0, 0]]))[0] < 3000, "who never lost is not infinitely strong"


def test_the_jobs_change_nothing(capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_runner, "CHUNK_SIZE", 2)
    wanted = ("--bots", "random,search:nodes=1,greedy", "--games", "4")
    alone = arena(capsys, *wanted)
    assert arena(capsys, *wanted, "--jobs", "2") == alone
    assert [bot["games"] for bot in alone["bots"]] == [8, 8, 8]


WANTED = ("--bots", "search:nodes=5,greedy", "--games", "20", "--seed", "6")
# Runs a command that plays four chunks and then waits for its end.
STOPPING = """
import itertools, sys, time
from tablee.arena import ResultsFile
from tablee.cli import main
append, number = ResultsFile.append, itertools.count(1)
def append_and_stop(*line):
    append(*line)
    if next(number) == 4:
        time.sleep(600)
ResultsFile.append = append_and_stop
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def uninterrupted() -> dict[str, Any]:
    found = Tournament.of(games.find(GAME), 2, ["search:nodes=5", "greedy"], {}, seed=6, games=20)
    return standings(found, dict(found.play()))


@pytest.mark.parametrize(
    ("stop", "jobs"),
    rounds(
        few=[(signal.SIGINT, "2"), (signal.SIGKILL, "1")],
        many=[(stop, jobs) for stop in (signal.SIGINT, signal.SIGKILL) for jobs in "12"],
    ),
)
def test_an_interrupted_tournament_goes_on_where_it_stopped(
    stop: signal.Signals, jobs: str, uninterrupted: dict[str, Any], capsys: Printed, tmp_path: Path
) -> None:
    results_file = tmp_path / "results.jsonl"
    command = [sys.executable, "-c", STOPPING, "arena", GAME, *WANTED, "--resume", str(results_file), "--jobs", jobs]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        while running.poll() is None and not (results_file.exists() and results_file.read_bytes().count(b"\n") == 5):
            time.sleep(0.005)
        running.send_signal(stop)
        output, errors = running.communicate(timeout=60)  # surviving workers would hold these pipes open
    assert running.returncode == (130 if stop == signal.SIGINT else -signal.SIGKILL)
    assert output == b""
    assert stop == signal.SIGKILL or errors == b"", "Python itself may speak of a killed process"
    before = results_file.read_bytes()
    assert before.count(b"\n") == 5
    results_file.write_bytes(before + b'{"seating": 1, "first": 9, "sco')  # a torn line
    assert arena(capsys, *WANTED, "--resume", str(results_file), "--jobs", jobs) == uninterrupted
    after = results_file.read_bytes()
    assert after.startswith(before[: before.rindex(b"\n") + 1])
    assert after.count(b"\n") == 21
    assert arena(capsys, *WANTED, "--resume", str(results_file)) == uninterrupted, "all is known"
    assert results_file.read_bytes() == after


@pytest.mark.parametrize(
    "other", [("--seed", "2"), ("--games", "6"), ("--bots", "random,greedy"), ("--seats", "3"), ("--option", "setup_types=free")]
)
def test_another_tournament_is_refused(other: tuple[str, ...], capsys: Printed, tmp_path: Path) -> None:
    results_file = tmp_path / "results.jsonl"
    arena(capsys, "--games", "4", "--resume", str(results_file))
    before = results_file.read_bytes()
    assert main(["arena", GAME, "--games", "4", "--resume", str(results_file), *other]) == 2
    assert capsys.readouterr().err == f"tablee: {results_file} belongs to another tournament, or to none\n"
    assert results_file.read_bytes() == before


@pytest.mark.parametrize(
    "line",
    ["nonsense", "[]", "{}", '{"seating": 0, "first": 1}', '{"seating": 7, "first": 1, "scores": [[1, 2]], "winners": [1], "lines": [3]}',
     '{"seating": 0, "first": 1, "scores": [[1], [2]], "winners": [1, 1], "lines": [3, 3]}',
     '{"seating": [], "first": 1, "scores": [[1, 1], [2, 2]], "winners": [1, 1], "lines": [3, 3]}',
     '{"seating": 0, "first": "x", "scores": [[1, 1], [2, 2]], "winners": [1, 1], "lines": [3, 3]}',
     '{"seating": 0, "first": 1, "scores": [[1, 1], [2, 2]], "winners": [1, 1], "lines": 3}'],
)  # fmt: skip
def test_a_damaged_line_is_named_and_an_unfinished_one_is_no_matter(line: str, capsys: Printed, tmp_path: Path) -> None:
    results_file = tmp_path / "results.jsonl"
    wanted = ("--games", "4", "--resume", str(results_file))
    figures = arena(capsys, *wanted)
    head, first, second = results_file.read_text(encoding="utf-8").splitlines(keepends=True)
    results_file.write_text(head + line + "\n" + second, encoding="utf-8")
    assert main(["arena", GAME, *wanted]) == 2
    assert capsys.readouterr().err == f"tablee: line 2 of {results_file} is damaged\n"
    results_file.write_text(head + second + line, encoding="utf-8")
    assert arena(capsys, *wanted) == figures
    assert results_file.read_text(encoding="utf-8") == head + second + first


@pytest.mark.parametrize("text", ["a letter to my aunt", "a letter\n", "\n"])
def test_a_file_of_somebody_else_is_left_alone(text: str, capsys: Printed, tmp_path: Path) -> None:
    letter = tmp_path / "letter"
    letter.write_text(text, encoding="utf-8")
    assert main(["arena", GAME, "--games", "2", "--resume", str(letter)]) == 2
    assert "belongs to another tournament, or to none" in capsys.readouterr().err
    assert letter.read_text(encoding="utf-8") == text
    letter.write_text("", encoding="utf-8")
    assert arena(capsys, "--games", "2", "--resume", str(letter))["games"] == 2


def test_people_read_a_table(capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["arena", GAME, "--bots", "random,greedy", "--games", "20", "--lang", "it"]) == 0
    head, titles, best, worst, empty, pairs, pair = capsys.readouterr().out.splitlines()
    assert head == "rolling-village, posti: 2, partite per gruppo di bot: 20, in tutto: 20"
    assert titles.split() == ["bot", "livello", "partite", "vittorie", "quota", "delle", "vittorie", "punteggio", "medio"]
    assert (best.split()[0], worst.split()[:2], empty) == ("greedy", ["random", "0"], "")
    assert pairs.startswith("coppia")
    assert pair.startswith("random - greedy  20 ")


def picture(names: list[str], language: str = "en") -> ET.Element:
    found = tournament(names)
    drawn = ladder(standings(found, dict(found.play())), games.find(GAME), Translator(language))
    return ET.fromstring(drawn)


def test_the_ladder_shows_every_bot_with_its_interval_best_first() -> None:
    drawn = picture(["random", "greedy", "search:nodes=5"])
    texts = [str(each.text) for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert set(texts) >= {"random", "greedy", "search:nodes=5", "Rolling Village"}
    assert texts.index("greedy") < texts.index("random")
    assert [each.get("class") for each in drawn.iter()].count("bar") == 3
    assert [each.get("class") for each in drawn.iter()].count("interval") == 3


def test_the_ladder_is_read_by_day_and_by_night_in_three_languages() -> None:
    drawn = {language: ET.tostring(picture(["random", "greedy"], language), encoding="unicode") for language in LANGUAGES}
    assert len(set(drawn.values())) == 3
    assert "l'échelle des robots" in drawn["fr"]
    for text in drawn.values():
        assert "color-scheme: light dark" in text
        assert text.count("light-dark(") >= 6


def test_the_picture_is_written_beside_the_figures(capsys: Printed, tmp_path: Path) -> None:
    file = tmp_path / "ladder.svg"
    arena(capsys, "--games", "4", "--picture", str(file))
    assert ET.parse(file).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert os.listdir(tmp_path) == ["ladder.svg"]
