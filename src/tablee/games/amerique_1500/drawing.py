"""The table in characters for the terminal, and the box as a page for comparing it with the printed boards and cards."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tablee.core.rule import Array
from tablee.games.amerique_1500.box import DECK, FACES, ITEM_KINDS, MOST_TOOLS, NONE, REQUESTS, SOCIETIES, SPECIALS, Kit
from tablee.games.amerique_1500.forecast import spell
from tablee.games.amerique_1500.notation import ACTIONS
from tablee.games.amerique_1500.requests import asked, free_discs
from tablee.games.amerique_1500.state import State


def draw(kit: Kit, state: State) -> str:
    """The requests with the seats that served them, then each seat: goods, discs, board and, where it is known, hand."""
    head = f"round {int(state.turns) // int(state.seats) + 1}  die {int(state.die) or '-'}"
    if state.together:
        head += f"  special reserve {spell(state.spare) or '-'}"
    requests = [_request(kit, state, each) for each in range(REQUESTS) if state.demands >> each & 1]
    return "\n".join([head, *requests, *(line for seat in range(state.seats) for line in _seat(kit, state, seat))])


def _request(kit: Kit, state: State, request: int) -> str:
    discs = " ".join(str(seat) for seat in range(state.seats) if state.placed[seat] >> request & 1)
    return f"  {kit.names.requests[request]:<12}{spell(asked(kit.box, state, request)):<10}{discs}".rstrip()


def _seat(kit: Kit, state: State, seat: int) -> list[str]:
    society = int(state.society[seat])
    board = [item for item in range(kit.box.items) if kit.box.board[society, state.full] >> item & 1]
    items = "  ".join(_item(kit, item, bool(state.made[seat] >> item & 1)) for item in board)
    hand = ", ".join(_cards(kit, society, state.hand[seat])) or f"{int(state.held[seat])} cards"
    placed = bin(int(state.placed[seat])).count("1")
    return [
        f"seat {seat}: {SOCIETIES[society]}, last action {ACTIONS[state.pawn[seat]]}",
        f"    goods  {spell(state.goods[seat]) or '-'}",
        f"    discs  {placed} on requests, {int(free_discs(state, seat))} free",
        f"    items  {items}",
        f"    hand   {hand}",
    ]


def _item(kit: Kit, item: int, made: bool) -> str:
    return f"[{kit.names.items[item]}]" if made else f"{kit.names.items[item]} {spell(kit.box.item_cost[item])}"


def _cards(kit: Kit, society: int, pile: Array) -> list[str]:
    return [
        kit.names.cards[kit.box.card_at[society, slot]] + (f" ×{int(pile[slot])}" if pile[slot] > 1 else "")
        for slot in range(DECK)
        if pile[slot]
    ]


def picture(kit: Kit) -> str:
    """Every board and card as tables. It says that they are a reconstruction."""
    style = "body{font:16px sans-serif;margin:2em}table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid;padding:.3em .7em}"
    parts = [_die_table(kit), *(_society_table(kit, each) for each in range(len(SOCIETIES))), _request_table(kit)]
    top = f"<!doctype html><meta charset=utf-8><title>Amérique 1500</title><style>{style}</style><h1>Amérique 1500</h1>"
    note = (
        "<p>A reconstruction: the pictures of the booklet are lost, so the numbers below are ours. Compare and correct components.toml.</p>"
    )
    return top + note + "".join(parts)


def _table(title: str, head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    cells = [f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows]
    return f"<h2>{escape(title)}</h2><table><tr>{''.join(f'<th>{escape(cell)}</th>' for cell in head)}</tr>{''.join(cells)}</table>"


def _die_table(kit: Kit) -> str:
    rows = [
        (
            str(face),
            "everybody" if kit.box.die_all[face] else "active player",
            spell(kit.box.die_goods[face]),
            str(int(kit.box.die_cards[face])),
            str(int(kit.box.die_food[face])),
        )
        for face in range(1, FACES + 1)
    ]
    return _table("Nature die", ("face", "for", "goods", "cards", "foods of choice"), rows)


def _society_table(kit: Kit, society: int) -> str:
    items = [
        (
            kit.names.items[item],
            ITEM_KINDS[kit.box.item_kind[item]],
            spell(kit.box.item_cost[item]),
            "yes" if kit.box.board[society, 0] >> item & 1 else "no",
        )
        for item in range(kit.box.items)
        if kit.box.board[society, 1] >> item & 1
    ]
    title = f"{SOCIETIES[society]} ({kit.names.colours[society]}), starts with {spell(kit.box.start[society])}"
    board = _table(title, ("item", "kind", "cost", "quick game"), items)
    cards = [_card_row(kit, society, slot) for slot in range(kit.box.slots[society])]
    return board + _table(f"{SOCIETIES[society]}: cards", ("card", "copies", "gives", "with"), cards)


def _card_row(kit: Kit, society: int, slot: int) -> tuple[str, ...]:
    card = int(kit.box.card_at[society, slot])
    tools = [
        f"{kit.names.items[kit.box.card_tool[card, place]]}: {spell(kit.box.card_more[card * MOST_TOOLS + place])}"
        for place in range(MOST_TOOLS)
        if kit.box.card_tool[card, place] != NONE
    ]
    gives = SPECIALS[kit.box.card_special[card]] or spell(kit.box.card_gives[card]) or "-"
    return kit.names.cards[card], str(int(kit.box.copies[society, slot])), gives, ", ".join(tools)


def _request_table(kit: Kit) -> str:
    rows = [
        (kit.names.requests[each], spell(kit.box.request_cost[each]), spell(kit.box.request_cost[REQUESTS + each]))
        for each in range(REQUESTS)
    ]
    return _table("Requests", ("request", "quick", "full"), rows)
