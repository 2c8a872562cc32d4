"""What a seat may know: everything on the table, its own hand, and of another hand only how many cards it holds (R1).

A hidden hand is put back into its deck: what is known of the two is their union. `imagine` deals such a hand again.

The view, made from what was seen (goods are letters in the order GMFCWS, "GGW"; seats are numbers):

    game "quick" | "full"     cooperative     round (from 1)     over     won (None, or whether the team won)     winners [seat]
    phase     "set-up" "roll" "action" "barter" "cards" "craft" "requests" "over"
    first, active     seats; None before the lot is drawn
    awaits    [{seat, what, count}]     what: "action" "swap" "play" "make" "serve" "take" "food" "give" "hand" "spare"
              count: how many are left; None for swaps, as many as wished
    die       {face, all, goods, cards, food} as rolled in this turn, or None     faces: the six of them
    requests  [{key, goods, discs: [seat], servable}]     servable: the viewer has a free disc, the goods, and no disc on it
    target    discs that a player needs (3), or the team (3 each)     discs: those placed by all
    spare     the special reserve, "GGMW"; None without one
    barter    {ratio, taken} while bartering: goods given for one, and the kinds that are not given again; else None
    exchange  {partner, left} while goods are handed over; else None
    players   [{seat, society, colour, goods, total, pawn, discs: {free, placed, on_board}, hand, deck: numbers of cards,
              discard: {card: number}, unseen: {card: number} in hand and deck together, ratio,
              draws, plays, makes: what Explore, Play cards and Craft allow, items: [{key, kind, cost, made, affordable}]}]
    hand      the viewer's own, [] for a spectator:
              [{card, count, playable, gives, special, best, plain, tools: {item: goods}, needs, seats}]
              gives: what it would give right now; best: the tool that counts, or None; plain: what it gives without any;
              special: "feast" "neighbours" "exchange" or None; seats: whom an exchange may be played with
    forecast  {move as text: {out, get, cards, discs}}     for each legal move of the viewer: goods paid, goods got ("?" is a good of
              choice), cards drawn, discs placed
"""

from __future__ import annotations

import random
from typing import Any

from tablee.core.game import Seat, Seen
from tablee.core.rule import Array, numbers
from tablee.games.amerique_1500 import turn
from tablee.games.amerique_1500.barter import ratio
from tablee.games.amerique_1500.box import (
    DECK,
    EXCHANGE,
    FACES,
    GOODS,
    ITEM_KINDS,
    MOST_TOOLS,
    NONE,
    REQUESTS,
    SOCIETIES,
    SPECIALS,
    Kit,
)
from tablee.games.amerique_1500.cards import best_tool, gift, playable, plays
from tablee.games.amerique_1500.craft import crafts, to_make, travels
from tablee.games.amerique_1500.ending import DISCS_TO_WIN, team_discs, team_target, wins
from tablee.games.amerique_1500.forecast import forecast, spell
from tablee.games.amerique_1500.nature import cards_in
from tablee.games.amerique_1500.notation import ACTIONS
from tablee.games.amerique_1500.requests import DISCS_A_TURN, asked, free_discs
from tablee.games.amerique_1500.state import ACT, BARTERING, CRAFTING, LOT, OVER, PLAYING, SERVING, State
from tablee.games.amerique_1500.stock import covers

PHASES = ("set-up", "set-up", "roll", "action", "barter", "cards", "craft", "requests", "over")
STEPS = {ACT: "action", BARTERING: "swap", PLAYING: "play", CRAFTING: "make", SERVING: "serve"}


def observe(state: State, seat: Seat | None) -> Seen:
    seen = state.copy()
    for other in range(seen.seats):
        if other != seat:
            for slot in range(DECK):
                seen.deck[other, slot] += seen.hand[other, slot]
                seen.hand[other, slot] = 0
    return Seen(seat, seen)


