"""Copying a record inside compiled code, which Numba has no words for: one memcpy."""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic


def _memcpy(typing: Any, one: Any, other: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        size = context.get_constant(types.intp, one.size)
        cgutils.raw_memcpy(builder, args[1], args[0], size, 1)
        return context.get_dummy_value()

    return types.void(one, other), generate


memcpy: Any = intrinsic(_memcpy)


def copy_memory(one: Any, other: Any) -> None:
    memcpy(one, other)
