"""Fields of the view, for the description of the HTTP API; goods are letters in the order GMFCWS, `GGW`."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from tablee.core.game import Doc


class Awaited(TypedDict):
    seat: Annotated[int, Doc("who is awaited")]
    what: Annotated[
        Literal["action", "swap", "play", "make", "serve", "take", "food", "give", "hand", "spare"], Doc("what is to be chosen or done")
    ]
    count: Annotated[int | None, Doc("how many are left; null for swaps, as many as wished")]


class Face(TypedDict):
    face: Annotated[int, Doc("its number, 1 to 6")]
    all: Annotated[bool, Doc("whether everybody gets it")]
    goods: Annotated[str, Doc("the goods that it gives")]
    cards: Annotated[int, Doc("the cards that it gives")]
    food: Annotated[int, Doc("how many foods of one's choice it gives")]
    warns: Annotated[bool, Doc("whether a team that rolls it takes a good of the special reserve")]


class Request(TypedDict):
    key: Annotated[str, Doc("its name in moves")]
    goods: Annotated[str, Doc("what it asks for")]
    discs: Annotated[list[int], Doc("the seats that have a disc on it")]
    servable: Annotated[bool, Doc("whether the reader has a free disc, the goods, and no disc on it")]


class Barter(TypedDict):
    ratio: Annotated[int, Doc("goods given for one")]
    taken: Annotated[str, Doc("the kinds that are not given again")]


class Exchange(TypedDict):
    partner: Annotated[int, Doc("the seat that goods are exchanged with")]
    left: Annotated[int, Doc("how many are still to be handed over")]


class Discs(TypedDict):
    free: Annotated[int, Doc("that can be placed")]
    placed: Annotated[int, Doc("on requests")]
    on_board: Annotated[int, Doc("still under items that are to be made")]


class Item(TypedDict):
    key: Annotated[str, Doc("its name in moves")]
    kind: Annotated[str, Doc("what it is for")]
    cost: Annotated[str, Doc("the goods that it takes")]
    made: Annotated[bool, Doc("whether it was made")]
    affordable: Annotated[bool, Doc("whether the goods are there to make it")]


class Player(TypedDict):
    seat: Annotated[int, Doc("the seat's number")]
    society: Annotated[str, Doc("the society that it plays")]
    colour: Annotated[str, Doc("its colour")]
    goods: Annotated[str, Doc("its goods")]
    total: Annotated[int, Doc("how many goods these are")]
    pawn: Annotated[str, Doc("the action on which its pawn stands")]
    discs: Annotated[Discs, Doc("where its discs are")]
    hand: Annotated[int, Doc("how many cards it holds")]
    deck: Annotated[int, Doc("how many it may still draw")]
    discard: Annotated[dict[str, int], Doc("the cards that it has played, by name")]
    unseen: Annotated[dict[str, int], Doc("the cards in hand and deck together, by name")]
    ratio: Annotated[int, Doc("goods that it gives for one when it barters")]
    draws: Annotated[int, Doc("the cards that Explore draws")]
    plays: Annotated[int, Doc("how many cards Play cards allows")]
    makes: Annotated[int, Doc("how many items Craft allows")]
    items: Annotated[list[Item], Doc("the items of its board")]


class Card(TypedDict):
    card: Annotated[str, Doc("its name in moves")]
    count: Annotated[int, Doc("how many of it are in hand")]
    playable: Annotated[bool, Doc("whether it can be played now")]
    gives: Annotated[str, Doc("what it would give right now")]
    special: Annotated[Literal["feast", "neighbours", "exchange"] | None, Doc("what else it does")]
    best: Annotated[str | None, Doc("the tool that counts")]
    plain: Annotated[str, Doc("what it gives without any tool")]
    tools: Annotated[dict[str, str], Doc("what it gives with each tool")]
    needs: Annotated[bool, Doc("whether it needs one of these tools")]
    takes: Annotated[int, Doc("how many goods of the reserve good neighbours bring besides")]
    seats: Annotated[list[int], Doc("whom an exchange may be played with")]


class Forecast(TypedDict):
    out: Annotated[str, Doc("goods paid")]
    get: Annotated[str, Doc("goods got; ? is a good of choice")]
    cards: Annotated[int, Doc("cards drawn")]
    discs: Annotated[int, Doc("discs placed")]


class Ranked(TypedDict):
    seat: Annotated[int, Doc("the seat")]
    place: Annotated[int, Doc("its place, from 1; equal seats have the same")]


class View(TypedDict):
    game: Annotated[Literal["quick", "full"], Doc("the version that is played")]
    cooperative: Annotated[bool, Doc("whether the table plays as one team")]
    round: Annotated[int, Doc("the round, from 1")]
    over: Annotated[bool, Doc("whether the game is over")]
    won: Annotated[bool | None, Doc("whether the team has won; null before the end, and where there is no team")]
    winners: Annotated[list[int], Doc("the seats that have won")]
    ranking: Annotated[list[Ranked], Doc("the seats in final order, best first; a team in table order; empty before the end")]
    deciding_goods: Annotated[list[int], Doc("the goods of the seats with enough discs, most first, if they decided the game")]
    last_round: Annotated[bool, Doc("whether a player has the discs that can win, so that the round is played to its end")]
    phase: Annotated[
        Literal["set-up", "roll", "action", "barter", "cards", "craft", "requests", "over"], Doc("the part of the turn that is played")
    ]
    first: Annotated[int | None, Doc("the seat that began; null before the lot is drawn")]
    active: Annotated[int | None, Doc("the seat whose turn it is; null before the lot is drawn")]
    awaits: Annotated[list[Awaited], Doc("who is awaited, and for what")]
    die: Annotated[Face | None, Doc("the die as rolled in this turn")]
    faces: Annotated[list[Face], Doc("the six faces of the die")]
    requests: Annotated[list[Request], Doc("what the fair asks for")]
    target: Annotated[int, Doc("the discs that a player needs, or the team")]
    discs: Annotated[int, Doc("the discs that all have placed")]
    spare: Annotated[str | None, Doc("the special reserve of a team")]
    barter: Annotated[Barter | None, Doc("while somebody barters")]
    exchange: Annotated[Exchange | None, Doc("while goods are handed over")]
    players: Annotated[list[Player], Doc("the players, seat by seat")]
    hand: Annotated[list[Card], Doc("the reader's own cards; empty for a spectator")]
    forecast: Annotated[dict[str, Forecast], Doc("what each legal move of the reader would do")]
