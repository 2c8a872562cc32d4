"""Moves as numbers for the rules and as text for everybody else.

0 explore  1 barter  2 cards  3 craft  4 done         TAKE, GIVE, HAND, SPARE + good         SWAP + given * 6 + taken
PAIR + (given * 6 + given) * 6 + taken, the smaller given first       SERVE + request        MAKE + item
PLAY + card        PLAY_TO + card * 4 + seat        nature: LOTS + seat, ROLLS + face, DEMAND + request, DEAL + seat * 96 + card
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tablee.core.errors import NotationError
from tablee.core.game import Move, Seat
from tablee.core.words import say
from tablee.games.amerique_1500.box import FACES, GOODS, KINDS, MAX_SEATS, MOST_CARDS, MOST_ITEMS, REQUESTS, Names

ACTIONS = ("explore", "barter", "cards", "craft")
EXPLORE, BARTER, CARDS, CRAFT, DONE = range(5)
CHOICES = ("take", "give", "hand", "spare")
TAKE = 5
GIVE = TAKE + KINDS
HAND = GIVE + KINDS
SPARE = HAND + KINDS
SWAP = SPARE + KINDS
PAIR = SWAP + KINDS**2
SERVE = PAIR + KINDS**3
MAKE = SERVE + REQUESTS
PLAY = MAKE + MOST_ITEMS
PLAY_TO = PLAY + MOST_CARDS
LOTS = PLAY_TO + MOST_CARDS * MAX_SEATS
ROLLS = LOTS + MAX_SEATS
DEMAND = ROLLS + FACES + 1
DEAL = DEMAND + REQUESTS

UNSEEN = "?"


def show(names: Names, move: Move) -> str:
    if move >= LOTS:
        return _show_nature(names, move)
    if move >= PLAY_TO:
        return f"play {names.cards[(move - PLAY_TO) // MAX_SEATS]} {(move - PLAY_TO) % MAX_SEATS}"
    if move >= PLAY:
        return f"play {names.cards[move - PLAY]}"
    if move >= MAKE:
        return f"make {names.items[move - MAKE]}"
    if move >= SERVE:
        return f"serve {names.requests[move - SERVE]}"
    if move >= SWAP:
        given, taken = swapped(move)
        return f"swap {given}>{taken}"
    if move >= TAKE:
        return f"{CHOICES[(move - TAKE) // KINDS]} {GOODS[(move - TAKE) % KINDS]}"
    return (*ACTIONS, "done")[move]


def swapped(move: Move) -> tuple[str, str]:
    """What a swap gives and what it takes, as letters."""
    if move >= PAIR:
        first, second, taken = (move - PAIR) // KINDS**2, (move - PAIR) // KINDS % KINDS, (move - PAIR) % KINDS
        return GOODS[first] + GOODS[second], GOODS[taken]
    return GOODS[(move - SWAP) // KINDS], GOODS[(move - SWAP) % KINDS]


def _show_nature(names: Names, move: Move) -> str:
    if move >= DEAL:
        return f"deal {dealt_to(move)} {names.cards[(move - DEAL) % MOST_CARDS]}"
    if move >= DEMAND:
        return f"request {names.requests[move - DEMAND]}"
    if move >= ROLLS:
        return f"roll {move - ROLLS}"
    return f"first {move - LOTS}"


def dealt_to(move: Move) -> Seat:
    return Seat((move - DEAL) // MOST_CARDS)


def hear(names: Names, seat: Seat, move: Move, listener: Seat | None) -> str:
    """R1: only its owner hears which card was dealt."""
    if move >= DEAL and dealt_to(move) != listener:
        return f"deal {dealt_to(move)} {UNSEEN}"
    return show(names, move)


def read(names: Names, text: str) -> Move:
    verb, _, rest = text.partition(" ")
    if verb in (*ACTIONS, "done") and not rest and text == verb:
        return (*ACTIONS, "done").index(verb)
    if verb in CHOICES and len(rest) == 1 and rest in GOODS:
        return TAKE + CHOICES.index(verb) * KINDS + GOODS.index(rest)
    move = _READERS[verb](names, rest) if verb in _READERS else None
    if move is None:
        raise NotationError(say("{text!r} is not a move; moves look like: barter, swap M>W, play berries, take W, done", text=text[:40]))
    return move


def _read_swap(names: Names, rest: str) -> Move | None:
    found = re.fullmatch(rf"([{GOODS}]{{1,2}})>([{GOODS}])", rest)
    if not found:
        return None
    given = sorted(GOODS.index(letter) for letter in found[1])
    taken = GOODS.index(found[2])
    return SWAP + given[0] * KINDS + taken if len(given) == 1 else PAIR + (given[0] * KINDS + given[1]) * KINDS + taken


def _read_play(names: Names, rest: str) -> Move | None:
    card, _, seat = rest.partition(" ")
    if card not in names.cards:
        return None
    if rest == card:
        return PLAY + names.cards.index(card)
    return PLAY_TO + names.cards.index(card) * MAX_SEATS + int(seat) if re.fullmatch("[0-3]", seat) else None


def _read_deal(names: Names, rest: str) -> Move | None:
    seat, _, card = rest.partition(" ")
    return DEAL + int(seat) * MOST_CARDS + names.cards.index(card) if re.fullmatch("[0-3]", seat) and card in names.cards else None


_READERS: dict[str, Callable[[Names, str], Move | None]] = {
    "swap": _read_swap,
    "play": _read_play,
    "deal": _read_deal,
    "serve": lambda names, rest: SERVE + names.requests.index(rest) if rest in names.requests else None,
    "make": lambda names, rest: MAKE + names.items.index(rest) if rest in names.items else None,
    "request": lambda names, rest: DEMAND + names.requests.index(rest) if rest in names.requests else None,
    "roll": lambda _, rest: ROLLS + int(rest) if re.fullmatch("[1-6]", rest) else None,
    "first": lambda _, rest: LOTS + int(rest) if re.fullmatch("[0-3]", rest) else None,
}
