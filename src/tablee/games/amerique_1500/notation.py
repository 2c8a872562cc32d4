"""Notation of moves: numbers for the rules, text for everything else.

0 explore  1 barter  2 cards  3 craft         TAKE, GIVE, HAND, SPARE + good         SWAP + given * 6 + taken
PAIR + (given * 6 + given) * 6 + taken, the smaller given first       SERVE + request        MAKE + item
PLAY + card        PLAY_TO + card * 4 + seat        DONE, the last that a seat can choose
nature: LOTS + seat, ROLLS + face, DEMAND + request, DEAL + seat * 96 + card
"""

from __future__ import annotations

import re
from functools import cache

from tablee.core.game import Move, Seat
from tablee.core.jit import jit
from tablee.core.notation import MoveKind, Notation
from tablee.games.amerique_1500.box import FACES, GOODS, KINDS, MAX_SEATS, MOST_CARDS, MOST_ITEMS, REQUESTS, Names

ACTIONS = ("explore", "barter", "cards", "craft")
EXPLORE, BARTER, CARDS, CRAFT = range(4)
CHOICES = ("take", "give", "hand", "spare")
TAKE = 4
GIVE = TAKE + KINDS
HAND = GIVE + KINDS
SPARE = HAND + KINDS
SWAP = SPARE + KINDS
PAIR = SWAP + KINDS**2
SERVE = PAIR + KINDS**3
MAKE = SERVE + REQUESTS
PLAY = MAKE + MOST_ITEMS
PLAY_TO = PLAY + MOST_CARDS
DONE = PLAY_TO + MOST_CARDS * MAX_SEATS
LOTS = DONE + 1
ROLLS = LOTS + MAX_SEATS
DEMAND = ROLLS + FACES + 1
DEAL = DEMAND + REQUESTS

UNSEEN = "?"


@cache
def notation_of(names: Names) -> Notation:
    seats = tuple(str(seat) for seat in range(MAX_SEATS))
    kinds = [
        *(MoveKind(action, number) for number, action in enumerate(ACTIONS)),
        *(MoveKind(choice, TAKE + number * KINDS, tuple(GOODS)) for number, choice in enumerate(CHOICES)),
        MoveKind("swap", SWAP, [f"{given}>{taken}" for given in GOODS for taken in GOODS]),
        MoveKind("swap", PAIR, [f"{one}{two}>{taken}" for one in GOODS for two in GOODS for taken in GOODS]),
        MoveKind("serve", SERVE, names.requests),
        MoveKind("make", MAKE, names.items),
        MoveKind("play", PLAY, names.cards),
        *(MoveKind(f"play {card}", PLAY_TO + number * MAX_SEATS, seats) for number, card in enumerate(names.cards)),
        MoveKind("done", DONE),
        MoveKind("first", LOTS, seats),
        MoveKind("roll", ROLLS + 1, [str(face + 1) for face in range(FACES)]),
        MoveKind("request", DEMAND, names.requests),
        *(MoveKind(f"deal {seat}", DEAL + seat * MOST_CARDS, names.cards) for seat in range(MAX_SEATS)),
    ]
    return Notation(kinds, "barter, swap M>W, play berries, take W, done")


def show(names: Names, move: Move) -> str:
    return notation_of(names).show(move)


def read(names: Names, text: str) -> Move:
    """Parse a move; the two goods of a swap may be in any order."""
    pair = re.fullmatch(rf"swap ([{GOODS}]{{2}})(>.)", text)
    return notation_of(names).read(f"swap {''.join(sorted(pair[1], key=GOODS.index))}{pair[2]}" if pair else text)


@jit
def card_played(play: Move) -> int:
    """Return the card of a `play`, with or without a partner."""
    return (play - PLAY_TO) // MAX_SEATS if play >= PLAY_TO else play - PLAY


def swapped(move: Move) -> tuple[str, str]:
    """Return the goods that a swap gives and those that it takes, as letters."""
    if move >= PAIR:
        first, second, taken = (move - PAIR) // KINDS**2, (move - PAIR) // KINDS % KINDS, (move - PAIR) % KINDS
        return GOODS[first] + GOODS[second], GOODS[taken]
    return GOODS[(move - SWAP) // KINDS], GOODS[(move - SWAP) % KINDS]


def dealt_to(move: Move) -> Seat:
    return Seat((move - DEAL) // MOST_CARDS)


def mask_move(names: Names, seat: Seat, move: Move, viewer: Seat | None) -> str:
    """Return the move as text; only the owner sees which card was dealt (R1)."""
    if move >= DEAL and dealt_to(move) != viewer:
        return f"deal {dealt_to(move)} {UNSEEN}"
    return show(names, move)
