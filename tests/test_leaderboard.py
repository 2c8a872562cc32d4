"""`bench/leaderboard.py`: one row for each bot, by the same figures as `tablee arena` and `tablee simulate`."""

from __future__ import annotations

import json

import pytest

from bench import leaderboard
from tablee.arena import LOCAL_EXECUTOR
from tablee.cli import main


def test_a_row_says_what_simulate_and_the_arena_say(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(leaderboard, "TABLES", ("rolling-village",))
    bot, alone, share, adjusted = leaderboard.row("easy", 6, 2, LOCAL_EXECUTOR)
    assert leaderboard.row("greedy", 6, 2, LOCAL_EXECUTOR)[2:] == ["", ""], "nobody is compared with itself"
    assert main(["simulate", "rolling-village", "--seats", "1", "--bots", "easy", "--games", "6", "--seed", "2", "--json"]) == 0
    assert alone.startswith(f"{json.loads(capsys.readouterr().out)['mean_scores'][0]:.1f} (")
    assert main(["arena", "rolling-village", "--bots", "easy,greedy", "--games", "6", "--seed", "2", "--luck", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["bots"][0]
    assert (bot, found["games"]) == ("`easy`", 6)
    assert share.startswith(f"{100 * found['share']:.1f} % (")
    assert adjusted.startswith(f"{100 * found['adjusted_share']:.1f} % (")
    assert found["adjusted_share"] < 0.5
