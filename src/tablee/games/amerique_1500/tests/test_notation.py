"""Notation of moves, numbers inside and text outside; the table as text."""

from __future__ import annotations

import pytest

from tablee.core.errors import NotationError
from tablee.core.game import NATURE
from tablee.games.amerique_1500.tests.sample_games import GAME, act, begin, idle, random_play

MOVES = """explore; barter; cards; craft; done; take G; take S; give M; hand F; spare W; swap M>W; swap MF>W; swap WW>G;
    serve stew; make bow; make stone_house; play berries; play exchange 0; play exchange 3; first 3; roll 1; roll 6;
    request market; deal 0 maize; deal 3 exchange"""
NOT_MOVES = """Explore; explore 1; take; take X; take GG; swap M; swap M>; swap M>WW; swap MMM>W; swap M > W; serve; serve soup; make;
    make wheel; play; play whale; play exchange 4; play exchange -1; play berries  1; first 4; roll 0; roll 7; roll ١;
    request soup; deal maize; deal 4 maize; deal 0 whale; deal 0 ?"""


@pytest.mark.parametrize("text", [text.strip() for text in MOVES.split(";")])
def test_notation_round_trips(text: str) -> None:
    assert GAME.show(GAME.read(text)) == text


@pytest.mark.parametrize("text", ["", "done ", *(text.strip() for text in NOT_MOVES.split(";"))])
def test_what_is_not_a_move_is_refused_in_words(text: str) -> None:
    with pytest.raises(NotationError, match="is not a move; moves look like: barter, swap M>W"):
        GAME.read(text)


def test_r5_the_two_goods_of_a_pair_may_be_written_in_any_order() -> None:
    assert GAME.read("swap FM>W") == GAME.read("swap MF>W")
    assert GAME.show(GAME.read("swap FM>W")) == "swap MF>W"


def test_every_move_that_can_be_chosen_is_spelled_in_words() -> None:
    spell = GAME.describe
    assert spell is not None
    labels = {
        text: str(spell(GAME.read(text))) for text in ("explore", "take M", "swap C>G", "swap MF>W", "serve stew", "make bow", "done")
    }
    assert list(labels.values()) == [
        "Explore",
        "Meat",
        "1 crop for 1 gathering",
        "1 meat and 1 fish for 1 wood",
        "Great stew",
        "Bow and arrows",
        "That is all",
    ]
    assert str(spell(GAME.read("play exchange 2"))) == "Profitable exchange with: <2>", "the page puts a name there"
    for match in random_play(3, 4):
        assert all(str(spell(move)) for seat in match.to_act if seat != NATURE for move in match.legal(seat))


def test_the_table_in_characters() -> None:
    match = begin(hands=("berries forest forest", "hare nuts perch"), cooperative=True)
    act(match, 4, "craft", "make bow")
    idle(match, "2")
    seen = GAME.text_board(GAME.observe(match.state, None).state).splitlines()
    assert seen == DRAWN.splitlines()[1:]


DRAWN = """
round 2  die 2  special reserve GMFCWW
  pemmican    GGMM
  chowder     GGFF
  harvest     GGCC
  smoke       MMFF
  stew        MMCC
seat 0: iroquois, last action craft
    goods  CWS
    discs  0 on requests, 1 free
    items  [bow]  basket W  hoe WS  axe WS
    hand   3 cards
seat 1: algonquiens, last action explore
    goods  GWW
    discs  0 on requests, 0 free
    items  bow W  basket W  axe WS  harpoon WS
    hand   5 cards"""
