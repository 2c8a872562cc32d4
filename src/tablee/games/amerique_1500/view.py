"""The view: a seat's knowledge as JSON, for the API and the page.

Goods are letters in the order GMFCWS, "GGW"; seats are numbers; view_types.py describes every field.
"""

from __future__ import annotations

from functools import cache, lru_cache
from operator import add
from typing import Any, NamedTuple

from tablee.core.contract import NATURE_NEXT
from tablee.core.game import Observation, Seat
from tablee.core.kernel import sorted_legal_moves
from tablee.core.struct import Array, fill, int_array
from tablee.games.amerique_1500 import turn
from tablee.games.amerique_1500.barter import ratio
from tablee.games.amerique_1500.box import (
    EXCHANGE,
    FACES,
    GIFTS,
    GOODS,
    ITEM_KINDS,
    KINDS,
    MOST_TOOLS,
    NEIGHBOURS,
    NONE,
    REQUESTS,
    SOCIETIES,
    SPECIALS,
    Pieces,
)
from tablee.games.amerique_1500.cards import best_tool, gift_of, neighbours_takes, playable, plays
from tablee.games.amerique_1500.cooperative import WARNING_FACE
from tablee.games.amerique_1500.craft import crafts, to_make, travels
from tablee.games.amerique_1500.ending import DISCS_TO_WIN, deciding_goods, is_last_round, ranking, score, team_discs, team_target, wins
from tablee.games.amerique_1500.forecast import forecast, spell, spelled
from tablee.games.amerique_1500.notation import ACTIONS
from tablee.games.amerique_1500.requests import DISCS_A_TURN, asked, free_discs, servable
from tablee.games.amerique_1500.state import ACT, BARTERING, CRAFTING, ENDED, LOT, PLAYING, SERVING, State
from tablee.games.amerique_1500.stock import covers

CACHE_SIZE = 1 << 12  # players, and cards
PHASES = ("set-up", "set-up", "roll", "action", "barter", "cards", "craft", "requests", "over")
STEPS = {ACT: "action", BARTERING: "swap", PLAYING: "play", CRAFTING: "make", SERVING: "serve"}


def view(pieces: Pieces, seen: Observation[State]) -> dict[str, Any]:
    state = seen.state
    over, to_act = state.phase == ENDED, _seats_to_act(pieces, state)
    return {
        "game": "full" if state.full else "quick",
        "cooperative": bool(state.together),
        "round": state.turns // state.seats + (0 if over and not state.together else 1),
        "over": over,
        "won": not state.lost if over and state.together else None,
        "winners": [seat for seat in range(state.seats) if over and wins(pieces.box, state, seat)],
        "ranking": [{"seat": seat, "place": place} for seat, place in ranking(pieces.box, state)] if over else [],
        "deciding_goods": deciding_goods(pieces.box, state) if over else [],
        "last_round": not over and is_last_round(state),
        "phase": PHASES[state.phase],
        "first": state.first if state.phase != LOT else None,
        "active": state.active if state.phase != LOT else None,
        "awaits": [_awaited(pieces, state, seat) for seat in to_act],
        "die": _faces(pieces)[state.die - 1] if state.die and state.phase >= ACT else None,
        "faces": _faces(pieces),
        "requests": _requests(pieces, state, seen.seat),
        "target": team_target(state) if state.together else DISCS_TO_WIN,
        "discs": team_discs(state),
        "spare": spell(state.spare) if state.together else None,
        "barter": _barter(pieces, state),
        "exchange": {"partner": state.partner, "left": state.handing} if state.handing else None,
        "players": [_player(pieces, _player_key(pieces, state, seat)) for seat in range(state.seats)],
        "hand": _hand(pieces, state, seen.seat) if seen.seat is not None else [],
        "forecast": _forecast(pieces, state, seen.seat) if seen.seat is not None and seen.seat in to_act else {},
    }


def _seats_to_act(pieces: Pieces, state: State) -> list[int]:
    awaited = turn.to_act(pieces.box, state)
    return [seat for seat in range(state.seats) if awaited != NATURE_NEXT and awaited >> seat & 1]


def _awaited(pieces: Pieces, state: State, seat: int) -> dict[str, Any]:
    what, count = _what(pieces, state, seat)
    return {"seat": seat, "what": what, "count": count}


def _what(pieces: Pieces, state: State, seat: int) -> tuple[str, int | None]:
    if state.owes >> seat & 1:
        return "give", 1
    if state.handing:
        return "hand", state.handing
    if state.picks[seat]:
        return "food" if state.phase == ACT else "take", state.picks[seat]
    if state.sparing:
        return "spare", 1
    made = state.made[seat]
    limits = {ACT: 1, PLAYING: plays(pieces.box, made), CRAFTING: crafts(pieces.box, made), SERVING: DISCS_A_TURN}
    return STEPS[state.phase], limits[state.phase] - state.done if state.phase in limits else None


@cache
def _faces(pieces: Pieces) -> list[dict[str, Any]]:
    return [_face(pieces, face) for face in range(1, FACES + 1)]


def _face(pieces: Pieces, face: int) -> dict[str, Any]:
    return {
        "face": face,
        "all": bool(pieces.box.die_all[face]),
        "goods": spell(pieces.box.die_goods[face]),
        "cards": pieces.box.die_cards[face],
        "food": pieces.box.die_food[face],
        "warns": face == WARNING_FACE,
    }


