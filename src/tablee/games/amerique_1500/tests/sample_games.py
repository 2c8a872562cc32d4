"""Sample games for the tests, with a box of their own, box.toml, so that no tuning of the real one changes a test.

Nature is scripted. A 1 brings gathering to everybody, a 2 wood, a 4 stone to the active player: goods are saved up in turns in which nobody
does anything else.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tablee import games
from tablee.core import components
from tablee.core.errors import Refusal
from tablee.core.game import NATURE, Game, Move, Seat
from tablee.core.match import Match, read_line
from tablee.games.amerique_1500.state import State

BOX = components.load(Path(__file__).parent / "box.toml")
GAME: Game[State] = games.open_box("amerique-1500", BOX)
PAIR = "iroquois-algonquiens-incas-inuits"  # the first two start with 2 goods and pay the same for a basket, a bow and an axe
OPEN = ("pemmican", "chowder", "harvest", "smoke", "stew")  # GGMM, GGFF, GGCC, MMFF and MMCC in the quick game
EAGER = ("serve", "make", "craft", "play", "cards")


def begin(seats: int = 2, hands: Iterable[str] = (), **options: str | int | bool) -> Match[State]:
    """Start a match: seat 0 begins, the requests of OPEN lie open, and these are the first hands: "berries forest deer"."""
    match = Match(GAME, seats, {"first": 0, "societies": PAIR, **options})
    play_lines(match, *(f"- request {request}" for request in OPEN))
    for seat, hand in enumerate(hands):
        play_lines(match, *(f"- deal {seat} {card}" for card in hand.split()))
    deal_any(match)
    return match


def deal_any(match: Match[State]) -> None:
    """Deal the cards that a test does not name: always the first possible one."""
    while match.to_act == (NATURE,) and GAME.show(GAME.odds(match.state)[0][0]).startswith("deal"):
        match.play(NATURE, GAME.odds(match.state)[0][0])


def play_lines(match: Match[State], *lines: str) -> list[str]:
    """Play these lines, and return the sentences of the last one."""
    sentences: list[str] = []
    for text in lines:
        line = read_line(GAME, text)
        sentences = [str(event.sentence) for event in match.play(line.seat, line.move).events]
    return sentences


def act(match: Match[State], face: int, *moves: str) -> list[str]:
    """Play the active player's turn, as far as these moves go, and return the sentences of the last one."""
    sentences = play_lines(match, f"- roll {face}")
    for move in moves:
        deal_any(match)
        sentences = play_lines(match, f"{match.to_act[0]} {move}")
    return sentences


def idle(match: Match[State], faces: str) -> None:
    """Play a turn for each face: take what the die gives, explore while there are cards (R11), serve nothing."""
    for face in faces:
        explore(match, int(face))
        if match.to_act and match.to_act != (NATURE,):
            play_lines(match, f"{match.to_act[0]} done")


def explore(match: Match[State], face: int = 4) -> None:
    """Play a turn in which two unnamed cards are drawn."""
    act(match, face, "explore")
    deal_any(match)


def swaps(given: str, taken: str) -> list[str]:
    """Return a barter of goods one for one, with its end."""
    return ["barter", *(f"swap {good}>{other}" for good, other in zip(given, taken, strict=True)), "done"]


def equipped(seats: int = 2, **options: str | int | bool) -> Match[State]:
    """Return a match in which seats 0 and 1 have three free discs (basket, bow, axe) and 20 goods or more; seat 0 is to roll."""
    match = begin(seats, (), **options)
    idle(match, "2" * 2 * seats)
    for item in ("basket", "bow", "axe"):
        for _ in range(2):
            act(match, 4, "craft", f"make {item}")
        idle(match, "2" * (seats - 2))
    while sum(match.state.goods[0]) < 20:
        idle(match, "2" * seats)
    return match


def spent(seats: int = 2, hands: Iterable[str] = ()) -> Match[State]:
    """Return a match in which the Inuit, seat 1, have spent their last goods on a bow and a spear; seat 0 is to roll."""
    match, others = begin(seats, hands, societies="iroquois-inuits-incas-algonquiens"), "4" * (seats - 1)
    idle(match, "4")
    act(match, 5, "craft", "make bow")
    idle(match, others)
    act(match, 4, *swaps("F", "W"))
    idle(match, others)
    act(match, 5, "craft", "make spear")
    idle(match, others[1:])
    assert goods(match, 1) == ""
    return match


def legal(match: Match[State], seat: int | None = None) -> list[str]:
    return [GAME.show(move) for move in match.legal(match.to_act[0] if seat is None else Seat(seat))]


def refused(match: Match[State], text: str) -> str:
    """Return the reason for which this line is refused."""
    try:
        play_lines(match, text)
    except Refusal as refusal:
        return str(refusal)
    raise AssertionError(f"{text} was allowed")


def view(match: Match[State], seat: int | None = None) -> dict[str, Any]:
    """Return the view of a seat, or of a spectator."""
    return GAME.view(GAME.observe(match.state, None if seat is None else Seat(seat)))


def goods(match: Match[State], seat: int = 0) -> str:
    return str(view(match)["players"][seat]["goods"])


def hand(match: Match[State], seat: int = 0) -> dict[str, int]:
    return {each["card"]: each["count"] for each in view(match, seat)["hand"]}


def random_play(seats: int, seed: int, **options: str | int | bool) -> Iterator[Match[State]]:
    """Yield a match at each of its positions, played at random with a preference for moves that advance the game."""
    rng, match = random.Random(seed), Match(GAME, seats, options)
    while match.to_act:
        yield match
        seat = rng.choice(match.to_act)
        match.play(seat, _choose(match, seat, rng))
    yield match


def _choose(match: Match[State], seat: Seat, rng: random.Random) -> Move:
    if seat == NATURE:
        odds = GAME.odds(match.state)
        return rng.choices([move for move, _ in odds], [weight for _, weight in odds])[0]
    moves = match.legal(seat)
    forward = [move for move in moves if GAME.show(move).startswith(EAGER)]
    return rng.choice(forward if forward and rng.random() < 0.7 else moves)
