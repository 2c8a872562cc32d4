"""A scene is what a room's page needs besides the view, part by part: a part is made when a template asks for it, and then kept.

    class Scene(Parts):
        @cached_property
        def sea(self) -> str: ...

In a template `scene.sea`, in Python also `scene["sea"]`. Whatever does not begin with an underscore is a part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any


class LazyMapping(Mapping[str, Any]):
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
