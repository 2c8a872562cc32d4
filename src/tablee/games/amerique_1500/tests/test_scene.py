"""Template data besides the view: goods laid out, costs compared with a stock, and a draft as steps to draw."""

from __future__ import annotations

from tablee import games
from tablee.games.amerique_1500 import ending, scene
from tablee.games.amerique_1500.state import State

GAME = games.find("amerique-1500")
STAGE, BOX = scene.SceneBuilder(GAME.components), GAME.kernel.box


def test_a20_large_amounts_lie_as_fives_threes_and_ones() -> None:
    assert [scene.stacks(count) for count in (0, 2, 3, 4, 9, 12)] == [[], [1, 1], [3], [3, 1], [5, 3, 1], [5, 5, 1, 1]]
    assert all(sum(scene.stacks(count)) == count for count in range(60))


def test_a_cost_shows_what_is_still_missing() -> None:
    assert scene.marked("MMCC", "MC") == [("M", True), ("M", False), ("C", True), ("C", False)]
    assert scene.cost_marks("MMC", "MMC", "M") == [("M", ""), ("M", "brought"), ("C", "")]
    assert scene.cost_marks("MMC", "M", "M") == [("M", "brought"), ("M", "lacking"), ("C", "lacking")]
    assert scene.lacking("GGMF", "GGGF") == "M"
    assert scene.lacking("WS", "WWSS") == ""


def test_goods_are_read_aloud_one_by_one_and_several() -> None:
    assert [str(scene.good_text(letter, count)) for letter, count in scene.counts("WMMM")] == ["3 meat", "1 wood"]


def test_a8_the_tray_knows_the_goods_from_which_the_barter_began() -> None:
    assert scene.before_swaps(["take G", "barter", "swap M>W", "swap FM>W"], "GWWW") == "GMMFW"


def test_a8_a15_r10_the_tray_is_told_what_balances_it_and_what_a_good_shuts() -> None:
    game = games.find("amerique-1500")
    for version, price in (("quick", 1), ("full", 2)):
        state = game.setup(2, {"game": version, "cooperative": False, "societies": "incas-inuits-iroquois-algonquiens", "first": 0})
        tray = game.scene(game.view(game.observe(state, None)))["client"]["tray"]
        assert tray == {"goods": "GMFCWS", "prices": [price, price], "shuts": {"take": "own", "give": "reserve"}}


def test_a12_the_goods_chosen_last_fill_the_slots() -> None:
    assert scene.chosen(["take S", "cards", "play feast", "take M", "take W"], "take") == "MW"
    assert scene.chosen(["cards", "play feast"], "take") == ""


def test_a_draft_is_a_row_of_pictures_and_goods() -> None:
    steps = scene.plan(["cards", "play exchange 2", "hand M", "hand W", "take F", "take F", "play berries", "done", "serve stew"])
    assert [(step["family"], step["key"], step["paid"], step["gained"]) for step in steps] == [
        ("action", "cards", "", ""),
        ("card", "exchange", "", ""),
        ("", "", "MW", "FF"),
        ("card", "berries", "", ""),
        ("request", "stew", "", ""),
    ]
    assert scene.plan(["barter", "swap FM>W", "swap SS>W"])[1:] == [{"family": "", "key": "", "paid": "FMSS", "gained": "WW"}]


def test_r2_a_hunt_names_the_weapons_of_the_own_board() -> None:
    tools = {"bow": "M", "spear": "MMM"}
    assert scene.weapons(tools, [{"key": "basket"}, {"key": "spear"}]) == ["spear"]
    assert scene.weapons(tools, [{"key": "basket"}]) == ["bow", "spear"]


def test_a11_a_tool_says_which_cards_of_the_deck_it_helps() -> None:
    assert STAGE.helps("iroquois", "axe") == [("forest", "WWW")]
    assert STAGE.helps("iroquois", "kayak") == []


def at_the_end(*players: tuple[int, int], together: bool = False) -> State:
    """Return a state with these discs and goods of each seat."""
    state = State()
    state.seats, state.together = len(players), int(together)
    for seat, (discs, goods) in enumerate(players):
        state.placed[seat], state.goods[seat, 0] = (1 << discs) - 1, goods
    return state


def test_a10_the_end_ranks_discs_before_goods_and_says_what_decided() -> None:
    state = at_the_end((3, 1), (2, 9), (3, 6), (2, 9))
    assert ending.ranking(BOX, state) == [(2, 1), (0, 2), (1, 3), (3, 3)]
    assert ending.deciding_goods(BOX, state) == [6, 1]
    assert ending.deciding_goods(BOX, at_the_end((3, 1), (2, 9))) == [], "nobody else had the discs"
    assert ending.deciding_goods(BOX, at_the_end((3, 4), (3, 4))) == [], "nothing decided: they share the win"


def test_a19_a_team_is_not_ranked() -> None:
    state = at_the_end((1, 1), (4, 9), together=True)
    assert [seat for seat, _ in ending.ranking(BOX, state)] == [0, 1]
    assert ending.deciding_goods(BOX, state) == []


def test_a10_the_last_round_is_announced_once_somebody_has_the_discs() -> None:
    assert ending.is_last_round(at_the_end((3, 0), (0, 0)))
    assert not ending.is_last_round(at_the_end((2, 0), (0, 0)))
    assert not ending.is_last_round(at_the_end((3, 0), (0, 0), together=True)), "a team wins at once (R7)"
