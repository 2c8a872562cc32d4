"""Reasons of refused moves: the fault, the piece and the rule."""

from __future__ import annotations

from collections.abc import Callable

from tablee.core.errors import IllegalMove
from tablee.core.game import NATURE, Move, Seat
from tablee.core.i18n import mark, msg
from tablee.games.amerique_1500.barter import givable, ratio
from tablee.games.amerique_1500.box import EXCHANGE, FEAST, GOODS, NEIGHBOURS, NONE, Pieces
from tablee.games.amerique_1500.cards import EXCHANGE_HANDS
from tablee.games.amerique_1500.craft import to_make
from tablee.games.amerique_1500.events import spell_out
from tablee.games.amerique_1500.names import name
from tablee.games.amerique_1500.notation import (
    BARTER,
    CARDS,
    CRAFT,
    DONE,
    LOTS,
    MAKE,
    PLAY,
    SERVE,
    SWAP,
    TAKE,
    card_played,
    show,
    swapped,
)
from tablee.games.amerique_1500.requests import DISCS_A_TURN, asked, free_discs
from tablee.games.amerique_1500.state import ACT, BARTERING, CRAFTING, PLAYING, SERVING, State

Reason = Callable[[Pieces, State, int, Move], IllegalMove]


def refuse(pieces: Pieces, state: State, seat: Seat, move: Move) -> IllegalMove:
    if seat == NATURE:
        return IllegalMove(msg("{move} cannot come now", move=show(pieces.names, move)), "A6")
    if move >= LOTS:
        return IllegalMove(msg("players neither roll nor draw: nature does"), "A6")
    owed = _refuse_while_owed(state, seat)
    if owed:
        return owed
    reason = _REASONS.get((state.phase, _chapter(move)))
    if reason:
        return reason(pieces, state, seat, move)
    if state.phase == ACT:
        return IllegalMove(msg("choose an action first"), "A6")
    if state.phase in _CARRIED_OUT and not state.done:
        return IllegalMove(msg(_CARRIED_OUT[state.phase]), "R11")
    return IllegalMove(msg("that is not part of this step; close it with done"), "A6")


def _refuse_while_owed(state: State, seat: int) -> IllegalMove | None:
    if state.owes >> seat & 1:
        return IllegalMove(msg("give one good that you have"), "A13")
    if state.handing:
        return IllegalMove(msg("hand over a good that you have"), "A14")
    if state.picks[seat] and state.phase == ACT:
        return IllegalMove(msg("choose a food"), "A7")
    if state.picks[seat]:
        return IllegalMove(msg("choose a good from the reserve"), _CHOSEN_BY[state.special])
    if state.sparing:
        return IllegalMove(msg("take a good that lies in the special reserve"), "A18")
    return None


def _chapter(move: Move) -> int:
    """Return the first number of the move's kind, which stands for a part of the rules."""
    return max(first for first in (0, TAKE, SWAP, SERVE, MAKE, PLAY, DONE) if first <= move)


def _refuse_action(pieces: Pieces, state: State, seat: int, move: Move) -> IllegalMove:
    if move == BARTER:
        return IllegalMove(msg("you have too few goods to barter"), "R9")
    if move == CARDS:
        return IllegalMove(msg("no card of your hand can be played"), "R9")
    assert move == CRAFT
    return IllegalMove(msg("you cannot pay for any item of your board"), "R9")


def _refuse_swap(pieces: Pieces, state: State, seat: int, move: Move) -> IllegalMove:
    given, taken = swapped(move)
    rate = ratio(pieces.box, state.full, state.made[seat])
    if len(given) != rate:
        return IllegalMove(msg("you barter {rate} for 1", rate=rate), "A15" if state.full else "A8")
    if taken in given:
        return IllegalMove(msg("nobody swaps a good for the same good"), "R10")
    for letter in given:
        good = GOODS.index(letter)
        if state.taken >> good & 1:
            return IllegalMove(msg("{good} was taken in this barter and is not given again", good=msg(name("good", letter))), "R10")
        if givable(state, seat, good) < given.count(letter):
            return IllegalMove(msg("you do not have that much: {good}", good=msg(name("good", letter))), "A8")
    raise AssertionError("a legal swap is not refused")


def _refuse_play(pieces: Pieces, state: State, seat: int, move: Move) -> IllegalMove:
    card = card_played(move)
    title = msg(name("card", pieces.names.cards[card]))
    slot = pieces.box.slot_of[state.society[seat], card]
    if slot == NONE or not state.hand[seat, slot]:
        return IllegalMove(msg("{card} is not in your hand", card=title), "A8")
    if pieces.box.card_needs[card]:
        return IllegalMove(msg("{card} needs a weapon that you have crafted", card=title), "R2")
    if pieces.box.card_special[card] == EXCHANGE and sum(state.goods[seat]) < EXCHANGE_HANDS:
        return IllegalMove(msg("{card} needs two goods to give", card=title), "R2")
    return IllegalMove(msg("an exchange, and nothing else, is played with another player: play exchange 1"), "A14")


def _refuse_make(pieces: Pieces, state: State, seat: int, move: Move) -> IllegalMove:
    item = move - MAKE
    title = msg(name("item", pieces.names.items[item]))
    if state.made[seat] >> item & 1:
        return IllegalMove(msg("{item} is already crafted", item=title), "A8")
    if not to_make(pieces.box, state, seat) >> item & 1:
        return IllegalMove(msg("{item} is not on your craft board", item=title), "A4")
    return IllegalMove(msg("{item} costs {goods}", item=title, goods=spell_out(pieces.box.item_cost[item])), "A8")


def _refuse_serve(pieces: Pieces, state: State, seat: int, move: Move) -> IllegalMove:
    request = move - SERVE
    title = msg(name("request", pieces.names.requests[request]))
    if not state.demands >> request & 1:
        return IllegalMove(msg("{request} is not one of the open requests", request=title), "A5")
    if state.placed[seat] >> request & 1:
        return IllegalMove(msg("{request} already holds one of your discs", request=title), "A9")
    if state.done == DISCS_A_TURN:
        return IllegalMove(msg("at most two discs a turn"), "A9")
    if not free_discs(state, seat):
        return IllegalMove(msg("you have no free disc: craft an item first"), "A9")
    cost = spell_out(pieces.box.request_cost[asked(state, request)])
    return IllegalMove(msg("{request} asks for {goods}", request=title, goods=cost), "A9")


_CARRIED_OUT = {
    BARTERING: mark("make at least one swap before you go on"),
    PLAYING: mark("play at least one card before you go on"),
    CRAFTING: mark("craft at least one item before you go on"),
}
_CHOSEN_BY = {FEAST: "A12", NEIGHBOURS: "A13", EXCHANGE: "A14"}
_REASONS: dict[tuple[int, int], Reason] = {
    (ACT, 0): _refuse_action,
    (BARTERING, SWAP): _refuse_swap,
    (PLAYING, PLAY): _refuse_play,
    (CRAFTING, MAKE): _refuse_make,
    (SERVING, SERVE): _refuse_serve,
}
