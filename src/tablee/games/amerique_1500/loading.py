"""Box loader: read and check components.toml, which owners of the game correct; every fault names its line."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tablee.core.components import Components
from tablee.core.i18n import Message, mark, msg
from tablee.core.jit import using_python
from tablee.core.struct import fill
from tablee.games.amerique_1500.box import (
    DECK,
    FACES,
    GIFTS,
    GOODS,
    ITEM_KINDS,
    MAX_SEATS,
    MOST_CARDS,
    MOST_ITEMS,
    MOST_TOOLS,
    NONE,
    REQUESTS,
    SOCIETIES,
    SPECIALS,
    TOOL,
    VALUE_UNITS,
    WIN_UNITS,
    Box,
    Names,
    Pieces,
)
from tablee.games.amerique_1500.plan import precompute_gains

DISCS = {"blue": 7, "pink": 7, "green": 6, "white": 6}  # as many as items on the full board
SIDES = ("quick", "full")
LEAST_ITEMS = 3  # a disc each for the three requests that win (A10)
MOST_BONUS = 9
LEARNED_VALUE_FILE, WIN_MODEL_FILE = (Path(__file__).with_name(f"{name}.json") for name in ("learned_value", "win_model"))
MOST_GOODS = 40  # in one entry of the file: more than the box has of any kind


def load_pieces(components: Components) -> Pieces:
    box = Box()
    items, cards, requests = (_keys(components, table) for table in ("items", "cards", "requests"))
    _count(components, "items", items, 1, MOST_ITEMS)
    _count(components, "cards", cards, 1, MOST_CARDS)
    _count(components, "requests", requests, REQUESTS, REQUESTS)
    _load_die(box, components)
    _load_items(box, components, items)
    _load_cards(box, components, cards, items)
    _load_requests(box, components, requests)
    colours = tuple(_load_society(box, components, number, cards, items) for number in range(len(SOCIETIES)))
    _load_reserve(box, components)
    with using_python(__package__):  # loading machine code takes longer, and a command that only opens the box needs none
        precompute_gains(box)
    _load_weights(box)
    return Pieces(box, Names(items, cards, requests, colours))


def _keys(components: Components, table: str) -> tuple[str, ...]:
    """Return the names inside a table; each must be fit to be written in a move."""
    found = components.data.get(table)
    if not isinstance(found, dict):
        raise components.fault(msg("the table [{table}] is missing", table=table))
    for key in found:
        if not re.fullmatch("[a-z][a-z_0-9]*", key):
            raise components.fault(msg("{key!r} cannot be written in a move: use small letters, digits and _", key=key), table, key)
    return tuple(found)


def _count(components: Components, table: str, keys: tuple[str, ...], low: int, high: int) -> None:
    if not low <= len(keys) <= high:
        wanted: Message | int = low if low == high else msg("{low} to {high}", low=low, high=high)
        sentence = mark("[{table}] has {count} line, not {wanted}", "[{table}] has {count} lines, not {wanted}")
        raise components.fault(msg(*sentence, table=table, wanted=wanted, count=len(keys)), table)


def _table(components: Components, table: str, key: str, allowed: Iterable[str]) -> dict[str, Any]:
    """Return one line of a table; words that are not allowed in it are faults."""
    found = components.value(table, key)
    if not isinstance(found, dict):
        raise components.fault(msg("{key} must be written as {shape}", key=key, shape="{ ... }"), table, key)
    for word in found:
        if word not in allowed:
            raise components.fault(
                msg("{key} has no {word!r}; it may have: {allowed}", key=key, word=word, allowed=", ".join(allowed)), table, key
            )
    return found


def _goods(components: Components, found: Any, table: str, key: str, least: int = 0) -> list[int]:
    """Return goods such as "WWG" as counts."""
    if not isinstance(found, str) or not set(found) <= set(GOODS) or not least <= len(found) <= MOST_GOODS:
        raise components.fault(
            msg("{key}: {found!r} is not a list of goods such as {goods}", key=key, found=str(found), goods="WWG"), table, key
        )
    return [found.count(letter) for letter in GOODS]


def _flag(components: Components, line: dict[str, Any], word: str, table: str, key: str) -> bool:
    found = line.get(word, False)
    if not isinstance(found, bool):
        raise components.fault(msg("{key}: {word} must be true or false", key=key, word=word), table, key)
    return found


def _load_die(box: Box, components: Components) -> None:
    for face in range(1, FACES + 1):
        key = str(face)
        line = _table(components, "die", key, ("all", "goods", "cards", "food"))
        box.die_all[face] = _flag(components, line, "all", "die", key)
        box.die_goods[face] = _goods(components, line.get("goods", ""), "die", key)
        for word, printed in (("cards", box.die_cards), ("food", box.die_food)):
            count = line.get(word, 0)
            if type(count) is not int or not 0 <= count <= MOST_BONUS:
                raise components.fault(
                    msg("{key} must be a whole number from {low} to {high}", key=word, low=0, high=MOST_BONUS), "die", key
                )
            printed[face] = count


def _load_items(box: Box, components: Components, items: tuple[str, ...]) -> None:
    box.items = len(items)
    for number, key in enumerate(items):
        line = _table(components, "items", key, ("kind", "cost"))
        if line.get("kind") not in ITEM_KINDS:
            raise components.fault(msg("{key}: kind must be one of: {known}", key=key, known=", ".join(ITEM_KINDS)), "items", key)
        box.item_kind[number] = ITEM_KINDS.index(line["kind"])
        box.item_cost[number] = _goods(components, line.get("cost"), "items", key, least=1)
        box.of_kind[box.item_kind[number]] |= 1 << number


def _load_cards(box: Box, components: Components, cards: tuple[str, ...], items: tuple[str, ...]) -> None:
    for number, key in enumerate(cards):
        line = _table(components, "cards", key, ("gives", "with", "needs", "special"))
        special = line.get("special", "")
        if special not in SPECIALS or (special and len(line) > 1):
            known = ", ".join(SPECIALS[1:])
            raise components.fault(msg("{key}: special stands alone and is one of: {known}", key=key, known=known), "cards", key)
        box.card_special[number] = SPECIALS.index(special)
        _set_gift(box, number * GIFTS, _goods(components, line.get("gives", ""), "cards", key))
        box.card_needs[number] = _flag(components, line, "needs", "cards", key)
        _load_tools(box, components, (number, key), line.get("with", {}), items)
        if not special and bool(line.get("gives")) == bool(box.card_needs[number]):
            raise components.fault(msg("{key} either gives goods or needs a tool", key=key), "cards", key)
        if box.card_needs[number] and box.card_tool[number, 0] == NONE:
            raise components.fault(msg("{key} needs a tool but names none", key=key), "cards", key)


def _load_tools(box: Box, components: Components, named: tuple[int, str], tools: Any, items: tuple[str, ...]) -> None:
    number, card = named
    box.card_tool[number] = NONE
    if not isinstance(tools, dict) or len(tools) > MOST_TOOLS:
        sentence = mark("{key}: with names at most {count} tool", "{key}: with names at most {count} tools")
        raise components.fault(msg(*sentence, key=card, count=MOST_TOOLS), "cards", card)
    for place, (tool, more) in enumerate(tools.items()):
        if tool not in items or box.item_kind[items.index(tool)] != TOOL:
            raise components.fault(msg("{key}: {word!r} is not a tool of [items]", key=card, word=tool), "cards", card)
        box.card_tool[number, place] = items.index(tool)
        _set_gift(box, number * GIFTS + 1 + place, _goods(components, more, "cards", card, least=1))


def _set_gift(box: Box, row: int, goods: list[int]) -> None:
    box.gift[row] = goods
    box.gift_size[row] = sum(goods)


def _load_requests(box: Box, components: Components, requests: tuple[str, ...]) -> None:
    for number, key in enumerate(requests):
        line = _table(components, "requests", key, SIDES)
        for side, word in enumerate(SIDES):
            box.request_cost[side * REQUESTS + number] = _goods(components, line.get(word), "requests", key, least=1)


def _load_society(box: Box, components: Components, number: int, cards: tuple[str, ...], items: tuple[str, ...]) -> str:
    """Load one society's board and deck, and return the colour of its discs."""
    table = f"societies.{SOCIETIES[number]}"
    colour = components.value(table, "colour")
    others = [components.data["societies"].get(other, {}).get("colour") for other in SOCIETIES[:number]]
    if not isinstance(colour, str) or colour not in DISCS or colour in others:
        raise components.fault(msg("each society has a colour of its own: {known}", known=", ".join(DISCS)), table, "colour")
    box.start[number] = _goods(components, components.value(table, "start"), table, "start")
    for side, word in enumerate(SIDES):
        box.board[number, side] = sum(1 << item for item in _board(components, table, word, items))
        if not side and box.board[number, side] & ~box.of_kind[TOOL]:
            raise components.fault(msg("the quick board has tools only (A15, A16)"), table, word)
    if len(components.value(table, "full")) != DISCS[colour]:
        sentence = mark(
            "the {colour} society has {count} disc, so {count} item on its full board",
            "the {colour} society has {count} discs, so {count} items on its full board",
        )
        raise components.fault(msg(*sentence, colour=colour, count=DISCS[colour]), table, "full")
    _load_deck(box, components, number, table, cards)
    return str(colour)


