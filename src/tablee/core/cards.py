"""Cards: piles as counts, hands that others do not see, and names.

A pile is an array with one count for each kind of card: a deck, a hand, a discard pile. It has no order, so the state holds no future:
nature deals by `list_draws` from the deck. A game with one deck and a hand for each seat declares

    hand: Grid = array_field(MAX_SEATS, CARDS, bits=8)
    deck: Array = array_field(CARDS, bits=8)
    held: Array = array_field(MAX_SEATS)                 # the sizes of the hands, which everybody sees

and hides the hands by

    redact:       hide_hands(state.hand, state.deck, state.seats, seat)
    determinize:  deal_hands(state.hand, state.deck, state.held, state.seats, seat, rng)

A card that everybody has seen, such as one taken from an open pile, belongs in a pile of its own: only what lies in `hand` is hidden.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tablee.core.i18n import Message, msg
from tablee.core.jit import jit
from tablee.core.rng import Rng, randbelow
from tablee.core.struct import Array, Grid


@jit
def size(pile: Array) -> int:
    """Return the number of cards."""
    count = 0
    for card in range(len(pile)):
        count += pile[card]
    return count


@jit
def move_card(source: Array, target: Array, card: int) -> None:
    source[card] -= 1
    target[card] += 1


@jit
def pour(source: Array, target: Array) -> None:
    """Move all cards: a discard pile into an empty deck, which needs no shuffling."""
    for card in range(len(source)):
        target[card] += source[card]
        source[card] = 0


@jit
def list_cards(pile: Array, first: int, out: Array, count: int) -> int:
    """Write the move first + card for each kind of card of the pile behind `count` moves; return the new number."""
    for card in range(len(pile)):
        if pile[card]:
            out[count] = first + card
            count += 1
    return count


@jit
def list_draws(pile: Array, first: int, out: Array, weights: Array) -> int:
    """Write the outcome first + card for each kind of card, as likely as the pile has copies, for `odds`; return their number."""
    count = 0
    for card in range(len(pile)):
        if pile[card]:
            out[count], weights[count] = first + card, pile[card]
            count += 1
    return count


@jit
def deal_unseen(deck: Array, hand: Array, due: int, rng: Rng) -> None:
    """Deal `due` cards of the deck at random, so that all hands are equally likely.

    Each card in turn goes to the hand with probability due / left, where `left` cards have not been considered.
    """
    left = size(deck)
    for card in range(len(deck)):
        for _ in range(deck[card]):
            if randbelow(rng, left) < due:
                move_card(deck, hand, card)
                due -= 1
            left -= 1


@jit
def hide_hands(hands: Grid, deck: Array, seats: int, seat: int) -> None:
    """Put the hands of all others back into the deck: who looks knows only the union."""
    for other in range(seats):
        if other != seat:
            pour(hands[other], deck)


@jit
def deal_hands(hands: Grid, deck: Array, held: Array, seats: int, seat: int, rng: Rng) -> None:
    """Deal the hidden hands again, each of the size that everybody sees."""
    for other in range(seats):
        if other != seat:
            deal_unseen(deck, hands[other], held[other], rng)


@dataclass(frozen=True)
class Cards:
    """The kinds of cards by number: a `key` for notation, view and templates, and a title for people.

    `titles` maps the keys to texts marked for translation; a key without a title is its own.
    """

    keys: tuple[str, ...]
    titles: Mapping[str, str]

    @classmethod
    def suited(cls, suits: Mapping[str, str], ranks: Sequence[int]) -> Cards:
        """Return the cards of several suits, rank by rank: "oak-2", titled "Oak 2" if `suits` maps "oak" to "Oak {rank}"."""
        return cls(tuple(f"{suit}-{rank}" for suit in suits for rank in ranks), suits)

    def title(self, card: int | str) -> Message:
        """Return the title of a card, by its number or its key."""
        key = self.keys[card] if isinstance(card, int) else card
        suit, _, rank = key.rpartition("-")
        return msg(self.titles[suit], rank=rank) if suit in self.titles else msg(self.titles.get(key, key))

    def listed(self, pile: Array) -> list[str]:
        """Return the keys of a pile, each as often as it has copies, for a view."""
        return [key for card, key in enumerate(self.keys) for _ in range(pile[card])]


class SeatCards:
    """Operands of a deal: "0 oak-2" is a card for the first seat; the numbers count card by card, then seat by seat."""

    def __init__(self, cards: Cards, seats: int) -> None:
        self._keys, self._seats = cards.keys, seats

    def __getitem__(self, index: int) -> str:
        return f"{index // len(self._keys)} {self._keys[index % len(self._keys)]}"

    def index(self, text: str) -> int:
        seat, _, key = text.partition(" ")
        if not (seat.isascii() and seat.isdigit() and int(seat) < self._seats):
            raise ValueError(text)
        return int(seat) * len(self._keys) + self._keys.index(key)
