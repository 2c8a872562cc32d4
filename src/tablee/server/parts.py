"""A page is a tree of parts that carry an id and a stamp of what they say. Each is rendered with holes where its inner parts go, so that a
change resends the smallest part around it and nothing else, to a screen that tells which stamps it shows.

In a template:  {% call part("players") %} ... {% endcall %}  or, inside an SVG,  {% call part("tile-3", tag="g", class="tile") %} ...
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2s
from typing import Any

from markupsafe import Markup, escape

HOLE = re.compile("<!--part ([^>]+)-->")


@dataclass
class Parts:
    """One rendering: the top of the tree, every part by its id, and its stamp."""

    top: str = ""
    own: dict[str, str] = field(default_factory=dict)
    stamps: dict[str, str] = field(default_factory=dict)

    def part(self, name: str, tag: str = "div", caller: Callable[[], str] | None = None, **attributes: Any) -> Markup:
        inner = caller() if caller else ""
        shown = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items() if value is not None)
        self.stamps[name] = stamp = blake2s(f"{tag}{shown}>{inner}".encode(), digest_size=6).hexdigest()
        self.own[name] = f'<{tag} id="{name}" data-part="{stamp}"{shown}>{inner}</{tag}>'
        return Markup(f"<!--part {name}-->")

    def whole(self, html: str | None = None) -> str:
        """The page, or one piece of it, with every hole filled."""
        return HOLE.sub(lambda hole: self.whole(self.own[hole[1]]), self.top if html is None else html)

    def changes(self, before: Mapping[str, str]) -> list[dict[str, str]]:
        """What must be sent to a screen that shows parts with these stamps."""
        return [{"id": name, "html": self.whole(self.own[name])} for name in self._changed(self.top, before)]

    def _changed(self, html: str, before: Mapping[str, str]) -> Iterator[str]:
        for hole in HOLE.finditer(html):
            name = hole[1]
            if before.get(name) != self.stamps[name]:
                yield name
            else:
                yield from self._changed(self.own[name], before)
