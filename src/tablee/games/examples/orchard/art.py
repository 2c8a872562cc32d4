"""The drawings of the fruits, which pages use by their ids."""

from __future__ import annotations

SHAPES = {
    "apple": "M10 6c-2-2-7-1-7 4 0 4 3 8 5 8 1 0 1-.6 2-.6s1 .6 2 .6c2 0 5-4 5-8 0-5-5-6-7-4zM10 5c0-2 1-3 3-3 0 2-1 3-3 3z",
    "pear": "M10 4c-2 0-3 2-3 4 0 3-3 3-3 6s3 5 6 5 6-2 6-5-3-3-3-6c0-2-1-4-3-4zM9.5 1h1v3h-1z",
    "plum": "M10 4c-4 0-7 3-7 7.5S6 19 10 19s7-3 7-7.5S14 4 10 4zm.6 1c-1 4-1 9 0 13h-.8c-1-4-1-9 0-13z",
    "cherry": "M6 11a4 4 0 1 0 .1 0zM14 12a3.5 3.5 0 1 0 .1 0zM6 11C7 6 10 3 14 1l.5 1v10h-1V4C10 6 8 8 7 11z",
}


def art() -> str:
    symbols = "".join(
        f'<symbol id="fruit-{key}" viewBox="0 0 20 20"><path d="{path}" fill="currentcolor"/></symbol>' for key, path in SHAPES.items()
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"><defs>{symbols}</defs></svg>'
