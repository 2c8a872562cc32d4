"""Fragments: a page is a tree of HTML elements with id and digest, so that a change resends the smallest element around it only.

In a template:  {% call fragment("players") %} ... {% endcall %}  or, in an SVG,  {% call fragment("tile-3", tag="g", class_="tile") %} ...

A fragment that names its inputs,  {% call fragment("player-2", depends_on=[each, over]) %},  is rendered once for these and cached with its
children, for other seats, later versions and other tables. `depends_on` must name everything that its lines read; a test renders every page
of many games both ways and compares (tests/server/test_rendering.py).
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
OVERHEAD = 500  # bytes of a fragment besides its text, about
MARSHAL_VERSION = 2  # marshal's last format in which equal data always gives equal bytes


@dataclass(frozen=True, eq=False, slots=True)
class Fragment:
    """One rendered element: its text around its children. Immutable, so that pages can share it."""

    id: str
    digest: str
    text: tuple[str, ...]  # one piece more than there are children
    children: tuple[Fragment, ...]
    is_uncached: bool  # whether the cache has no entry of its own for it

    def to_html(self) -> str:
        """Return the HTML with every placeholder filled."""
        pieces: list[str] = []
        self._write(pieces)
        return "".join(pieces)

    def _write(self, pieces: list[str]) -> None:
        pieces.append(self.text[0])
        for child, after in zip(self.children, self.text[1:], strict=True):
            child._write(pieces)
            pieces.append(after)

    def size(self) -> int:
        """Return the approximate size of its cache entry in bytes, without children that have their own entry."""
        return OVERHEAD + sum(map(len, self.text)) + sum(child.size() for child in self.children if child.is_uncached)

    def patches_since(self, shown: Fragment | None) -> list[dict[str, str]]:
        """Return the patches for a client that shows the given tree."""
        return [_patch(fragment) for fragment in self.changed_since(shown)]

    def changed_since(self, shown: Fragment | None) -> list[Fragment]:
        if self is shown:
            return []
        if shown is None or self.digest != shown.digest:
            return [self]
        both = zip(self.children, shown.children, strict=True)  # equal digests mean equal placeholders
        return [fragment for now, was in both if now is not was for fragment in now.changed_since(was)]

    def patches_for_digests(self, digests: Mapping[str, str]) -> list[dict[str, str]]:
        """Return the patches for a client that reports the digests it shows."""
        return [_patch(fragment) for fragment in self.changed_from_digests(digests)]

    def changed_from_digests(self, digests: Mapping[str, str]) -> list[Fragment]:
        if digests.get(self.id) != self.digest:
            return [self]
        return [each for child in self.children for each in child.changed_from_digests(digests)]


def _patch(fragment: Fragment) -> dict[str, str]:
    return {"id": fragment.id, "html": fragment.to_html()}


class FragmentCache:
    """LRU cache of rendered fragments by their inputs."""

    def __init__(self, max_bytes: int = 64 * 1024 * 1024) -> None:
        self.max_bytes = max_bytes  # about
        self.size_bytes = 0
        self._fragments: OrderedDict[bytes, Fragment] = OrderedDict()

    def get(self, key: bytes) -> Fragment | None:
        found = self._fragments.get(key)
        if found is not None:
            self._fragments.move_to_end(key)
        return found

    def put(self, key: bytes, fragment: Fragment) -> None:
        self._fragments[key] = fragment
        self.size_bytes += len(key) + fragment.size()
        while self.size_bytes > self.max_bytes:
            oldest, gone = self._fragments.popitem(last=False)
            self.size_bytes -= len(oldest) + gone.size()


class FragmentRenderer:
    """Renderer of one page: templates call `fragment`. Without a cache it renders everything."""

    def __init__(self, key_prefix: str, cache: FragmentCache | None = None) -> None:
        self._key_prefix = key_prefix  # inputs that all fragments of the page share: the game and the language
        self._cache = cache
        self._children_stack: list[dict[str, Fragment]] = [{}]  # children found so far, for each fragment that is being rendered

    def root(self, name: str, caller: Callable[[], str], **attributes: Any) -> Fragment:
        """Render the whole page."""
        self.fragment(name, caller=caller, **attributes)
        return self._children_stack[-1][name]

    def fragment(self, name: str, tag: str = "div", depends_on: Any = None, caller: Callable[[], str] = str, **attributes: Any) -> str:
        cache = self._cache
        if depends_on is None or cache is None:
            self._children_stack[-1][name] = self._render(name, tag, caller, attributes, uncached=True)
        else:
            key = _cache_key(self._key_prefix, name, tag, depends_on, attributes)
            found = cache.get(key)
            if found is None:
                found = self._render(name, tag, caller, attributes)
                cache.put(key, found)
            self._children_stack[-1][name] = found
        return f"<!--part {name}-->"

    def fragments(self, prefix: str, texts: Sequence[str], tag: str = "div") -> Markup:
        """Return one fragment per HTML text, numbered after the prefix: `("tiles", scene.tiles, tag="g")` in a template."""
        return Markup("".join(self.fragment(f"{prefix}-{number}", tag, text, text.__str__) for number, text in enumerate(texts)))

    def _render(self, name: str, tag: str, caller: Callable[[], str], attributes: Mapping[str, Any], *, uncached: bool = False) -> Fragment:
        self._children_stack.append({})
        html = caller()
        children = self._children_stack.pop()
        written_attributes = "".join(
            [f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items() if value is not None]
        )
        digest = blake2b(f"{tag}{written_attributes}>{html}".encode(), digest_size=6).hexdigest()
        text = PLACEHOLDER.split(f'<{tag} id="{name}" data-part="{digest}"{written_attributes}>{html}</{tag}>')
        return Fragment(name, digest, tuple(text[::2]), tuple([children[child] for child in text[1::2]]), uncached)


def _cache_key(*depends_on: Any) -> bytes:
    """Return bytes that are equal for equal data only."""
    try:
        return marshal.dumps(depends_on, MARSHAL_VERSION)
    except ValueError:  # other types, whose repr shows their content
        return repr(depends_on).encode()
