"""A page is a tree of parts: a change resends the smallest part around it."""

from __future__ import annotations

import pytest

from tablee.server.view.fragments import Drawing, Memory, Part

pytestmark = pytest.mark.one_engine


def drawn(score: int, tile: str, extra: bool = False, memory: Memory | None = None) -> Part:
    """A page with two parts, one of which holds another."""
    drawing = Drawing("game en", memory)

    def board() -> str:
        return f"<svg>{drawing.part('tile', tag='g', of=[tile], caller=lambda: tile, class_='lit', data_x=None)}</svg>"

    def room() -> str:
        first = drawing.part("score", tag="b", of=[score], caller=lambda: str(score))
        return f"{first}{drawing.part('board', caller=board)}{drawing.part('more', caller=lambda: '') if extra else ''}"

    return drawing.top("room", room)


def sent(now: Part, before: Part | None) -> list[str]:
    """Both ways of asking give the same answer."""
    changes = now.since(before)
    assert changes == now.beyond({} if before is None else stamps(before))
    return [change["id"] for change in changes]


def stamps(part: Part) -> dict[str, str]:
    return {part.name: part.stamp} | {name: stamp for inner in part.inner for name, stamp in stamps(inner).items()}


def test_a_page_is_whole_with_every_hole_filled() -> None:
    page = drawn(3, "<path/>")
    stamp = stamps(page)["tile"]
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
    (everything,) = drawn(3, "a").since(None)
    assert (everything["id"], everything["html"].count("data-part")) == ("room", 4)


def test_a_part_is_drawn_once_for_what_it_is_drawn_of() -> None:
    memory = Memory()
    first, again, other = (drawn(score, "a", memory=memory) for score in (3, 3, 4))
    assert [each.whole() for each in (first, again, other)] == [drawn(score, "a").whole() for score in (3, 3, 4)]
    assert first.inner[0] is again.inner[0]
    assert first.inner[0] is not other.inner[0]
    assert first.inner[1].inner[0] is other.inner[1].inner[0], "a part that is drawn anew finds the same part in it"


def test_what_nobody_has_seen_for_longest_is_forgotten() -> None:
    memory = Memory(most=3000)
    first = drawn(1, "a", memory=memory)
    for score in range(2, 9):
        assert drawn(score, "a", memory=memory).inner[1].inner[0] is first.inner[1].inner[0], "the tile is seen every time"
    assert memory.held <= 3000
    assert drawn(1, "a", memory=memory).inner[0] is not first.inner[0]
