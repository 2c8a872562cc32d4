"""What each legal move would do, before it is made: goods paid and got, cards drawn, discs placed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tablee.core.game import Move, Seat
from tablee.core.rule import Array
from tablee.games.amerique_1500.box import EXCHANGE, FEAST, GOODS, KINDS, MAX_SEATS, SIMPLE, Kit
from tablee.games.amerique_1500.cards import EXCHANGE_HANDS, EXCHANGE_TAKES, FEAST_TAKES, gift
from tablee.games.amerique_1500.craft import travels
from tablee.games.amerique_1500.notation import EXPLORE, GIVE, MAKE, PLAY, PLAY_TO, SERVE, SPARE, SWAP, TAKE, show, swapped
from tablee.games.amerique_1500.requests import asked
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.stock import total
from tablee.games.amerique_1500.turn import CARDS_EXPLORED

ANY = "?"  # a good of one's choice, or of the giver's


def forecast(kit: Kit, state: State, seat: Seat, moves: Iterable[Move]) -> dict[str, dict[str, Any]]:
    return {show(kit.names, move): {"out": "", "get": "", "cards": 0, "discs": 0, **effect(kit, state, int(seat), move)} for move in moves}


def effect(kit: Kit, state: State, seat: int, move: Move) -> dict[str, Any]:
    if move >= PLAY:
        return _play_effect(kit, state, seat, (move - PLAY_TO) // MAX_SEATS if move >= PLAY_TO else move - PLAY)
    if move >= MAKE:
        return {"out": spell(kit.box.item_cost[move - MAKE])}
    if move >= SERVE:
        return {"out": spell(asked(kit.box, state, move - SERVE)), "discs": 1}
    if move >= SWAP:
        given, taken = swapped(move)
        return {"out": given, "get": taken}
    if move >= TAKE:
        return {"out" if GIVE <= move < SPARE else "get": GOODS[(move - TAKE) % KINDS]}
    return {"cards": CARDS_EXPLORED + int(travels(kit.box, int(state.made[seat])))} if move == EXPLORE else {}


def _play_effect(kit: Kit, state: State, seat: int, card: int) -> dict[str, Any]:
    special = kit.box.card_special[card]
    if special == SIMPLE:
        return {"get": spell(gift(kit.box, card, int(state.made[seat])))}
    if special == FEAST:
        return {"get": ANY * FEAST_TAKES}
    if special == EXCHANGE:
        return {"out": ANY * EXCHANGE_HANDS, "get": ANY * EXCHANGE_TAKES}
    givers = sum(1 for other in range(state.seats) if other != seat and total(state.goods[other]))
    return {"get": ANY * (givers + int(state.seats == 2))}


def spell(stock: Array) -> str:
    """Counts of goods as letters: "GGW"."""
    return "".join(letter * int(count) for letter, count in zip(GOODS, stock, strict=True))
