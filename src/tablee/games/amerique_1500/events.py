"""What the table is told of a move. Who drew which card is told to its owner alone (R1)."""

from __future__ import annotations

from tablee.core.game import NATURE, Event, Move, Seat
from tablee.core.i18n import Say, say
from tablee.core.struct import Array
from tablee.games.amerique_1500.box import GOODS, KINDS, MAX_SEATS, MOST_CARDS, SIMPLE, SOCIETIES, Box, Pieces
from tablee.games.amerique_1500.cards import gift_of
from tablee.games.amerique_1500.ending import DISCS_TO_WIN, score, wins
from tablee.games.amerique_1500.names import COUNTED, name
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
    told = _nature(pieces, before, move) if move >= LOTS else _deed(pieces, before, seat, move)
    return tuple(told + _ending(pieces.box, before, seat, after))


def _nature(pieces: Pieces, state: State, move: Move) -> list[Event]:
    if move >= DEAL:
        card = say(name("card", pieces.names.cards[(move - DEAL) % MOST_CARDS]))
        owner = dealt_to(move)
        return [Event("deal", say("draws {card}", card=card), owner, only=owner, otherwise=say("draws a card"))]
    if move >= DEMAND:
        request = pieces.names.requests[move - DEMAND]
        return [Event("request", say("A request lies open: {request}", request=say(name("request", request))), place=request)]
    if move >= ROLLS:
        return [Event("roll", _rolled(pieces, move - ROLLS), Seat(state.active))]
    return [Event("first", say("begins the game"), Seat(move - LOTS))]


def _rolled(pieces: Pieces, face: int) -> Say:
    """A7: the bonus, and whose it is."""
    bonus = spell_out(pieces.box.die_goods[face])
    if pieces.box.die_cards[face]:
        bonus += (say("{count} card", "{count} cards", count=pieces.box.die_cards[face]),)
    if pieces.box.die_food[face]:
        bonus += (say("{count} food to choose", "{count} foods to choose", count=pieces.box.die_food[face]),)
    if pieces.box.die_all[face]:
        return say("rolls {face}; everybody gets: {bonus}", face=face, bonus=bonus)
    return say("rolls {face} and gets: {bonus}", face=face, bonus=bonus)


def spell_out(stock: Array) -> tuple[Say, ...]:
    """Goods as a list of sentences: "Wood x 2, Stone"."""
    return tuple(_several(GOODS[good], stock[good]) for good in range(KINDS) if stock[good])


def _several(letter: str, count: int) -> Say:
    good = say(name("good", letter))
    return say("{good} ×{times}", good=good, times=count) if count > 1 else good


def _deed(pieces: Pieces, state: State, seat: Seat, move: Move) -> list[Event]:
    if move == DONE:
        return []
    if move >= PLAY:
        return [_played(pieces, state, seat, move)]
    if move >= MAKE:
        item = pieces.names.items[move - MAKE]
        title, cost = say(name("item", item)), spell_out(pieces.box.item_cost[move - MAKE])
        return [Event("make", say("crafts {item} for {goods}", item=title, goods=cost), seat, place=item, brief=title)]
    if move >= SERVE:
        request = pieces.names.requests[move - SERVE]
        title, cost = say(name("request", request)), spell_out(pieces.box.request_cost[asked(state, move - SERVE)])
        return [Event("score", say("serves {request} with {goods}", request=title, goods=cost), seat, 1, place=request, brief=title)]
    if move >= SWAP:
        given, taken = (tuple(say(name("good", letter)) for letter in side) for side in swapped(move))
        return [Event("swap", say("swaps {given} for {taken}", given=given, taken=taken), seat)]
    if move >= TAKE:
        return [_chosen(state, seat, move)]
    action = say(name("action", ACTIONS[move]))
    return [Event("action", say("chooses {action}", action=action), seat, place=ACTIONS[move], brief=action)]


def spell(pieces: Pieces, move: Move) -> Say:
    """A move that a seat may choose, in words, for a list of them all."""
    if move == DONE:
        return say("That is all")
    if move >= PLAY_TO:
        return say("{card} with: <{seat}>", card=_title(pieces, card_played(move)), seat=(move - PLAY_TO) % MAX_SEATS)
    if move >= PLAY:
        return _title(pieces, card_played(move))
    if move >= MAKE:
        return say(name("item", pieces.names.items[move - MAKE]))
    if move >= SERVE:
        return say(name("request", pieces.names.requests[move - SERVE]))
    if move >= SWAP:
        given, taken = (tuple(say(*COUNTED[letter], count=1) for letter in side) for side in swapped(move))
        return say("{given} for {taken}", given=given, taken=taken)
    return say(name("good", GOODS[(move - TAKE) % KINDS])) if move >= TAKE else say(name("action", ACTIONS[move]))