def _requests(pieces: Pieces, state: State, viewer: Seat | None) -> list[dict[str, Any]]:
    can_serve = servable(pieces.box, state, viewer) if viewer is not None else 0
    return [_request(pieces, state, request, can_serve) for request in range(REQUESTS) if state.demands >> request & 1]


def _request(pieces: Pieces, state: State, request: int, can_serve: int) -> dict[str, Any]:
    return {
        "key": pieces.names.requests[request],
        "goods": spell(pieces.box.request_cost[asked(state, request)]),
        "discs": [seat for seat in range(state.seats) if state.placed[seat] >> request & 1],
        "servable": bool(can_serve >> request & 1),
    }


def _barter(pieces: Pieces, state: State) -> dict[str, Any] | None:
    if state.phase != BARTERING:
        return None
    taken = "".join(letter for good, letter in enumerate(GOODS) if state.taken >> good & 1)
    return {"ratio": ratio(pieces.box, state.full, state.made[state.active]), "taken": taken}


class PlayerKey(NamedTuple):
    """Cache key of a player's public view: everything that it depends on."""

    seat: int
    society: int
    full: int
    made: int
    free: int
    placed: int
    on_board: int
    pawn: int
    held: int
    goods: tuple[int, ...]
    discard: tuple[int, ...]
    unseen: tuple[int, ...]


def _player_key(pieces: Pieces, state: State, seat: int) -> PlayerKey:
    return PlayerKey(
        seat,
        state.society[seat],
        state.full,
        state.made[seat],
        free_discs(state, seat),
        score(pieces.box, state, seat),
        to_make(pieces.box, state, seat).bit_count(),
        state.pawn[seat],
        state.held[seat],
        tuple(state.goods[seat]),
        tuple(state.discard[seat]),
        tuple(map(add, state.deck[seat], state.hand[seat])),
    )


@lru_cache(maxsize=CACHE_SIZE)
def _player(pieces: Pieces, key: PlayerKey) -> dict[str, Any]:
    box, society, made = pieces.box, key.society, key.made
    return {
        "seat": key.seat,
        "society": SOCIETIES[society],
        "colour": pieces.names.colours[society],
        "goods": spelled(key.goods),
        "total": sum(key.goods),
        "pawn": ACTIONS[key.pawn],
        "discs": {"free": key.free, "placed": key.placed, "on_board": key.on_board},
        "hand": key.held,
        "deck": sum(key.unseen) - key.held,
        "discard": _pile(pieces, society, key.discard),
        "unseen": _pile(pieces, society, key.unseen),
        "ratio": ratio(box, key.full, made),
        "draws": turn.CARDS_EXPLORED + travels(box, made),
        "plays": plays(box, made),
        "makes": crafts(box, made),
        "items": _items(pieces, key),
    }


def _pile(pieces: Pieces, society: int, counts: tuple[int, ...]) -> dict[str, int]:
    return {pieces.names.cards[pieces.box.card_at[society, slot]]: count for slot, count in enumerate(counts) if count}


def _items(pieces: Pieces, key: PlayerKey) -> list[dict[str, Any]]:
    box, stock = pieces.box, int_array(KINDS)
    fill(stock, key.goods)
    board = box.board[key.society, key.full]
    return [_item(pieces, item, bool(key.made >> item & 1), stock) for item in range(box.items) if board >> item & 1]


def _item(pieces: Pieces, item: int, made: bool, stock: Array) -> dict[str, Any]:
    return {
        "key": pieces.names.items[item],
        "kind": ITEM_KINDS[pieces.box.item_kind[item]],
        "cost": spell(pieces.box.item_cost[item]),
        "made": made,
        "affordable": not made and covers(stock, pieces.box.item_cost[item]),
    }


def _hand(pieces: Pieces, state: State, seat: Seat) -> list[dict[str, Any]]:
    return [_card(pieces, state, seat, slot) for slot in range(pieces.box.slots[state.society[seat]]) if state.hand[seat, slot]]


def _card(pieces: Pieces, state: State, seat: int, slot: int) -> dict[str, Any]:
    box = pieces.box
    card = box.card_at[state.society[seat], slot]
    exchange = box.card_special[card] == EXCHANGE
    return {
        "card": pieces.names.cards[card],
        "count": state.hand[seat, slot],
        "playable": playable(box, state, seat, slot),
        **_gifts(pieces, card, state.made[seat]),
        "takes": neighbours_takes(state) if box.card_special[card] == NEIGHBOURS else 0,
        "seats": [other for other in range(state.seats) if other != seat] if exchange else [],
    }


@lru_cache(maxsize=CACHE_SIZE)
def _gifts(pieces: Pieces, card: int, made: int) -> dict[str, Any]:
    """Return the gifts of a card for a seat that has crafted these items."""
    box, best = pieces.box, best_tool(pieces.box, card, made)
    tools = {
        pieces.names.items[box.card_tool[card, place]]: spell(box.gift[card * GIFTS + 1 + place])
        for place in range(MOST_TOOLS)
        if box.card_tool[card, place] != NONE
    }
    return {
        "gives": spell(box.gift[gift_of(box, card, made)]),
        "special": SPECIALS[box.card_special[card]] or None,
        "best": list(tools)[best] if best != NONE else None,
        "plain": spell(box.gift[card * GIFTS]),
        "tools": tools,
        "needs": bool(box.card_needs[card]),
    }


def _forecast(pieces: Pieces, state: State, seat: Seat) -> dict[str, dict[str, Any]]:
    return forecast(pieces, state, seat, sorted_legal_moves(turn.legal, turn.MOST_MOVES, pieces.box, state, seat))
