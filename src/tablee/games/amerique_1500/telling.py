"""What the table is told of a move. Who drew which card is told to its owner alone (R1)."""

from __future__ import annotations

from tablee.core.game import Event, Move, Seat
from tablee.core.rule import Array
from tablee.core.words import Say, say
from tablee.games.amerique_1500.box import GOODS, KINDS, MAX_SEATS, MOST_CARDS, SIMPLE, SOCIETIES, Kit
from tablee.games.amerique_1500.cards import gift
from tablee.games.amerique_1500.ending import DISCS_TO_WIN, wins
from tablee.games.amerique_1500.names import name
from tablee.games.amerique_1500.notation import (
    ACTIONS,
    DEAL,
    DEMAND,
    DONE,
    GIVE,
    HAND,
    LOTS,
    MAKE,
    PLAY,
    PLAY_TO,
    ROLLS,
    SERVE,
    SPARE,
    SWAP,
    TAKE,
    dealt_to,
    swapped,
)
from tablee.games.amerique_1500.requests import asked
from tablee.games.amerique_1500.state import OVER, State


def events(kit: Kit, before: State, seat: Seat, move: Move, after: State) -> tuple[Event, ...]:
    """`before` and `after` are the states around the move."""
    told = _nature(kit, move) if move >= LOTS else _deed(kit, before, seat, move)
    return tuple(told + _ending(before, seat, after))


def _nature(kit: Kit, move: Move) -> list[Event]:
    if move >= DEAL:
        card = say(name("card", kit.names.cards[(move - DEAL) % MOST_CARDS]))
        owner = dealt_to(move)
        return [Event("deal", say("Draws {card}", card=card), owner, only=owner, otherwise=say("Draws a card"))]
    if move >= DEMAND:
        request = kit.names.requests[move - DEMAND]
        return [Event("request", say("A request lies open: {request}", request=say(name("request", request))), place=request)]
    if move >= ROLLS:
        return [Event("roll", _rolled(kit, move - ROLLS))]
    return [Event("first", say("Begins the game"), Seat(move - LOTS))]


def _rolled(kit: Kit, face: int) -> Say:
    """A7: the bonus, and whose it is."""
    bonus = spell_out(kit.box.die_goods[face])
    if kit.box.die_cards[face]:
        bonus += (say("cards ×{count}", count=int(kit.box.die_cards[face])),)
    if kit.box.die_food[face]:
        bonus += (say("foods of choice ×{count}", count=int(kit.box.die_food[face])),)
    if kit.box.die_all[face]:
        return say("The die shows {face}, for everybody: {bonus}", face=face, bonus=bonus)
    return say("The die shows {face}, for the active player: {bonus}", face=face, bonus=bonus)


def spell_out(stock: Array) -> tuple[Say, ...]:
    """Goods as a list of sentences: "Wood x 2, Stone"."""
    return tuple(_several(GOODS[good], int(stock[good])) for good in range(KINDS) if stock[good])


def _several(letter: str, count: int) -> Say:
    good = say(name("good", letter))
    return say("{good} ×{count}", good=good, count=count) if count > 1 else good


def _deed(kit: Kit, state: State, seat: Seat, move: Move) -> list[Event]:
    if move >= PLAY:
        return [_played(kit, state, seat, move)]
    if move >= MAKE:
        item = kit.names.items[move - MAKE]
        sentence = say("Crafts {item} for {goods}", item=say(name("item", item)), goods=spell_out(kit.box.item_cost[move - MAKE]))
        return [Event("make", sentence, seat, place=item)]
    if move >= SERVE:
        request = kit.names.requests[move - SERVE]
        cost = spell_out(asked(kit.box, state, move - SERVE))
        return [
            Event("score", say("Serves {request} with {goods}", request=say(name("request", request)), goods=cost), seat, 1, place=request)
        ]
    if move >= SWAP:
        given, taken = (tuple(say(name("good", letter)) for letter in side) for side in swapped(move))
        return [Event("swap", say("Swaps {given} for {taken}", given=given, taken=taken), seat)]
    if move >= TAKE:
        return [_chosen(state, seat, move)]
    return [] if move == DONE else [Event("action", say("Chooses {action}", action=say(name("action", ACTIONS[move]))), seat)]


def _played(kit: Kit, state: State, seat: Seat, move: Move) -> Event:
    card = (move - PLAY_TO) // MAX_SEATS if move >= PLAY_TO else move - PLAY
    key, goods = kit.names.cards[card], spell_out(gift(kit.box, card, int(state.made[seat])))
    title = say(name("card", key))
    if move >= PLAY_TO:
        return Event(
            "play", say("Plays {card} with: {society}", card=title, society=_people(state, (move - PLAY_TO) % MAX_SEATS)), seat, place=key
        )
    if kit.box.card_special[card] == SIMPLE:
        return Event("play", say("Plays {card} and takes {goods}", card=title, goods=goods), seat, place=key)
    return Event("play", say("Plays {card}", card=title), seat, place=key)


def _people(state: State, seat: int) -> Say:
    return say(name("society", SOCIETIES[state.society[seat]]))


def _chosen(state: State, seat: Seat, move: Move) -> Event:
    letter = GOODS[(move - TAKE) % KINDS]
    good = say(name("good", letter))
    if move >= SPARE:
        return Event("spare", say("Takes {good} from the special reserve", good=good), seat, place=letter)
    if move >= HAND:
        return Event(
            "hand", say("Hands over {good} to: {society}", good=good, society=_people(state, int(state.partner))), seat, place=letter
        )
    if move >= GIVE:
        return Event("give", say("Gives {good} to: {society}", good=good, society=_people(state, int(state.active))), seat, place=letter)
    return Event("take", say("Takes {good}", good=good), seat, place=letter)


def _ending(before: State, seat: Seat, after: State) -> list[Event]:
    """A10, A18, A19: what brings the end near, and the end."""
    if after.phase == OVER:
        return _over(after)
    if seat < 0 or after.together or discs(before, seat) >= DISCS_TO_WIN or discs(after, seat) < DISCS_TO_WIN:
        return []
    return [Event("end", say("Has {count} discs on requests: the round is played to its end", count=discs(after, seat)), seat)]


def discs(state: State, seat: int) -> int:
    return bin(int(state.placed[seat])).count("1")


def _over(state: State) -> list[Event]:
    if state.lost:
        return [Event("end", say("The special reserve is empty: all lose"))]
    if state.together:
        return [Event("end", say("All discs are placed: everybody wins"))]
    winners = [Seat(seat) for seat in range(state.seats) if wins(state, seat)]
    return [Event("end", _victory(state, seat, len(winners)), seat) for seat in winners]


def _victory(state: State, seat: Seat, winners: int) -> Say:
    goods = int(state.goods[seat].sum())
    if winners > 1:
        return say("Shares the win: {discs} discs, {goods} goods left", discs=discs(state, seat), goods=goods)
    return say("Wins: {discs} discs, {goods} goods left", discs=discs(state, seat), goods=goods)
