"""Events of a move for the log; only its owner sees which card was drawn (R1)."""

from __future__ import annotations

from tablee.core.game import NATURE, Event, Move, Seat
from tablee.core.i18n import Message, msg
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
    """Return the events of a move that leads from the state `before` to the state `after`."""
    found = _nature_event(pieces, before, move) if move >= LOTS else _move_event(pieces, before, seat, move)
    return tuple(found + _ending(pieces.box, before, seat, after))


def _nature_event(pieces: Pieces, state: State, move: Move) -> list[Event]:
    if move >= DEAL:
        card = msg(name("card", pieces.names.cards[(move - DEAL) % MOST_CARDS]))
        owner = dealt_to(move)
        return [Event("deal", msg("draws {card}", card=card), owner, visible_to=owner, public_sentence=msg("draws a card"))]
    if move >= DEMAND:
        request = pieces.names.requests[move - DEMAND]
        return [Event("request", msg("A request lies open: {request}", request=msg(name("request", request))), place=request)]
    if move >= ROLLS:
        return [Event("roll", _roll_event(pieces, move - ROLLS), Seat(state.active))]
    return [Event("first", msg("begins the game"), Seat(move - LOTS))]


def _roll_event(pieces: Pieces, face: int) -> Message:
    """Return the message of a roll: the bonus, and who gets it (A7)."""
    bonus = spell_out(pieces.box.die_goods[face])
    if pieces.box.die_cards[face]:
        bonus += (msg("{count} card", "{count} cards", count=pieces.box.die_cards[face]),)
    if pieces.box.die_food[face]:
        bonus += (msg("{count} food to choose", "{count} foods to choose", count=pieces.box.die_food[face]),)
    if pieces.box.die_all[face]:
        return msg("rolls {face}; everybody gets: {bonus}", face=face, bonus=bonus)
    return msg("rolls {face} and gets: {bonus}", face=face, bonus=bonus)


def spell_out(stock: Array) -> tuple[Message, ...]:
    """Return goods as a list of messages: "Wood x 2, Stone"."""
    return tuple(_several(GOODS[good], stock[good]) for good in range(KINDS) if stock[good])


def _several(letter: str, count: int) -> Message:
    good = msg(name("good", letter))
    return msg("{good} ×{times}", good=good, times=count) if count > 1 else good


def _move_event(pieces: Pieces, state: State, seat: Seat, move: Move) -> list[Event]:
    if move == DONE:
        return []
    if move >= PLAY:
        return [_play_event(pieces, state, seat, move)]
    if move >= MAKE:
        item = pieces.names.items[move - MAKE]
        title, cost = msg(name("item", item)), spell_out(pieces.box.item_cost[move - MAKE])
        return [Event("make", msg("crafts {item} for {goods}", item=title, goods=cost), seat, place=item, brief=title)]
    if move >= SERVE:
        request = pieces.names.requests[move - SERVE]
        title, cost = msg(name("request", request)), spell_out(pieces.box.request_cost[asked(state, move - SERVE)])
        return [Event("score", msg("serves {request} with {goods}", request=title, goods=cost), seat, 1, place=request, brief=title)]
    if move >= SWAP:
        given, taken = (tuple(msg(name("good", letter)) for letter in side) for side in swapped(move))
        return [Event("swap", msg("swaps {given} for {taken}", given=given, taken=taken), seat)]
    if move >= TAKE:
        return [_chosen(state, seat, move)]
    action = msg(name("action", ACTIONS[move]))
    return [Event("action", msg("chooses {action}", action=action), seat, place=ACTIONS[move], brief=action)]


def move_text(pieces: Pieces, move: Move) -> Message:
    """Return the label of a move, for the list of a seat's moves."""
    if move == DONE:
        return msg("That is all")
    if move >= PLAY_TO:
        return msg("{card} with: <{seat}>", card=_title(pieces, card_played(move)), seat=(move - PLAY_TO) % MAX_SEATS)
    if move >= PLAY:
        return _title(pieces, card_played(move))
    if move >= MAKE:
        return msg(name("item", pieces.names.items[move - MAKE]))
    if move >= SERVE:
        return msg(name("request", pieces.names.requests[move - SERVE]))
    if move >= SWAP:
        given, taken = (tuple(msg(*COUNTED[letter], count=1) for letter in side) for side in swapped(move))
        return msg("{given} for {taken}", given=given, taken=taken)
    return msg(name("good", GOODS[(move - TAKE) % KINDS])) if move >= TAKE else msg(name("action", ACTIONS[move]))


def infinitive(pieces: Pieces, state: State, seat: Seat, move: Move) -> Message:
    """Return the move as an infinitive for the coach: "take 1 wood from the special reserve"."""
    if move == DONE:
        return msg("leave it at that")
    if move >= PLAY:
        return _to_play(pieces, state, seat, move)
    if move >= MAKE:
        return msg("craft {item}", item=msg(name("item", pieces.names.items[move - MAKE])))
    if move >= SERVE:
        return msg("serve {request}", request=msg(name("request", pieces.names.requests[move - SERVE])))
    if move >= SWAP:
        given, taken = (tuple(msg(*COUNTED[letter], count=1) for letter in side) for side in swapped(move))
        return msg("swap {given} for {taken}", given=given, taken=taken)
    if move < TAKE:
        return msg("choose {action}", action=msg(name("action", ACTIONS[move])))
    good = msg(*COUNTED[GOODS[(move - TAKE) % KINDS]], count=1)
    if move >= SPARE:
        return msg("take {good} from the special reserve", good=good)
    if move >= HAND:
        return msg("hand over {good} to: {society}", good=good, society=_people(state, state.partner))
    if move >= GIVE:
        return msg("give {good} to: {society}", good=good, society=_people(state, state.active))
    return msg("take {good}", good=good)


