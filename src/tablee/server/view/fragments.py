"""Fragments: a page is a tree of HTML elements with id and digest, so that a change resends the smallest element around it only.

In a template:  {% call fragment("players") %} ... {% endcall %}  or, in an SVG,  {% call fragment("tile-3", tag="g", class_="tile") %} ...

A costly fragment is a macro of a file, named with its arguments:  {{ fragment("sheet", "my-game/sheet.html:sheet", view.cells, me) }}.
It is rendered once for these and cached, for other seats, later versions and other tables. Such a macro knows its arguments, the translator
that it gets before them, and the globals of all templates: what it is made from is what it is given, and everything else is undefined.
"""

from __future__ import annotations

import marshal
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from jinja2.runtime import Macro
from markupsafe import Markup, escape
from typing_extensions import TypedDict

from tablee.core.i18n import Translator

PLACEHOLDER = re.compile("<!--part ([^>]+)-->")
OVERHEAD = 1000  # bytes of a fragment besides its text, with what it is made from, about
MAX_KEY_BYTES = 256  # of data in a key
DIGEST_SIZE = 32  # bytes of what stands for larger data in a key
MARSHAL_VERSION = 2  # marshal's last format in which equal data always gives equal bytes


class Patch(TypedDict):
    """A fragment that changed."""

    id: str
    html: str


@dataclass(frozen=True, eq=False, slots=True)
class Fragment:
    """One rendered element: its text around its children. Immutable, so that pages can share it."""

    id: str
    digest: str
    text: tuple[str, ...]  # one piece more than there are children
    children: tuple[Fragment, ...] = ()
    is_cached: bool = False  # whether other pages may share it

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

    def patch(self) -> Patch:
        return {"id": self.id, "html": self.to_html()}

    def patches_since(self, shown: Fragment | None) -> list[Patch]:
        """Return the patches for a client that shows the given tree."""
        return [fragment.patch() for fragment in self.changed_since(shown)]

    def changed_since(self, shown: Fragment | None) -> list[Fragment]:
        if self is shown:
            return []
        if shown is None or self.digest != shown.digest:
            return [self]
        both = zip(self.children, shown.children, strict=True)  # equal digests mean equal placeholders
        return [fragment for now, was in both if now is not was for fragment in now.changed_since(was)]

    def patches_for_digests(self, digests: Mapping[str, str]) -> list[Patch]:
        """Return the patches for a client that reports the digests it shows."""
        return [fragment.patch() for fragment in self.changed_from_digests(digests)]

    def changed_from_digests(self, digests: Mapping[str, str]) -> list[Fragment]:
        if digests.get(self.id) != self.digest:
            return [self]
        return [each for child in self.children for each in child.changed_from_digests(digests)]


class FragmentCache:
    """LRU cache of rendered fragments by their macros and arguments."""

    def __init__(self, max_bytes: int = 64 * 1024 * 1024) -> None:
        self.max_bytes = max_bytes  # about
        self.size_bytes = 0
        self._fragments: OrderedDict[Hashable, Fragment] = OrderedDict()

    def get(self, key: Hashable) -> Fragment | None:
        found = self._fragments.get(key)
        if found is not None:
            self._fragments.move_to_end(key)
        return found

    def put(self, key: Hashable, fragment: Fragment) -> None:
        self._fragments[key] = fragment
        self.size_bytes += _size(fragment)
        while self.size_bytes > self.max_bytes:
            _, gone = self._fragments.popitem(last=False)
            self.size_bytes -= _size(gone)


def _size(fragment: Fragment) -> int:
    """Return the approximate size of a cache entry in bytes, without children that have their own entry."""
    return OVERHEAD + sum(map(len, fragment.text)) + sum(_size(child) for child in fragment.children if not child.is_cached)


