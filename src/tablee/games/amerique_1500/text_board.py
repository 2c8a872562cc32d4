"""The table as text, for the terminal."""

from __future__ import annotations

from tablee.core.struct import Array
from tablee.games.amerique_1500.box import DECK, REQUESTS, SOCIETIES, Pieces
from tablee.games.amerique_1500.ending import score
from tablee.games.amerique_1500.forecast import spell
from tablee.games.amerique_1500.notation import ACTIONS
from tablee.games.amerique_1500.requests import asked, free_discs
from tablee.games.amerique_1500.state import State


def render(pieces: Pieces, state: State) -> str:
    """Render the requests with the seats that served them, then each seat: goods, discs, board and, where it is known, hand."""
    head = f"round {state.turns // state.seats + 1}  die {state.die or '-'}"
    if state.together:
        head += f"  special reserve {spell(state.spare) or '-'}"
    requests = [_request(pieces, state, each) for each in range(REQUESTS) if state.demands >> each & 1]
    return "\n".join([head, *requests, *(line for seat in range(state.seats) for line in _seat(pieces, state, seat))])


def _request(pieces: Pieces, state: State, request: int) -> str:
    discs = " ".join(str(seat) for seat in range(state.seats) if state.placed[seat] >> request & 1)
    return f"  {pieces.names.requests[request]:<12}{spell(pieces.box.request_cost[asked(state, request)]):<10}{discs}".rstrip()


def _seat(pieces: Pieces, state: State, seat: int) -> list[str]:
    society = state.society[seat]
    board = [item for item in range(pieces.box.items) if pieces.box.board[society, state.full] >> item & 1]
    items = "  ".join(_item(pieces, item, bool(state.made[seat] >> item & 1)) for item in board)
    hand = ", ".join(_cards(pieces, society, state.hand[seat])) or f"{state.held[seat]} cards"
    return [
        f"seat {seat}: {SOCIETIES[society]}, last action {ACTIONS[state.pawn[seat]]}",
        f"    goods  {spell(state.goods[seat]) or '-'}",
        f"    discs  {score(pieces.box, state, seat)} on requests, {free_discs(state, seat)} free",
        f"    items  {items}",
        f"    hand   {hand}",
    ]


def _item(pieces: Pieces, item: int, made: bool) -> str:
    return f"[{pieces.names.items[item]}]" if made else f"{pieces.names.items[item]} {spell(pieces.box.item_cost[item])}"


def _cards(pieces: Pieces, society: int, pile: Array) -> list[str]:
    return [
        pieces.names.cards[pieces.box.card_at[society, slot]] + (f" ×{pile[slot]}" if pile[slot] > 1 else "")
        for slot in range(DECK)
        if pile[slot]
    ]
