"""Moves as text, with their words: `plant apple-3`, `sell plum-6`, and nature's `deal 0 pear-1`."""

from __future__ import annotations

from tablee.core.cards import SeatCards
from tablee.core.i18n import mark
from tablee.core.room import Verb
from tablee.games.examples.orchard.box import CARDS, KINDS, MAX_SEATS

PLANT, SELL, DEAL = 0, KINDS, 2 * KINDS  # plus the card; a deal also counts the seats

NOT_IN_HAND = mark("{what} is not in your hand")
VERBS = (
    Verb("plant", PLANT, CARDS.keys, told=mark("plants {what}"), label=mark("Plant {what}"), rule="O2", refused=NOT_IN_HAND),
    Verb("sell", SELL, CARDS.keys, told=mark("sells {what}"), label=mark("Sell {what}"), rule="O2", refused=NOT_IN_HAND),
    Verb("deal", DEAL, SeatCards(CARDS, MAX_SEATS), told=mark("draws {what}"), public=mark("draws a card"), rule="O1"),
)
EXAMPLES = "plant apple-3, sell plum-6"
