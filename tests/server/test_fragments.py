"""A page is a tree of parts: a change resends the smallest part around it."""

from __future__ import annotations

import pytest

from tablee.server.view.fragments import Fragment, FragmentCache, FragmentRenderer

pytestmark = pytest.mark.one_engine


def drawn(score: int, tile: str, extra: bool = False, memory: FragmentCache | None = None) -> Fragment:
    """A page with two parts, one of which holds another."""
    drawing = FragmentRenderer("game en", memory)

    def board() -> str:
        return f"<svg>{drawing.fragment('tile', tag='g', depends_on=[tile], caller=lambda: tile, class_='lit', data_x=None)}</svg>"

    def room() -> str:
        first = drawing.fragment("score", tag="b", depends_on=[score], caller=lambda: str(score))
        return f"{first}{drawing.fragment('board', caller=board)}{drawing.fragment('more', caller=lambda: '') if extra else ''}"

    return drawing.root("room", room)


def sent(now: Fragment, before: Fragment | None) -> list[str]:
    """Both ways of asking give the same answer."""
    changes = now.patches_since(before)
    assert changes == now.patches_for_digests({} if before is None else stamps(before))
    return [change["id"] for change in changes]


def stamps(part: Fragment) -> dict[str, str]:
    return {part.id: part.digest} | {name: stamp for inner in part.children for name, stamp in stamps(inner).items()}


def test_a_page_is_whole_with_every_hole_filled() -> None:
    page = drawn(3, "<path/>")
    stamp = stamps(page)["tile"]
    assert f'<svg><g id="tile" data-part="{stamp}" class="lit"><path/></g></svg>' in page.to_html()
    assert "<!--" not in page.to_html()


def test_only_the_smallest_part_around_a_change_is_sent() -> None:
    assert sent(drawn(3, "a"), drawn(3, "a")) == []
    assert sent(drawn(4, "a"), drawn(3, "a")) == ["score"]
    assert sent(drawn(3, "b"), drawn(3, "a")) == ["tile"]
    assert sent(drawn(4, "b"), drawn(3, "a")) == ["score", "tile"]


def test_a_part_that_comes_or_goes_is_sent_with_the_part_around_it() -> None:
    assert sent(drawn(3, "a", extra=True), drawn(3, "a")) == ["room"]
    assert sent(drawn(3, "a"), drawn(3, "a", extra=True)) == ["room"]


def test_a_screen_that_shows_nothing_gets_everything_once() -> None:
    (everything,) = drawn(3, "a").patches_since(None)
    assert (everything["id"], everything["html"].count("data-part")) == ("room", 4)


def test_a_part_is_drawn_once_for_what_it_is_drawn_of() -> None:
    memory = FragmentCache()
    first, again, other = (drawn(score, "a", memory=memory) for score in (3, 3, 4))
    assert [each.to_html() for each in (first, again, other)] == [drawn(score, "a").to_html() for score in (3, 3, 4)]
    assert first.children[0] is again.children[0]
    assert first.children[0] is not other.children[0]
    assert first.children[1].children[0] is other.children[1].children[0], "a part that is drawn anew finds the same part in it"


def test_what_nobody_has_seen_for_longest_is_forgotten() -> None:
    memory = FragmentCache(most=3000)
    first = drawn(1, "a", memory=memory)
    for score in range(2, 9):
        assert drawn(score, "a", memory=memory).children[1].children[0] is first.children[1].children[0], "the tile is seen every time"
    assert memory.size_bytes <= 3000
    assert drawn(1, "a", memory=memory).children[0] is not first.children[0]
