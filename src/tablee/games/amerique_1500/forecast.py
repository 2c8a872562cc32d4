"""Effect of each legal move, shown before the move is made: goods paid and got, cards drawn, discs placed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from tablee.core.game import Move, Seat
from tablee.core.struct import Array
from tablee.games.amerique_1500.box import EXCHANGE, FEAST, GOODS, KINDS, SIMPLE, Pieces
from tablee.games.amerique_1500.cards import EXCHANGE_HANDS, EXCHANGE_TAKES, FEAST_TAKES, gift_of, neighbours_takes
from tablee.games.amerique_1500.craft import travels
from tablee.games.amerique_1500.notation import (
    DONE,
    EXPLORE,
    GIVE,
    MAKE,
    PLAY,
    SERVE,
    SPARE,
    SWAP,
    TAKE,
    card_played,
    show,
    swapped,
)
from tablee.games.amerique_1500.requests import asked
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.stock import total
from tablee.games.amerique_1500.turn import CARDS_EXPLORED

ANY = "?"  # a good that the taker or the giver chooses


def forecast(pieces: Pieces, state: State, seat: Seat, moves: Iterable[Move]) -> dict[str, dict[str, Any]]:
    return {show(pieces.names, move): {"out": "", "get": "", "cards": 0, "discs": 0, **effect(pieces, state, seat, move)} for move in moves}


def effect(pieces: Pieces, state: State, seat: int, move: Move) -> dict[str, Any]:
    if move == DONE:
        return {}
    if move >= PLAY:
        return _play_effect(pieces, state, seat, card_played(move))
    if move >= MAKE:
        return {"out": spell(pieces.box.item_cost[move - MAKE])}
    if move >= SERVE:
        return {"out": spell(pieces.box.request_cost[asked(state, move - SERVE)]), "discs": 1}
    if move >= SWAP:
        given, taken = swapped(move)
        return {"out": given, "get": taken}
    if move >= TAKE:
        return {"out" if GIVE <= move < SPARE else "get": GOODS[(move - TAKE) % KINDS]}
    return {"cards": CARDS_EXPLORED + travels(pieces.box, state.made[seat])} if move == EXPLORE else {}


def _play_effect(pieces: Pieces, state: State, seat: int, card: int) -> dict[str, Any]:
    special = pieces.box.card_special[card]
    if special == SIMPLE:
        return {"get": spell(pieces.box.gift[gift_of(pieces.box, card, state.made[seat])])}
    if special == FEAST:
        return {"get": ANY * FEAST_TAKES}
    if special == EXCHANGE:
        return {"out": ANY * EXCHANGE_HANDS, "get": ANY * EXCHANGE_TAKES}
    givers = sum(1 for other in range(state.seats) if other != seat and total(state.goods[other]))
    return {"get": ANY * (givers + neighbours_takes(state))}


def spell(stock: Array) -> str:
    """Return counts of goods as letters: "GGW"."""
    return spelled(tuple(stock))


@lru_cache(maxsize=1 << 12)
def spelled(stock: tuple[int, ...]) -> str:
    return "".join(letter * count for letter, count in zip(GOODS, stock, strict=True))