def _to_play(pieces: Pieces, state: State, seat: Seat, move: Move) -> Message:
    card = card_played(move)
    title, goods = _title(pieces, card), spell_out(pieces.box.gift[gift_of(pieces.box, card, state.made[seat])])
    if move >= PLAY_TO:
        return msg("play {card} with: {society}", card=title, society=_people(state, (move - PLAY_TO) % MAX_SEATS))
    if pieces.box.card_special[card] == SIMPLE:
        return msg("play {card} and take {goods}", card=title, goods=goods)
    return msg("play {card}", card=title)


def _title(pieces: Pieces, card: int) -> Message:
    return msg(name("card", pieces.names.cards[card]))


def _play_event(pieces: Pieces, state: State, seat: Seat, move: Move) -> Event:
    card = card_played(move)
    key, goods = pieces.names.cards[card], spell_out(pieces.box.gift[gift_of(pieces.box, card, state.made[seat])])
    title = msg(name("card", key))
    if move >= PLAY_TO:
        partner = _people(state, (move - PLAY_TO) % MAX_SEATS)
        return Event("play", msg("plays {card} with: {society}", card=title, society=partner), seat, place=key)
    if pieces.box.card_special[card] == SIMPLE:
        return Event("play", msg("plays {card} and takes {goods}", card=title, goods=goods), seat, place=key)
    return Event("play", msg("plays {card}", card=title), seat, place=key)


def _people(state: State, seat: int) -> Message:
    return msg(name("society", SOCIETIES[state.society[seat]]))


def _chosen(state: State, seat: Seat, move: Move) -> Event:
    letter = GOODS[(move - TAKE) % KINDS]
    good = msg(*COUNTED[letter], count=1)
    if move >= SPARE:
        return Event("spare", msg("takes {good} from the special reserve", good=good), seat, place=letter)
    if move >= HAND:
        return Event("hand", msg("hands over {good} to: {society}", good=good, society=_people(state, state.partner)), seat, place=letter)
    if move >= GIVE:
        return Event("give", msg("gives {good} to: {society}", good=good, society=_people(state, state.active)), seat, place=letter)
    return Event("take", msg("takes {good}", good=good), seat, place=letter)


def _ending(box: Box, before: State, seat: Seat, after: State) -> list[Event]:
    """Return the events of the end, and of what brings it near (A10, A18, A19)."""
    if after.phase == ENDED:
        return _final_events(box, after)
    if seat == NATURE or after.together or score(box, before, seat) >= DISCS_TO_WIN or score(box, after, seat) < DISCS_TO_WIN:
        return []
    count = score(box, after, seat)
    sentence = msg(
        "has {count} disc on requests: the round is played to its end",
        "has {count} discs on requests: the round is played to its end",
        count=count,
    )
    return [Event("end", sentence, seat)]


def _final_events(box: Box, state: State) -> list[Event]:
    """Return the end in steps: the standing of every seat, leaders last, then the winners."""
    done = sorted((wins(box, state, seat), score(box, state, seat), sum(state.goods[seat]), seat) for seat in range(state.seats))
    return [_standing_event(box, state, Seat(seat)) for *_, seat in done] + _verdict(box, state)


def _standing_event(box: Box, state: State, seat: Seat) -> Event:
    sentence = msg("has {discs} on requests, {left}", discs=_discs(score(box, state, seat)), left=_left(sum(state.goods[seat])))
    return Event("final", sentence, seat, place=f"seat-{seat}")


def _verdict(box: Box, state: State) -> list[Event]:
    if state.lost:
        return [Event("end", msg("The special reserve is empty: all lose"))]
    if state.together:
        return [Event("end", msg("All discs are placed: everybody wins"))]
    winners = [Seat(seat) for seat in range(state.seats) if wins(box, state, seat)]
    return [Event("final", _victory(box, state, seat, len(winners)), seat, place=f"seat-{seat}") for seat in winners]


def _victory(box: Box, state: State, seat: Seat, winners: int) -> Message:
    """Return the message of a winner: discs, goods left and, if goods decided, the next best's goods (A10)."""
    discs, left = _discs(score(box, state, seat)), _left(sum(state.goods[seat]))
    others = [sum(state.goods[other]) for other in range(state.seats) if other != seat and score(box, state, other) >= DISCS_TO_WIN]
    if winners > 1:
        return msg("shares the win: {discs}, {left}", discs=discs, left=left)
    if others:
        return msg("wins: {discs}, {left} against {next}", discs=discs, left=left, next=max(others))
    return msg("wins: {discs}, {left}", discs=discs, left=left)


def _discs(count: int) -> Message:
    return msg("{count} disc", "{count} discs", count=count)


def _left(goods: int) -> Message:
    return msg("{count} good left", "{count} goods left", count=goods) if goods else msg("no goods left")
