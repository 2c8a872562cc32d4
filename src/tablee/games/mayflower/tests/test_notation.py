"""Notation: moves as integers and as text, and the text is exactly the documented one."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablee.core.errors import NotationError
from tablee.games.mayflower.compass import cell_at, column_of, row_of
from tablee.games.mayflower.tests.sample_games import GAME, play_line, random_play, two_towns_wait, view

MOVES = """pass; settle road N; settle road W; settle town E; settle plain Nl; settle plain Wt; settle farm; score road S; score town N;
    score farm 2,4; score farm 1,-3; first 0; first 4; draw K; draw AX; lay 1,3 2; lay 12,-7 0; lay 1,10 3; lay 0,3 1"""


@pytest.mark.parametrize("text", [text.strip() for text in MOVES.split(";")])
def test_notation_round_trips(text: str) -> None:
    assert GAME.show(GAME.read(text)) == text


NOT_MOVES = """lay 1,3; lay 1,3 4; lay 1,3  2; lay -1,3 0; lay 01,3 0; lay 1,+3 0; lay 1,-0 0; lay 1,300 0; lay 500,1 0; settle road X;
    settle plain Ns; settle plain Nt; settle farm 1,3; score farm; score plain Nl; draw; draw ZZ; draw k; first 5; first -1; Pass; settle;
    lay ١,3 0"""


@pytest.mark.parametrize("text", ["", "pass ", *(text.strip() for text in NOT_MOVES.split(";"))])
def test_what_is_not_a_move_is_refused_in_words(text: str) -> None:
    with pytest.raises(NotationError, match="is not a move; moves look like: lay 1,3 2"):
        GAME.read(text)


@settings(max_examples=200, deadline=None)
@given(column=st.integers(0, 120), row=st.integers(-119, 129))
def test_r1_a_cell_is_one_number(column: int, row: int) -> None:
    cell = cell_at(column, row)
    assert (column_of(cell), row_of(cell)) == (column, row)


def test_legal_moves_come_by_column_row_and_turns() -> None:
    for match in random_play(3, 21):
        lays = (
            [text.split()[1:] for text in (GAME.show(move) for move in match.legal(match.to_act[0])) if text.startswith("lay")]
            if match.to_act
            else []
        )
        order = [(*(int(part) for part in cell.split(",")), int(turns)) for cell, turns in lays]
        assert order == sorted(order)


def test_the_view_is_json_for_every_phase() -> None:
    waiting = two_towns_wait()
    play_line(waiting, "0 pass")
    phases = {json.loads(json.dumps(view(waiting)))["phase"]}
    for number, match in enumerate(random_play(4, 33)):
        if number % 10 == 0 or match.over:
            phases.add(json.loads(json.dumps(view(match)))["phase"])
    assert phases == {"first", "draw", "lay", "settle", "score", "over"}
