"""Drawings of the game as SVG symbols, one for each piece of the box, also for those that an owner adds.

shapes.py   basic shapes       backdrops.py  the land behind a card     goods.py     cubes       table.py  die, actions
plants.py   animals.py         materials.py  wood and stone             meetings.py  the three special cards
items.py    homes.py           homelands.py  where each society lives   dishes.py    the requests
people.py   four figures       weaving.py    emblems, discs, pawns, card backs and the border patterns
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from tablee.games.amerique_1500.art import (
    animals,
    backdrops,
    dishes,
    goods,
    homelands,
    homes,
    items,
    materials,
    meetings,
    people,
    plants,
    table,
    weaving,
)
from tablee.games.amerique_1500.art.shapes import Svg, slab, symbol
from tablee.games.amerique_1500.names import name

CARDS: Mapping[str, Callable[[], Svg]] = {**plants.CARDS, **animals.CARDS, **materials.CARDS, **meetings.CARDS}
ITEMS: Mapping[str, Callable[[], Svg]] = {**items.ITEMS, **homes.ITEMS}
REQUESTS: Mapping[str, Callable[[], Svg]] = dishes.REQUESTS


HIDDEN = 'xmlns="http://www.w3.org/2000/svg" width="0" height="0" style="position:absolute" aria-hidden="true"'


def label(text: str, top: float) -> Svg:
    """Draw a name across a square, for a piece without a drawing of its own."""
    size = min(15, 105 / max(len(text), 1))
    place = f'x="50" y="{top}" font-size="{size:.1f}" font-weight="700" text-anchor="middle" font-family="sans-serif"'
    return f'<text {place} fill="var(--am-ink)" stroke="none">{escape(text)}</text>'


def unknown_card(key: str, facts: Mapping[str, Any]) -> Svg:
    """Draw a plain land, the cube that the card gives, and the card's name."""
    with_tools = "".join(facts.get("with", {}).values()) if isinstance(facts.get("with"), dict) else ""
    good = next((letter for letter in f"{facts.get('gives', '')}{with_tools}" if letter in goods.SHAPES), "")
    return (
        backdrops.backdrop("field")
        + (goods.small(good, 26, 18, 48) if good else "")
        + slab(4, 74, 92, 20, "cream", soft=6)
        + label(name("card", key), 88)
    )


def unknown_thing(key: str) -> Svg:
    return slab(8, 22, 84, 56, "tan", soft=10) + slab(14, 28, 72, 44, "cream", soft=6) + label(name("item", key), 55)


def symbols(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return every symbol by its id, in the order of the box; `facts` is the content of `components.toml`."""
    drawn = [symbol(f"card-{key}", CARDS[key]() if key in CARDS else unknown_card(key, what)) for key, what in facts["cards"].items()]
    drawn += [symbol(f"item-{key}", ITEMS[key]() if key in ITEMS else unknown_thing(key)) for key in facts["items"]]
    drawn += [symbol(f"request-{key}", REQUESTS[key]() if key in REQUESTS else unknown_thing(key)) for key in facts["requests"]]
    drawn += backdrops.symbols() + goods.symbols() + table.symbols(facts["die"]) + people.symbols(facts["societies"])
    for society in facts["societies"]:
        drawn += [homelands.land_of(society), *weaving.symbols(society)]
    return {text.split('"', 2)[1]: text for text in drawn}


def sheet(facts: Mapping[str, Any]) -> str:
    """Return all symbols and border patterns as one hidden SVG, for the top of a page."""
    borders = "".join(weaving.pattern(society) for society in facts["societies"])
    body = "".join(symbols(facts).values())
    return f"<svg {HIDDEN}><defs>{borders}</defs>{body}</svg>"
