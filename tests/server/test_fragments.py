"""Fragments: a page is a tree of parts, and a change resends the smallest part around it."""

from __future__ import annotations

from typing import Any

import pytest
from jinja2 import DictLoader, Environment, StrictUndefined, UndefinedError
from jinja2.runtime import Macro

from tablee.core.i18n import Translator
from tablee.server.view.fragments import Fragment, FragmentCache, FragmentRenderer

pytestmark = pytest.mark.one_engine

MACROS = """
{% macro score(_, score) %}{{ score }}{% endmacro %}
{% macro tile(_, tile) %}{{ tile | safe }}{% endmacro %}
{% macro board(_, tile, fragment) %}<svg>{{ fragment("tile", "tile", tile, tag="g", class_="lit", data_x=none) }}</svg>{% endmacro %}
{% macro careless(_, tile) %}{{ tile }}{{ me }}{% endmacro %}
"""
MODULE = Environment(loader=DictLoader({"macros": MACROS}), undefined=StrictUndefined, autoescape=True).get_template("macros").module


def macro(name: str) -> Macro:
    found: Macro = getattr(MODULE, name)
    return found


def renderer_of(cache: FragmentCache | None = None) -> FragmentRenderer:
    return FragmentRenderer(Translator("en"), macro, cache, "game")


def rendered(score: int, tile: str, extra: bool = False, cache: FragmentCache | None = None) -> Fragment:
    """Render a page with two fragments, one of which contains another."""
    renderer = renderer_of(cache)

    def board() -> str:
        return f"<svg>{renderer.fragment('tile', 'tile', tile, tag='g', class_='lit', data_x=None)}</svg>"

    def room() -> str:
        first = renderer.fragment("score", "score", score, tag="b")
        return f"{first}{renderer.fragment('board', caller=board)}{renderer.fragment('more', caller=lambda: '') if extra else ''}"

    return renderer.root("room", room)


def one(cache: FragmentCache, *args: Any, name: str = "score", **attributes: Any) -> Fragment:
    """Render a page with one fragment, made from these arguments, and return that fragment."""
    renderer = renderer_of(cache)
    return renderer.root("room", lambda: renderer.fragment("one", name, *args, **attributes)).children[0]


def sent(now: Fragment, before: Fragment | None) -> list[str]:
    """Return the ids of the patches; those since a fragment equal those for its digests."""
    changes = now.patches_since(before)
    assert changes == now.patches_for_digests({} if before is None else stamps(before))
    return [change["id"] for change in changes]


def stamps(part: Fragment) -> dict[str, str]:
    return {part.id: part.digest} | {name: stamp for inner in part.children for name, stamp in stamps(inner).items()}


def test_a_page_is_whole_with_every_hole_filled() -> None:
    page = rendered(3, "<path/>")
    stamp = stamps(page)["tile"]
    assert f'<svg><g id="tile" data-part="{stamp}" class="lit"><path/></g></svg>' in page.to_html()
    assert "<!--" not in page.to_html()


def test_only_the_smallest_part_around_a_change_is_sent() -> None:
    assert sent(rendered(3, "a"), rendered(3, "a")) == []
    assert sent(rendered(4, "a"), rendered(3, "a")) == ["score"]
    assert sent(rendered(3, "b"), rendered(3, "a")) == ["tile"]
    assert sent(rendered(4, "b"), rendered(3, "a")) == ["score", "tile"]


def test_a_part_that_comes_or_goes_is_sent_with_the_part_around_it() -> None:
    assert sent(rendered(3, "a", extra=True), rendered(3, "a")) == ["room"]
    assert sent(rendered(3, "a"), rendered(3, "a", extra=True)) == ["room"]


def test_a_screen_that_shows_nothing_gets_everything_once() -> None:
    (everything,) = rendered(3, "a").patches_since(None)
    assert (everything["id"], everything["html"].count("data-part")) == ("room", 4)


def test_a_part_is_drawn_once_for_what_it_is_drawn_of() -> None:
    cache = FragmentCache()
    first, again, other = (rendered(score, "a", cache=cache) for score in (3, 3, 4))
    assert [each.to_html() for each in (first, again, other)] == [rendered(score, "a").to_html() for score in (3, 3, 4)]
    assert first.children[0] is again.children[0]
    assert first.children[0] is not other.children[0]
    assert first.children[1].children[0] is other.children[1].children[0], "a part that is drawn anew finds the same part in it"


def test_what_nobody_has_seen_for_longest_is_forgotten() -> None:
    cache = FragmentCache(max_bytes=3000)
    first = rendered(1, "a", cache=cache)
    for score in range(2, 9):
        assert rendered(score, "a", cache=cache).children[1].children[0] is first.children[1].children[0], "the tile is seen every time"
    assert cache.size_bytes <= 3000
    assert rendered(1, "a", cache=cache).children[0] is not first.children[0]


def test_what_a_fragment_is_made_from_is_what_it_is_given() -> None:
    """Equal arguments of the same types give the same fragment, and all others another."""
    cache, drawn = FragmentCache(), set[Fragment]()
    different: list[Any] = [
        1,
        True,
        1.0,
        "1",
        None,
        (1,),
        [1],
        [True],
        {"a": 1},
        {"a": True},
        {"a": [1, {"b": 2}]},
        {"a": [1, {"b": 3}]},
        (Translator("en"), 1),
    ]
    for value in different:
        drawn.add(one(cache, value))
        assert one(cache, value) in drawn
    assert len(drawn) == len(different)
    assert one(cache, 1) is not one(cache, 1, class_="lit"), "attributes are arguments too"
    assert one(cache, 1) is not one(cache, 1, name="tile")


def test_a_macro_knows_nothing_but_its_arguments() -> None:
    with pytest.raises(UndefinedError, match="'me' is undefined"):
        one(FragmentCache(), "a", name="careless")


def test_a_cached_fragment_may_have_others_inside() -> None:
    cache = FragmentCache()
    board = one(cache, "a", name="board")
    assert [each.id for each in board.children] == ["tile"]
    assert one(cache, "a", name="board") is board
    assert board.to_html() == one(FragmentCache(), "a", name="board").to_html()