class FragmentRenderer:
    """Renderer of one page: templates call `fragment`. Without a cache it renders everything."""

    def __init__(
        self, translator: Translator, macro: Callable[[str], Macro], cache: FragmentCache | None = None, key_prefix: str = ""
    ) -> None:
        self._translator = translator
        self._macro = macro
        self._cache = cache
        self._key_prefix = key_prefix  # inputs that all fragments of the page share besides the language: the game and its box
        self._children_stack: list[dict[str, Fragment]] = [{}]  # children found so far, for each fragment that is being rendered

    def root(self, name: str, caller: Callable[[], str], **attributes: Any) -> Fragment:
        """Render the whole page."""
        self.fragment(name, caller=caller, **attributes)
        return self._children_stack[-1][name]

    def fragment(
        self, name: str, macro: str = "", *args: Any, tag: str = "div", caller: Callable[[], str] = str, **attributes: Any
    ) -> Markup:
        """Render the block that calls this, or the macro `file:name` with these arguments, from the cache if it is there."""
        if macro:
            found = self._cached((name, tag, macro, args, attributes), lambda: self._call(self._macro(macro), args))
        else:
            found = self._render(name, tag, caller, attributes)
        self._children_stack[-1][name] = found
        return Markup(f"<!--part {name}-->")

    def fragments(self, prefix: str, texts: Sequence[str], tag: str = "div") -> Markup:
        """Return one fragment per HTML text, numbered after the prefix: `("tiles", scene.tiles, tag="g")` in a template."""
        for number, text in enumerate(texts):
            found = self._cached((f"{prefix}-{number}", tag, "", (text,), {}), text.__str__)
            self._children_stack[-1][found.id] = found
        return Markup("".join(f"<!--part {prefix}-{number}-->" for number in range(len(texts))))

    def _call(self, macro: Macro, args: Sequence[Any]) -> str:
        """Call a macro; one with a parameter `fragment` can have fragments inside."""
        inside = {"fragment": self.fragment, "fragments": self.fragments}
        return macro(self._translator, *args, **{name: given for name, given in inside.items() if name in macro.arguments})

    def _cached(self, made_from: tuple[str, str, str, tuple[Any, ...], dict[str, Any]], render: Callable[[], str]) -> Fragment:
        name, tag, macro, args, attributes = made_from
        if self._cache is None:
            return self._render(name, tag, render, attributes)
        key = self._key_prefix, self._translator.language, name, tag, macro, *map(_frozen, args), _frozen(attributes)
        found = self._cache.get(key)
        if found is None:
            found = self._render(name, tag, render, attributes, is_cached=True)
            self._cache.put(key, found)
        return found

    def _render(
        self, name: str, tag: str, render: Callable[[], str], attributes: Mapping[str, Any], *, is_cached: bool = False
    ) -> Fragment:
        self._children_stack.append({})
        html = render()
        children = self._children_stack.pop()
        written_attributes = "".join(
            [
                f' {key.rstrip("_").replace("_", "-")}="{escape(_attribute(value))}"'
                for key, value in attributes.items()
                if value is not None
            ]
        )
        digest = blake2b(f"{tag}{written_attributes}>{html}".encode(), digest_size=6).hexdigest()
        text = PLACEHOLDER.split(f'<{tag} id="{name}" data-part="{digest}"{written_attributes}>{html}</{tag}>')
        return Fragment(name, digest, tuple(text[::2]), tuple([children[child] for child in text[1::2]]), is_cached)


def _attribute(value: Any) -> Any:
    """Return the value of an attribute; of a list, such as classes, the words that are there."""
    return " ".join(filter(None, value)) if isinstance(value, list) else value


def _frozen(value: Any) -> Hashable:
    """Return a value that is equal for equal data of the same types only: of long texts and plain containers their bytes, or a digest."""
    kind: Any = type(value)
    if kind is str and len(value) <= MAX_KEY_BYTES:
        return str(value)
    if kind in (str, dict, list, tuple):
        try:
            data = marshal.dumps(value, MARSHAL_VERSION)
            return data if len(data) <= MAX_KEY_BYTES else blake2b(data, digest_size=DIGEST_SIZE).digest()
        except ValueError:  # something in it is not plain data, such as a part of a message
            return kind, *map(_frozen, value.items() if kind is dict else value)
    return kind, value