def _board(components: Components, table: str, side: str, items: tuple[str, ...]) -> list[int]:
    found = components.value(table, side)
    if not isinstance(found, list) or any(item not in items for item in found) or len(set(found)) != len(found) or len(found) < LEAST_ITEMS:
        sentence = mark(
            "{side} must list at least {count} name from [items]", "{side} must list at least {count} different names from [items]"
        )
        raise components.fault(msg(*sentence, side=side, count=LEAST_ITEMS), table, side)
    return [items.index(item) for item in found]


def _load_deck(box: Box, components: Components, number: int, table: str, cards: tuple[str, ...]) -> None:
    deck = components.value(table, "cards")
    if not isinstance(deck, dict) or any(card not in cards or type(copies) is not int or copies < 1 for card, copies in deck.items()):
        raise components.fault(msg("cards must give names from [cards] and how many of each"), table, "cards")
    if sum(deck.values()) != DECK:
        sentence = mark("this society has {count} card, not {wanted}", "this society has {count} cards, not {wanted}")
        raise components.fault(msg(*sentence, wanted=DECK, count=sum(deck.values())), table, "cards")
    box.slots[number] = len(deck)
    box.slot_of[number] = NONE
    for slot, (card, copies) in enumerate(deck.items()):
        box.card_at[number, slot], box.copies[number, slot] = cards.index(card), copies
        box.slot_of[number, cards.index(card)] = slot


def _load_reserve(box: Box, components: Components) -> None:
    for seats in range(2, MAX_SEATS + 1):
        box.spare[seats] = _goods(components, components.value("cooperative", str(seats)), "cooperative", str(seats), least=1)


def _load_weights(box: Box) -> None:
    """Load the learned weights if they were trained with this box.

    With any other box a search uses the hand-made evaluation.
    """
    box.checksum, box.value_units = zlib.crc32(box.tobytes()), VALUE_UNITS
    value_network, win_network = (json.loads(file.read_text(encoding="utf-8")) for file in (LEARNED_VALUE_FILE, WIN_MODEL_FILE))
    if value_network["box"] == win_network["box"] == box.checksum:
        box.win_units = WIN_UNITS
        for stored, weights in ((value_network, box.learned_weights), (win_network, box.win_weights)):
            rows = (row for matrix in stored["weights"] for row in matrix)
            for number, row in zip(range(len(weights)), rows, strict=True):
                fill(weights[number], row)
