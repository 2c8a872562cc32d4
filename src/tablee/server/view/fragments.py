"""A page is a tree of parts that carry an id and a stamp of what they say. Each is rendered with holes where its inner parts go, so that a
change resends the smallest part around it and nothing else.

In a template:  {% call part("players") %} ... {% endcall %}  or, inside an SVG,  {% call part("tile-3", tag="g", class="tile") %} ...

A part that says what it is drawn `of`,  {% call part("player-2", of=[each, over]) %},  is drawn once for that and then remembered, with
everything in it, for whoever sees the same: another seat, a later version, another table. `of` must name all that its lines look at; a law
draws every page of many games both ways and compares (tests/server/test_rendering.py).
"""

from __future__ import annotations

import marshal
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from markupsafe import Markup, escape

PLACEHOLDER = re.compile("<!--part ([^>]+)-->")
OVERHEAD = 500  # bytes that a part takes besides its text, about
MARSHAL_VERSION = 2  # marshal's format in which equal data is equal bytes


@dataclass(frozen=True, eq=False, slots=True)
class Fragment:
    """One part as it was drawn: its text around the parts in it. Never changed, so that pages share what looks the same."""

    id: str
    digest: str
    text: tuple[str, ...]  # one piece more than there are inner parts
    children: tuple[Fragment, ...]
    is_uncached: bool  # whether nobody remembers it by itself

    def to_html(self) -> str:
        """Its page, with every hole filled."""
        found: list[str] = []
        self._write(found)
        return "".join(found)

    def _write(self, found: list[str]) -> None:
        found.append(self.text[0])
        for part, after in zip(self.children, self.text[1:], strict=True):
            part._write(found)
            found.append(after)

    def size(self) -> int:
        """How much is remembered with it that is not remembered anyway."""
        return OVERHEAD + sum(map(len, self.text)) + sum(part.size() for part in self.children if part.is_uncached)

    def patches_since(self, shown: Fragment | None) -> list[dict[str, str]]:
        """What must be sent to a screen that shows this."""
        return [_patch(part) for part in self.changed_since(shown)]

    def changed_since(self, shown: Fragment | None) -> list[Fragment]:
        if self is shown:
            return []
        if shown is None or self.digest != shown.digest:
            return [self]
        both = zip(self.children, shown.children, strict=True)  # the same text has the same holes
        return [part for now, was in both if now is not was for part in now.changed_since(was)]

    def patches_for_digests(self, stamps: Mapping[str, str]) -> list[dict[str, str]]:
        """The same for a screen that tells which stamps it shows."""
        return [_patch(part) for part in self.changed_from_digests(stamps)]

    def changed_from_digests(self, stamps: Mapping[str, str]) -> list[Fragment]:
        if stamps.get(self.id) != self.digest:
            return [self]
        return [each for part in self.children for each in part.changed_from_digests(stamps)]


def _patch(part: Fragment) -> dict[str, str]:
    return {"id": part.id, "html": part.to_html()}


class FragmentCache:
    """Parts that were drawn, by what they were drawn of; the ones that nobody has seen for longest are forgotten."""

    def __init__(self, most: int = 64 * 1024 * 1024) -> None:
        self.max_bytes = most  # bytes, about
        self.size_bytes = 0
        self._fragments: OrderedDict[bytes, Fragment] = OrderedDict()

    def get(self, key: bytes) -> Fragment | None:
        found = self._fragments.get(key)
        if found is not None:
            self._fragments.move_to_end(key)
        return found

    def put(self, key: bytes, part: Fragment) -> None:
        self._fragments[key] = part
        self.size_bytes += len(key) + part.size()
        while self.size_bytes > self.max_bytes:
            oldest, gone = self._fragments.popitem(last=False)
            self.size_bytes -= len(oldest) + gone.size()


class FragmentRenderer:
    """One page being drawn: `part` is what templates call. Without a memory everything is drawn anew."""

    def __init__(self, key_prefix: str, cache: FragmentCache | None = None) -> None:
        self._key_prefix = key_prefix  # what every part of this page is drawn of besides: the game and the language
        self._cache = cache
        self._children_stack: list[dict[str, Fragment]] = [{}]  # the parts found so far, for each part that is being drawn

    def root(self, name: str, caller: Callable[[], str], **attributes: Any) -> Fragment:
        """The whole page."""
        self.fragment(name, caller=caller, **attributes)
        return self._children_stack[-1][name]

    def fragment(self, name: str, tag: str = "div", depends_on: Any = None, caller: Callable[[], str] = str, **attributes: Any) -> str:
        memory = self._cache
        if depends_on is None or memory is None:
            self._children_stack[-1][name] = self._render(name, tag, caller, attributes, loose=True)
        else:
            key = _cache_key(self._key_prefix, name, tag, depends_on, attributes)
            found = memory.get(key)
            if found is None:
                found = self._render(name, tag, caller, attributes)
                memory.put(key, found)
            self._children_stack[-1][name] = found
        return f"<!--part {name}-->"

    def fragments(self, prefix: str, texts: Sequence[str], tag: str = "div") -> Markup:
        """In a template, `{{ parts("tiles", scene.tiles, tag="g") }}`: a part for each of these texts, which are HTML already."""
        return Markup("".join(self.fragment(f"{prefix}-{number}", tag, text, text.__str__) for number, text in enumerate(texts)))

    def _render(self, name: str, tag: str, caller: Callable[[], str], attributes: Mapping[str, Any], *, loose: bool = False) -> Fragment:
        self._children_stack.append({})
        said = caller()
        inner = self._children_stack.pop()
        shown = "".join(
            [f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items() if value is not None]
        )
        stamp = blake2b(f"{tag}{shown}>{said}".encode(), digest_size=6).hexdigest()
        text = PLACEHOLDER.split(f'<{tag} id="{name}" data-part="{stamp}"{shown}>{said}</{tag}>')
        return Fragment(name, stamp, tuple(text[::2]), tuple([inner[hole] for hole in text[1::2]]), loose)


def _cache_key(*depends_on: Any) -> bytes:
    """Equal for equal data, and for nothing else."""
    try:
        return marshal.dumps(depends_on, MARSHAL_VERSION)
    except ValueError:  # data of kinds of its own, which say what they hold
        return repr(depends_on).encode()
