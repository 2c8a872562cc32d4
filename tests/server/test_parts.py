"""A page is a tree of parts: a change resends the smallest part around it."""

from __future__ import annotations

from tablee.server.parts import Parts


def drawn(score: int, tile: str, extra: bool = False) -> Parts:
    """A page with two parts, one of which holds another."""
    parts = Parts()
    inner = parts.part("tile", tag="g", caller=lambda: tile, class_="lit", data_x=None)
    board = parts.part("board", caller=lambda: f"<svg>{inner}</svg>")
    more = parts.part("more", caller=lambda: "") if extra else ""
    parts.top = parts.part("room", caller=lambda: f"{parts.part('score', tag='b', caller=lambda: str(score))}{board}{more}")
    return parts


def sent(now: Parts, before: Parts) -> list[str]:
    return [change["id"] for change in now.changes(before.stamps)]


def test_a_page_is_whole_with_every_hole_filled() -> None:
    page = drawn(3, "<path/>")
    stamp = page.stamps["tile"]
    assert f'<svg><g id="tile" data-part="{stamp}" class="lit"><path/></g></svg>' in page.whole()
    assert "<!--" not in page.whole()


def test_only_the_smallest_part_around_a_change_is_sent() -> None:
    assert sent(drawn(3, "a"), drawn(3, "a")) == []
    assert sent(drawn(4, "a"), drawn(3, "a")) == ["score"]
    assert sent(drawn(3, "b"), drawn(3, "a")) == ["tile"]
    assert sent(drawn(4, "b"), drawn(3, "a")) == ["score", "tile"]


def test_a_part_that_comes_or_goes_is_sent_with_the_part_around_it() -> None:
    assert sent(drawn(3, "a", extra=True), drawn(3, "a")) == ["room"]
    assert sent(drawn(3, "a"), drawn(3, "a", extra=True)) == ["room"]


def test_a_screen_that_shows_nothing_gets_everything_once() -> None:
    everything = drawn(3, "a").changes({})
    assert [change["id"] for change in everything] == ["room"]
    assert everything[0]["html"].count("data-part") == 4
