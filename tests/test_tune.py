"""`tablee tune` prints settings to copy, found on games that anybody can repeat."""

from __future__ import annotations

import json

import pytest

from tablee import games
from tablee.arena.tuning import Tuning
from tablee.bots.search import Search
from tablee.cli import main
from tablee.core.game import Game, Move, Observation
from tablee.core.rng import Rng


def test_the_same_seed_gives_the_same_settings_and_their_figures(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["tune", "dice-race", "--games", "4", "--nodes", "60", "--json"]
    printed = []
    for _ in range(2):
        assert main(command) == 0
        printed.append(json.loads(capsys.readouterr().out))
    assert printed[0] == printed[1]
    assert set(printed[0]["settings"]) == {"ROLLOUT_LINES", "CANDIDATES", "ROLLOUT_BEAM", "PRIOR_ROLLOUTS"}
    assert printed[0]["against_greedy"]["games"] == 16
    assert (printed[0]["against_present"] is None) == (printed[0]["settings"] == Tuning(games.find("dice-race"), 2, {}, 4, 60, 1).start())


def first_move(game: Game, seen: Observation, _: Rng) -> Move:
    assert seen.seat is not None
    return game.legal(seen.state, seen.seat)[0]


def test_the_value_that_wins_most_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The value 8 stands for a bot that searches, 1 for one that always plays its first move."""
    game = games.find("dice-race")
    tuning = Tuning(game, 2, {}, games=20, nodes=60, seed=1, tried={"CANDIDATES": (1,)})
    searches = {8: Search(nodes=400), 1: first_move}
    monkeypatch.setattr(Tuning, "_search", lambda _, settings: searches[settings["CANDIDATES"]])
    ((name, shares, best),) = tuning.rounds()
    assert name == "CANDIDATES"
    assert shares[8] > shares[1]
    assert best == {"CANDIDATES": 8}


@pytest.mark.parametrize(("share", "advised"), [(0.4, False), (0.6, True)])
def test_settings_that_win_by_luck_are_not_advised(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], share: float, advised: bool
) -> None:
    pair = {"share": share + 0.1, "low": share, "high": share + 0.2, "games": 100}
    monkeypatch.setattr(Tuning, "rounds", lambda _: iter([("CANDIDATES", {8: 0.4, 4: 0.6}, {"CANDIDATES": 4})]))
    monkeypatch.setattr(Tuning, "_duel", lambda *_: pair)
    assert main(["tune", "dice-race"]) == 0
    assert ("leave them" not in capsys.readouterr().out) == advised
