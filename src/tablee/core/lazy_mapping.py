"""Lazy mapping for scenes, the data that a room's page needs besides the view: values are computed on first access.

    class Scene(LazyMapping):
        @cached_property
        def sea(self) -> str: ...

In a template `scene.sea`, in Python also `scene["sea"]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any


class LazyMapping(Mapping[str, Any]):
    """Mapping of the attributes of a subclass; every public name is a key."""

    def __getitem__(self, name: str) -> Any:
        if name not in _keys(type(self)):
            raise KeyError(name)
        return getattr(self, name)

    def __iter__(self) -> Iterator[str]:
        return iter(_keys(type(self)))

    def __len__(self) -> int:
        return len(_keys(type(self)))


@cache
def _keys(kind: type[LazyMapping]) -> dict[str, None]:
    return {name: None for name in dir(kind) if not name.startswith("_") and not hasattr(LazyMapping, name)}