def imagine(seen: Seen, rng: random.Random) -> State:
    """Every hidden hand dealt anew from what it may be; each card equally likely to be in it."""
    state: State = seen.state.copy()
    for other in range(state.seats):
        if other != seen.seat:
            union = [slot for slot in range(DECK) for _ in range(state.deck[other, slot])]
            for slot in rng.sample(union, int(state.held[other])):
                state.deck[other, slot] -= 1
                state.hand[other, slot] += 1
    return state


def legal_moves(kit: Kit, state: State, seat: Seat) -> list[int]:
    out = numbers(turn.MOST_MOVES)
    return [int(move) for move in out[: turn.legal(kit.box, state, int(seat), out)]]


def seats_to_act(state: State) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat in range(state.seats) if turn.awaited(state, seat))


def view(kit: Kit, seen: Seen) -> dict[str, Any]:
    state: State = seen.state
    over = bool(state.phase == OVER)
    return {
        "game": "full" if state.full else "quick",
        "cooperative": bool(state.together),
        "round": int(state.turns) // int(state.seats) + (0 if over and not state.together else 1),
        "over": over,
        "won": not state.lost if over and state.together else None,
        "winners": [seat for seat in range(state.seats) if over and wins(state, seat)],
        "phase": PHASES[state.phase],
        "first": int(state.first) if state.phase != LOT else None,
        "active": int(state.active) if state.phase != LOT else None,
        "awaits": [_awaited(kit, state, seat) for seat in seats_to_act(state)],
        "die": _face(kit, int(state.die)) if state.die and state.phase >= ACT else None,
        "faces": [_face(kit, face) for face in range(1, FACES + 1)],
        "requests": [_request(kit, state, request, seen.seat) for request in range(REQUESTS) if state.demands >> request & 1],
        "target": int(team_target(state)) if state.together else DISCS_TO_WIN,
        "discs": int(team_discs(state)),
        "spare": spell(state.spare) if state.together else None,
        "barter": _barter(kit, state),
        "exchange": {"partner": int(state.partner), "left": int(state.handing)} if state.handing else None,
        "players": [_player(kit, state, seat) for seat in range(state.seats)],
        "hand": _hand(kit, state, seen.seat) if seen.seat is not None else [],
        "forecast": _forecast(kit, state, seen.seat),
    }


def _awaited(kit: Kit, state: State, seat: Seat) -> dict[str, Any]:
    what, count = _what(kit, state, int(seat))
    return {"seat": int(seat), "what": what, "count": count}


def _what(kit: Kit, state: State, seat: int) -> tuple[str, int | None]:
    if state.owes[seat]:
        return "give", 1
    if state.handing:
        return "hand", int(state.handing)
    if state.picks[seat]:
        return "food" if state.phase == ACT else "take", int(state.picks[seat])
    if state.sparing:
        return "spare", 1
    made = int(state.made[seat])
    limits = {ACT: 1, PLAYING: plays(kit.box, made), CRAFTING: crafts(kit.box, made), SERVING: DISCS_A_TURN}
    phase = int(state.phase)
    return STEPS[phase], int(limits[phase]) - int(state.done) if phase in limits else None


def _face(kit: Kit, face: int) -> dict[str, Any]:
    return {
        "face": face,
        "all": bool(kit.box.die_all[face]),
        "goods": spell(kit.box.die_goods[face]),
        "cards": int(kit.box.die_cards[face]),
        "food": int(kit.box.die_food[face]),
    }


def _request(kit: Kit, state: State, request: int, viewer: Seat | None) -> dict[str, Any]:
    discs = [seat for seat in range(state.seats) if state.placed[seat] >> request & 1]
    cost = asked(kit.box, state, request)
    can = viewer is not None and viewer not in discs and free_discs(state, viewer) > 0 and covers(state.goods[viewer], cost)
    return {"key": kit.names.requests[request], "goods": spell(cost), "discs": discs, "servable": bool(can)}


