"""What the table is told of a move. Who drew which card is told to its owner alone (R1)."""

from __future__ import annotations

from tablee.core.cells import Array
from tablee.core.game import NATURE, Event, Move, Seat
from tablee.core.words import Say, say
from tablee.games.amerique_1500.box import GOODS, KINDS, MAX_SEATS, MOST_CARDS, SIMPLE, SOCIETIES, Box, Pieces
from tablee.games.amerique_1500.cards import gift_of
from tablee.games.amerique_1500.ending import DISCS_TO_WIN, score, wins
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
    card_played,
    dealt_to,
    swapped,
)
from tablee.games.amerique_1500.requests import asked
from tablee.games.amerique_1500.state import ENDED, State


def events(pieces: Pieces, before: State, seat: Seat, move: Move, after: State) -> tuple[Event, ...]:
    """`before` and `after` are the states around the move."""
    told = _nature(pieces, move) if move >= LOTS else _deed(pieces, before, seat, move)
    return tuple(told + _ending(pieces.box, before, seat, after))


def _nature(pieces: Pieces, move: Move) -> list[Event]:
    if move >= DEAL:
        card = say(name("card", pieces.names.cards[(move - DEAL) % MOST_CARDS]))
        owner = dealt_to(move)
        return [Event("deal", say("Draws {card}", card=card), owner, only=owner, otherwise=say("Draws a card"))]
    if move >= DEMAND:
        request = pieces.names.requests[move - DEMAND]
        return [Event("request", say("A request lies open: {request}", request=say(name("request", request))), place=request)]
    if move >= ROLLS:
        return [Event("roll", _rolled(pieces, move - ROLLS))]
    return [Event("first", say("Begins the game"), Seat(move - LOTS))]


def _rolled(pieces: Pieces, face: int) -> Say:
    """A7: the bonus, and whose it is."""
    bonus = spell_out(pieces.box.die_goods[face])
    if pieces.box.die_cards[face]:
        bonus += (say("cards ×{count}", count=pieces.box.die_cards[face]),)
    if pieces.box.die_food[face]:
        bonus += (say("foods of choice ×{count}", count=pieces.box.die_food[face]),)
    if pieces.box.die_all[face]:
        return say("The die shows {face}, for everybody: {bonus}", face=face, bonus=bonus)
    return say("The die shows {face}, for the active player: {bonus}", face=face, bonus=bonus)


def spell_out(stock: Array) -> tuple[Say, ...]:
    """Goods as a list of sentences: "Wood x 2, Stone"."""
    return tuple(_several(GOODS[good], stock[good]) for good in range(KINDS) if stock[good])


def _several(letter: str, count: int) -> Say:
    good = say(name("good", letter))
    return say("{good} ×{count}", good=good, count=count) if count > 1 else good


def _deed(pieces: Pieces, state: State, seat: Seat, move: Move) -> list[Event]:
    if move == DONE:
        return []
    if move >= PLAY:
        return [_played(pieces, state, seat, move)]
    if move >= MAKE:
        item = pieces.names.items[move - MAKE]
        sentence = say("Crafts {item} for {goods}", item=say(name("item", item)), goods=spell_out(pieces.box.item_cost[move - MAKE]))
        return [Event("make", sentence, seat, place=item)]
    if move >= SERVE:
        request = pieces.names.requests[move - SERVE]
        cost = spell_out(pieces.box.request_cost[asked(state, move - SERVE)])
        return [
            Event("score", say("Serves {request} with {goods}", request=say(name("request", request)), goods=cost), seat, 1, place=request)
        ]
    if move >= SWAP:
        given, taken = (tuple(say(name("good", letter)) for letter in side) for side in swapped(move))
        return [Event("swap", say("Swaps {given} for {taken}", given=given, taken=taken), seat)]
    if move >= TAKE:
        return [_chosen(state, seat, move)]
    return [Event("action", say("Chooses {action}", action=say(name("action", ACTIONS[move]))), seat)]


def _played(pieces: Pieces, state: State, seat: Seat, move: Move) -> Event:
    card = card_played(move)
    key, goods = pieces.names.cards[card], spell_out(pieces.box.gift[gift_of(pieces.box, card, state.made[seat])])
    title = say(name("card", key))
    if move >= PLAY_TO:
        return Event(
            "play", say("Plays {card} with: {society}", card=title, society=_people(state, (move - PLAY_TO) % MAX_SEATS)), seat, place=key
        )
    if pieces.box.card_special[card] == SIMPLE:
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
        return Event("hand", say("Hands over {good} to: {society}", good=good, society=_people(state, state.partner)), seat, place=letter)
    if move >= GIVE:
        return Event("give", say("Gives {good} to: {society}", good=good, society=_people(state, state.active)), seat, place=letter)
    return Event("take", say("Takes {good}", good=good), seat, place=letter)


def _ending(box: Box, before: State, seat: Seat, after: State) -> list[Event]:
    """A10, A18, A19: what brings the end near, and the end."""
    if after.phase == ENDED:
        return _over(box, after)
    if seat == NATURE or after.together or score(box, before, seat) >= DISCS_TO_WIN or score(box, after, seat) < DISCS_TO_WIN:
        return []
    count = score(box, after, seat)
    return [Event("end", say("Has {count} discs on requests: the round is played to its end", count=count), seat)]


def _over(box: Box, state: State) -> list[Event]:
    if state.lost:
        return [Event("end", say("The special reserve is empty: all lose"))]
    if state.together:
        return [Event("end", say("All discs are placed: everybody wins"))]
    winners = [Seat(seat) for seat in range(state.seats) if wins(box, state, seat)]
    return [Event("end", _victory(box, state, seat, len(winners)), seat) for seat in winners]


def _victory(box: Box, state: State, seat: Seat, winners: int) -> Say:
    discs, goods = score(box, state, seat), sum(state.goods[seat])
    if winners > 1:
        return say("Shares the win: {discs} discs, {goods} goods left", discs=discs, goods=goods)
    return say("Wins: {discs} discs, {goods} goods left", discs=discs, goods=goods)