def infinitive(pieces: Pieces, state: State, seat: Seat, move: Move) -> Say:
    """What a seat may do, as a coach would say it: "take 1 wood from the special reserve"."""
    if move == DONE:
        return say("leave it at that")
    if move >= PLAY:
        return _to_play(pieces, state, seat, move)
    if move >= MAKE:
        return say("craft {item}", item=say(name("item", pieces.names.items[move - MAKE])))
    if move >= SERVE:
        return say("serve {request}", request=say(name("request", pieces.names.requests[move - SERVE])))
    if move >= SWAP:
        given, taken = (tuple(say(*COUNTED[letter], count=1) for letter in side) for side in swapped(move))
        return say("swap {given} for {taken}", given=given, taken=taken)
    if move < TAKE:
        return say("choose {action}", action=say(name("action", ACTIONS[move])))
    good = say(*COUNTED[GOODS[(move - TAKE) % KINDS]], count=1)
    if move >= SPARE:
        return say("take {good} from the special reserve", good=good)
    if move >= HAND:
        return say("hand over {good} to: {society}", good=good, society=_people(state, state.partner))
    if move >= GIVE:
        return say("give {good} to: {society}", good=good, society=_people(state, state.active))
    return say("take {good}", good=good)


def _to_play(pieces: Pieces, state: State, seat: Seat, move: Move) -> Say:
    card = card_played(move)
    title, goods = _title(pieces, card), spell_out(pieces.box.gift[gift_of(pieces.box, card, state.made[seat])])
    if move >= PLAY_TO:
        return say("play {card} with: {society}", card=title, society=_people(state, (move - PLAY_TO) % MAX_SEATS))
    if pieces.box.card_special[card] == SIMPLE:
        return say("play {card} and take {goods}", card=title, goods=goods)
    return say("play {card}", card=title)


def _title(pieces: Pieces, card: int) -> Say:
    return say(name("card", pieces.names.cards[card]))


def _played(pieces: Pieces, state: State, seat: Seat, move: Move) -> Event:
    card = card_played(move)
    key, goods = pieces.names.cards[card], spell_out(pieces.box.gift[gift_of(pieces.box, card, state.made[seat])])
    title = say(name("card", key))
    if move >= PLAY_TO:
        partner = _people(state, (move - PLAY_TO) % MAX_SEATS)
        return Event("play", say("plays {card} with: {society}", card=title, society=partner), seat, place=key)
    if pieces.box.card_special[card] == SIMPLE:
        return Event("play", say("plays {card} and takes {goods}", card=title, goods=goods), seat, place=key)
    return Event("play", say("plays {card}", card=title), seat, place=key)


def _people(state: State, seat: int) -> Say:
    return say(name("society", SOCIETIES[state.society[seat]]))


def _chosen(state: State, seat: Seat, move: Move) -> Event:
    letter = GOODS[(move - TAKE) % KINDS]
    good = say(*COUNTED[letter], count=1)
    if move >= SPARE:
        return Event("spare", say("takes {good} from the special reserve", good=good), seat, place=letter)
    if move >= HAND:
        return Event("hand", say("hands over {good} to: {society}", good=good, society=_people(state, state.partner)), seat, place=letter)
    if move >= GIVE:
        return Event("give", say("gives {good} to: {society}", good=good, society=_people(state, state.active)), seat, place=letter)
    return Event("take", say("takes {good}", good=good), seat, place=letter)


def _ending(box: Box, before: State, seat: Seat, after: State) -> list[Event]:
    """A10, A18, A19: what brings the end near, and the end."""
    if after.phase == ENDED:
        return _over(box, after)
    if seat == NATURE or after.together or score(box, before, seat) >= DISCS_TO_WIN or score(box, after, seat) < DISCS_TO_WIN:
        return []
    count = score(box, after, seat)
    sentence = say(
        "has {count} disc on requests: the round is played to its end",
        "has {count} discs on requests: the round is played to its end",
        count=count,
    )
    return [Event("end", sentence, seat)]


def _over(box: Box, state: State) -> list[Event]:
    """The end in steps: what everybody has, the leaders last; then who has won."""
    done = sorted((wins(box, state, seat), score(box, state, seat), sum(state.goods[seat]), seat) for seat in range(state.seats))
    return [_stand(box, state, Seat(seat)) for *_, seat in done] + _verdict(box, state)


def _stand(box: Box, state: State, seat: Seat) -> Event:
    sentence = say("has {discs} on requests, {left}", discs=_discs(score(box, state, seat)), left=_left(sum(state.goods[seat])))
    return Event("final", sentence, seat, place=f"seat-{seat}")


def _verdict(box: Box, state: State) -> list[Event]:
    if state.lost:
        return [Event("end", say("The special reserve is empty: all lose"))]
    if state.together:
        return [Event("end", say("All discs are placed: everybody wins"))]
    winners = [Seat(seat) for seat in range(state.seats) if wins(box, state, seat)]
    return [Event("final", _victory(box, state, seat, len(winners)), seat, place=f"seat-{seat}") for seat in winners]


def _victory(box: Box, state: State, seat: Seat, winners: int) -> Say:
    """A10: with how much, and where goods decided, against how many."""
    discs, left = _discs(score(box, state, seat)), _left(sum(state.goods[seat]))
    others = [sum(state.goods[other]) for other in range(state.seats) if other != seat and score(box, state, other) >= DISCS_TO_WIN]
    if winners > 1:
        return say("shares the win: {discs}, {left}", discs=discs, left=left)
    if others:
        return say("wins: {discs}, {left} against {next}", discs=discs, left=left, next=max(others))
    return say("wins: {discs}, {left}", discs=discs, left=left)


def _discs(count: int) -> Say:
    return say("{count} disc", "{count} discs", count=count)


def _left(goods: int) -> Say:
    return say("{count} good left", "{count} goods left", count=goods) if goods else say("no goods left")
