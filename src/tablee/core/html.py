"""Text that is HTML or SVG already, as a room's drawings are."""

from __future__ import annotations


class Html(str):
    """String that templates print as it is: they escape every other one."""

    __slots__ = ()

    def __html__(self) -> str:
        return self
