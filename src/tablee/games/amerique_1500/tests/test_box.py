"""Box loader: an unplayable box, as an owner may write it, is refused, and the refusal names the line and the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablee import games
from tablee.core import components
from tablee.core.components import Components
from tablee.core.errors import ComponentsError
from tablee.core.i18n import Translator
from tablee.games.amerique_1500.loading import load_pieces
from tablee.games.amerique_1500.tests.sample_games import BOX, GAME
from tablee.server.view.rendering import box_page

FAULTS = [
    ('2 = { all = true, goods = "W" }', '2 = { all = 1, goods = "W" }', 11, "2: all must be true or false"),
    ('2 = { all = true, goods = "W" }', '2 = { all = true, goods = "X" }', 11, "2: 'X' is not a list of goods such as WWG"),
    ('2 = { all = true, goods = "W" }', "2 = { all = true, wood = 1 }", 11, "2 has no 'wood'; it may have: all, goods, cards, food"),
    ('2 = { all = true, goods = "W" }', "2 = 5", 11, "2 must be written as { ... }"),
    ('2 = { all = true, goods = "W" }\n', "", 9, "2 is missing from [die]"),
    ("5 = { all = false, cards = 2 }", "5 = { all = false, cards = 10 }", 14, "cards must be a whole number from 0 to 9"),
    ('bow         = { kind = "tool"', 'bow         = { kind = "toy"', 18, "bow: kind must be one of: tool, travel, dwelling"),
    ('bow         = { kind = "tool", cost = "W" }', 'bow = { kind = "tool", cost = "" }', 18, "bow: '' is not a list of goods such as WWG"),
    (
        "stone_house = { kind",
        '"Stone House" = { kind',
        33,
        "'Stone House' cannot be written in a move: use small letters, digits and _",
    ),
    ('colour = "white"', 'colour = "pink"', 43, "each society has a colour of its own: blue, pink, green, white"),
    ('colour = "white"', 'colour = "red"', 43, "each society has a colour of its own: blue, pink, green, white"),
    ('colour = "white"', 'colour = "green"', 57, "each society has a colour of its own: blue, pink, green, white"),
    ('start = "FW"', "start = 2", 44, "start: '2' is not a list of goods such as WWG"),
    ('start = "FW"\n', "", 42, "start is missing from [societies.inuits]"),
    ('"spear", "bow"]\n', '"spear"]\n', 45, "quick must list at least 3 different names from [items]"),
    ('"spear", "bow"]\n', '"spear", "gun"]\n', 45, "quick must list at least 3 different names from [items]"),
    ('"spear", "bow"]\n', '"spear", "kayak"]\n', 45, "the quick board has tools only (A15, A16)"),
    ('"bow", "kayak", "sled", "igloo"]', '"bow", "kayak", "sled"]', 46, "the white society has 6 discs, so 6 items on its full board"),
    ("cod = 2", "cod = 3", 47, "this society has 25 cards, not 24"),
    ("cod = 2", "whale = 2", 47, "cards must give names from [cards] and how many of each"),
    ("cod = 2", "cod = 0", 47, "cards must give names from [cards] and how many of each"),
    ('maize       = { gives = "C", with = { hoe', 'maize = { gives = "C", with = { canoe', 64, "maize: 'canoe' is not a tool of [items]"),
    ('{ hoe = "CCC" }', "5", 64, "maize: with names at most 3 tools"),
    ('potatoes    = { gives = "C" }', "potatoes = { needs = true }", 65, "potatoes needs a tool but names none"),
    ('potatoes    = { gives = "C" }', "potatoes = { }", 65, "potatoes either gives goods or needs a tool"),
    (
        'potatoes    = { gives = "C" }',
        'potatoes = { gives = "C", special = "feast" }',
        65,
        "potatoes: special stands alone and is one of: feast, neighbours, exchange",
    ),
    ('special = "feast"', 'special = "party"', 97, "feast: special stands alone and is one of: feast, neighbours, exchange"),
    ('full = "GMMFFCC" }', "full = 7 }", 109, "market: '7' is not a list of goods such as WWG"),
    ('market   = { quick = "CCMF", full = "GMMFFCC" }\n', "", 101, "[requests] has 7 lines, not 8"),
    ("[cooperative]", "[together]", 1, "2 is missing from [cooperative]"),
    ('3 = "GGMMFFCCW"\n', "", 111, "3 is missing from [cooperative]"),
    ('3 = "GGMMFFCCW"', '3 = ""', 113, "3: '' is not a list of goods such as WWG"),
]


@pytest.mark.parametrize(("right", "wrong", "line", "reason"), FAULTS, ids=[f"{line}-{reason}" for _, _, line, reason in FAULTS])
def test_a_wrong_box_is_refused_by_line(right: str, wrong: str, line: int, reason: str) -> None:
    assert BOX.text.count(right) == 1
    with pytest.raises(ComponentsError) as refused:
        load_pieces(Components.parse("mine.toml", BOX.text.replace(right, wrong)))
    assert str(refused.value) == f"mine.toml, line {line}: {reason}"


def test_a_whole_table_that_is_not_there_is_named() -> None:
    start, end = BOX.text.index("[items]"), BOX.text.index("[societies.incas]")
    with pytest.raises(ComponentsError, match=r"mine.toml, line 1: the table \[items\] is missing"):
        load_pieces(Components.parse("mine.toml", BOX.text[:start] + BOX.text[end:]))


def test_a_corrected_box_is_played_with(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(BOX.text.replace('start = "CS"', 'start = "CSS"').replace("lake_fish", "trout"), encoding="utf-8")
    game = games.open_box("amerique-1500", components.load(file))
    player = game.view(game.observe(game.setup(2, {option.key: option.default for option in game.options}), None))["players"][0]
    assert player["goods"] == "CSS"
    assert player["unseen"]["trout"] == 2


def real_box() -> Components:
    return games.find("amerique-1500").components


@pytest.mark.parametrize("box", [BOX, real_box()], ids=["the tests'", "the real one"])
def test_the_box_honours_every_fact_of_the_booklet(box: Components) -> None:
    facts = box.data
    assert [facts["die"][str(face)]["all"] for face in range(1, 7)] == [True] * 3 + [False] * 3
    assert facts["items"]["bow"]["cost"] == "W"
    with_tool = {(tool, more) for card in facts["cards"].values() for tool, more in card.get("with", {}).items() if tool != "hoe"}
    assert with_tool == {("basket", "GGG"), ("axe", "WWW"), ("harpoon", "FFF"), ("spear", "MMM"), ("bow", "M")}
    assert [sum(society["cards"].values()) for society in facts["societies"].values()] == [24] * 4
    discs = {society["colour"]: len(society["full"]) for society in facts["societies"].values()}
    assert discs == {"pink": 7, "white": 6, "blue": 7, "green": 6}
    assert facts["cooperative"] == {"2": "GMFCWW", "3": "GGMMFFCCW", "4": "GGMMFFCCWWWS"}
    assert all(society["cards"][card] for society in facts["societies"].values() for card in ("feast", "neighbours", "exchange"))


def test_the_box_as_a_page_names_every_card_and_says_what_is_a_reconstruction() -> None:
    page = box_page(GAME, Translator("en"))
    assert all(name in page for name in ("Maize", "Kayak", "Great stew", "Profitable exchange"))
    assert "reconstruction" in page
    assert "reconstitution" in box_page(GAME, Translator("fr"))
    assert "ricostruzione" in box_page(GAME, Translator("it"))


def test_more_goods_than_a_box_holds_are_refused() -> None:
    text = GAME.components.text
    first = next(line for line in text.splitlines() if line.startswith("start ="))
    with pytest.raises(ComponentsError, match="is not a list of goods"):
        load_pieces(Components.parse("mine.toml", text.replace(first, f'start = "{"G" * 41}"', 1)))
