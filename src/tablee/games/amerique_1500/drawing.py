"""The table in characters for the terminal."""

from __future__ import annotations

from tablee.core.rule import Array
from tablee.games.amerique_1500.box import DECK, REQUESTS, SOCIETIES, Kit
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
