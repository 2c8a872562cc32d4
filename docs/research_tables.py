"""Writes the tables of docs/research.md anew from the rooms' `tensors.py`: python docs/research_tables.py"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tablee import games
from tablee.research.spaces import known, specialized_for

PAGE = Path(__file__).with_name("research.md")
BEGIN = "<!-- from the rooms' tensors.py: make it anew with `python docs/research_tables.py` -->\n"


def tables() -> str:
    """Of the house's own rooms."""
    own = [key for key in known() if games.package(key).startswith(games.__name__)]
    return "\n".join(line for key in own for line in table(key)) + "\n"


def table(key: str) -> Iterator[str]:
    """A room's fields and actions, and why they are these."""
    room, _ = specialized_for(key)
    game = games.find(key)
    yield f"\n### {game.title}\n\n{str(room.__doc__).strip()}\n\nBox: `{game.components.name}`, SHA-256 `{game.components.sha256}`.\n"
    yield "| field | shape | from | to | |\n|---|---|---|---|---|"
    for fields, lead in ((room.TABLE, ""), (room.SEAT, "seats x ")):
        for field in fields:
            yield f"| `{field.name}` | {lead}{' x '.join(map(str, field.shape))} | {field.least} | {field.most} | {field.says} |"
    yield "\n| actions | kind | |\n|---|---|---|"
    first = 0
    for kind in room.ACTIONS:
        span = f"{first}" if kind.size == 1 else f"{first} to {first + kind.size - 1}"
        yield f"| {span} | {kind.name} | {kind.says} |"
        first += kind.size


def written() -> str:
    """The page as it should be."""
    return PAGE.read_text(encoding="utf-8").partition(BEGIN)[0] + BEGIN + tables()


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