def _barter(kit: Kit, state: State) -> dict[str, Any] | None:
    if state.phase != BARTERING:
        return None
    taken = "".join(letter for good, letter in enumerate(GOODS) if state.taken >> good & 1)
    return {"ratio": int(ratio(kit.box, int(state.full), int(state.made[state.active]))), "taken": taken}


def _player(kit: Kit, state: State, seat: int) -> dict[str, Any]:
    society, made = int(state.society[seat]), int(state.made[seat])
    placed = bin(int(state.placed[seat])).count("1")
    return {
        "seat": seat,
        "society": SOCIETIES[society],
        "colour": kit.names.colours[society],
        "goods": spell(state.goods[seat]),
        "total": int(state.goods[seat].sum()),
        "pawn": ACTIONS[state.pawn[seat]],
        "discs": {
            "free": int(free_discs(state, seat)),
            "placed": placed,
            "on_board": bin(int(to_make(kit.box, state, seat))).count("1"),
        },
        "hand": int(state.held[seat]),
        "deck": int(cards_in(state.deck[seat]) + cards_in(state.hand[seat]) - state.held[seat]),
        "discard": _pile(kit, society, list(state.discard[seat])),
        "unseen": _pile(kit, society, [int(a) + int(b) for a, b in zip(state.deck[seat], state.hand[seat], strict=True)]),
        "ratio": int(ratio(kit.box, int(state.full), made)),
        "draws": turn.CARDS_EXPLORED + int(travels(kit.box, made)),
        "plays": int(plays(kit.box, made)),
        "makes": int(crafts(kit.box, made)),
        "items": [
            _item(kit, item, bool(made >> item & 1), state.goods[seat])
            for item in range(kit.box.items)
            if kit.box.board[society, state.full] >> item & 1
        ],
    }


def _pile(kit: Kit, society: int, counts: list[int]) -> dict[str, int]:
    return {kit.names.cards[kit.box.card_at[society, slot]]: int(count) for slot, count in enumerate(counts) if count}


def _item(kit: Kit, item: int, made: bool, stock: Array) -> dict[str, Any]:
    return {
        "key": kit.names.items[item],
        "kind": ITEM_KINDS[kit.box.item_kind[item]],
        "cost": spell(kit.box.item_cost[item]),
        "made": made,
        "affordable": not made and bool(covers(stock, kit.box.item_cost[item])),
    }


def _hand(kit: Kit, state: State, seat: Seat) -> list[dict[str, Any]]:
    society = int(state.society[seat])
    return [_card(kit, state, int(seat), slot) for slot in range(kit.box.slots[society]) if state.hand[seat, slot]]


def _card(kit: Kit, state: State, seat: int, slot: int) -> dict[str, Any]:
    card, made = int(kit.box.card_at[state.society[seat], slot]), int(state.made[seat])
    best = int(best_tool(kit.box, card, made))
    tools = {
        kit.names.items[kit.box.card_tool[card, place]]: spell(kit.box.card_more[card * MOST_TOOLS + place])
        for place in range(MOST_TOOLS)
        if kit.box.card_tool[card, place] != NONE
    }
    exchange = kit.box.card_special[card] == EXCHANGE
    return {
        "card": kit.names.cards[card],
        "count": int(state.hand[seat, slot]),
        "playable": bool(playable(kit.box, state, seat, card)),
        "gives": spell(gift(kit.box, card, made)),
        "special": SPECIALS[kit.box.card_special[card]] or None,
        "best": list(tools)[best] if best != NONE else None,
        "plain": spell(kit.box.card_gives[card]),
        "tools": tools,
        "needs": bool(kit.box.card_needs[card]),
        "seats": [other for other in range(state.seats) if other != seat] if exchange else [],
    }


def _forecast(kit: Kit, state: State, seat: Seat | None) -> dict[str, dict[str, Any]]:
    if seat is None or seat not in seats_to_act(state):
        return {}
    return forecast(kit, state, seat, legal_moves(kit, state, seat))
