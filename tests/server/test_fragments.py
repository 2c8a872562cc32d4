"""Fragments: a page is a tree of parts, and a change resends the smallest part around it."""

from __future__ import annotations

import pytest

from tablee.server.view.fragments import Fragment, FragmentCache, FragmentRenderer

pytestmark = pytest.mark.one_engine


def rendered(score: int, tile: str, extra: bool = False, cache: FragmentCache | None = None) -> Fragment:
    """Render a page with two fragments, one of which contains another."""
    renderer = FragmentRenderer("game en", cache)

    def board() -> str:
        return f"<svg>{renderer.fragment('tile', tag='g', depends_on=[tile], caller=lambda: tile, class_='lit', data_x=None)}</svg>"

    def room() -> str:
        first = renderer.fragment("score", tag="b", depends_on=[score], caller=lambda: str(score))
        return f"{first}{renderer.fragment('board', caller=board)}{renderer.fragment('more', caller=lambda: '') if extra else ''}"

    return renderer.root("room", room)


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
