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

HOLE = re.compile("<!--part ([^>]+)-->")
OVERHEAD = 500  # bytes that a part takes besides its text, about
VALUES_ONLY = 2  # marshal's format in which equal data is equal bytes


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """One part as it was drawn: its text around the parts in it. Never changed, so that pages share what looks the same."""

    name: str
    stamp: str
    text: tuple[str, ...]  # one piece more than there are inner parts
    inner: tuple[Part, ...]
    loose: bool  # whether nobody remembers it by itself

    def whole(self) -> str:
        """Its page, with every hole filled."""
        found: list[str] = []
        self._write(found)
        return "".join(found)

    def _write(self, found: list[str]) -> None:
        found.append(self.text[0])
        for part, after in zip(self.inner, self.text[1:], strict=True):
            part._write(found)
            found.append(after)

    def size(self) -> int:
        """How much is remembered with it that is not remembered anyway."""
        return OVERHEAD + sum(map(len, self.text)) + sum(part.size() for part in self.inner if part.loose)

    def since(self, shown: Part | None) -> list[dict[str, str]]:
        """What must be sent to a screen that shows this."""
        return [_sent(part) for part in self.changed(shown)]

    def changed(self, shown: Part | None) -> list[Part]:
        if self is shown:
            return []
        if shown is None or self.stamp != shown.stamp:
            return [self]
        both = zip(self.inner, shown.inner, strict=True)  # the same text has the same holes
        return [part for now, was in both if now is not was for part in now.changed(was)]

    def beyond(self, stamps: Mapping[str, str]) -> list[dict[str, str]]:
        """The same for a screen that tells which stamps it shows."""
        return [_sent(part) for part in self.unlike(stamps)]

    def unlike(self, stamps: Mapping[str, str]) -> list[Part]:
        if stamps.get(self.name) != self.stamp:
            return [self]
        return [each for part in self.inner for each in part.unlike(stamps)]


def _sent(part: Part) -> dict[str, str]:
    return {"id": part.name, "html": part.whole()}


class Memory:
    """Parts that were drawn, by what they were drawn of; the ones that nobody has seen for longest are forgotten."""

    def __init__(self, most: int = 64 * 1024 * 1024) -> None:
        self.most = most  # bytes, about
        self.held = 0
        self._parts: OrderedDict[bytes, Part] = OrderedDict()

    def find(self, key: bytes) -> Part | None:
        found = self._parts.get(key)
        if found is not None:
            self._parts.move_to_end(key)
        return found

    def keep(self, key: bytes, part: Part) -> None:
        self._parts[key] = part
        self.held += len(key) + part.size()
        while self.held > self.most:
            oldest, gone = self._parts.popitem(last=False)
            self.held -= len(oldest) + gone.size()


class Drawing:
    """One page being drawn: `part` is what templates call. Without a memory everything is drawn anew."""

    def __init__(self, frame: str, memory: Memory | None = None) -> None:
        self._frame = frame  # what every part of this page is drawn of besides: the game and the language
        self._memory = memory
        self._inner: list[dict[str, Part]] = [{}]  # the parts found so far, for each part that is being drawn

    def top(self, name: str, caller: Callable[[], str], **attributes: Any) -> Part:
        """The whole page."""
        self.part(name, caller=caller, **attributes)
        return self._inner[-1][name]

    def part(self, name: str, tag: str = "div", of: Any = None, caller: Callable[[], str] = str, **attributes: Any) -> str:
        memory = self._memory
        if of is None or memory is None:
            self._inner[-1][name] = self._draw(name, tag, caller, attributes, loose=True)
        else:
            key = _key(self._frame, name, tag, of, attributes)
            found = memory.find(key)
            if found is None:
                found = self._draw(name, tag, caller, attributes)
                memory.keep(key, found)
            self._inner[-1][name] = found
        return f"<!--part {name}-->"

    def many(self, prefix: str, texts: Sequence[str], tag: str = "div") -> Markup:
        """In a template, `{{ parts("tiles", scene.tiles, tag="g") }}`: a part for each of these texts, which are HTML already."""
        return Markup("".join(self.part(f"{prefix}-{number}", tag, text, text.__str__) for number, text in enumerate(texts)))

    def _draw(self, name: str, tag: str, caller: Callable[[], str], attributes: Mapping[str, Any], *, loose: bool = False) -> Part:
        self._inner.append({})
        said = caller()
        inner = self._inner.pop()
        shown = "".join(
            [f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items() if value is not None]
        )
        stamp = blake2b(f"{tag}{shown}>{said}".encode(), digest_size=6).hexdigest()
        text = HOLE.split(f'<{tag} id="{name}" data-part="{stamp}"{shown}>{said}</{tag}>')
        return Part(name, stamp, tuple(text[::2]), tuple([inner[hole] for hole in text[1::2]]), loose)


def _key(*drawn_of: Any) -> bytes:
    """Equal for equal data, and for nothing else."""
    try:
        return marshal.dumps(drawn_of, VALUES_ONLY)
    except ValueError:  # data of kinds of its own, which say what they hold
        return repr(drawn_of).encode()
