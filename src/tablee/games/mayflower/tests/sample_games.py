"""Games to test on: the box, smaller boxes, and matches whose turns are written in short: letter, cell, turns, spot of a settler."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tablee.core import components
from tablee.core.components import Components
from tablee.core.errors import Refusal
from tablee.core.game import NATURE, Event, Game, Move, Seat
from tablee.core.match import Match, read_line
from tablee.games.mayflower import open_box, turn
from tablee.games.mayflower.box import Pieces
from tablee.games.mayflower.loading import load_pieces
from tablee.games.mayflower.scoring_order import waiting
from tablee.games.mayflower.state import LAY, State

COMPONENTS = components.load(Path(__file__).parents[1] / "components.toml")
GAME = open_box(COMPONENTS)
TRIED = 8
PIECES: Pieces = load_pieces(COMPONENTS)


def small_box(wanted: str) -> Game[State]:
    """Return a game with other numbers of the standard faces: "C 2, L 1"."""
    counts = dict(each.split() for each in wanted.split(", "))
    head, *tiles = re.split(r"(?=^\[tiles\.)", COMPONENTS.text, flags=re.MULTILINE)
    chosen = [(tile, counts[letter]) for tile in tiles if (letter := tile[len("[tiles.") :].partition("]")[0]) in counts]
    text = head + "".join(re.sub(r"count = \d+", f"count = {count}", tile) for tile, count in chosen)
    return open_box(Components.parse("small.toml", text))


def begin(seats: int = 2, game: Game[State] = GAME, **options: str | int) -> Match[State]:
    return Match(game, seats, {"first": 0, **options})


def take_turns(match: Match[State], *turns: str) -> list[str]:
    """Play turns like "C 1,8 1: town E", without a spot a pass, and return the sentences of the last line."""
    sentences: list[str] = []
    for short in turns:
        tile, _, spot = short.partition(": ")
        letter, cell, turned = tile.split()
        play_line(match, f"- draw {letter}")
        seat = match.to_act[0]
        play_line(match, f"{seat} lay {cell} {turned}")
        sentences = play_line(match, f"{seat} settle {spot}" if spot else f"{seat} pass")
    return sentences


def two_towns_wait(order: str = "chosen") -> Match[State]:
    """Return a match in which seat 0 completes its town at Plymouth (3 tiles) and its little one above with one tile."""
    match = begin(order=order)
    take_turns(match, "AC 1,1 0: town E", "B 1,0 0", "C 2,0 2: town S", "B 1,4 0")
    play_line(match, "- draw O")
    play_line(match, "0 lay 2,1 1")
    return match


def play_line(match: Match[State], text: str) -> list[str]:
    """Play a line and return the sentences of its events."""
    line = read_line(match.game, text)
    return [f"{event.sentence}{_whose(event)}" for event in match.play(line.seat, line.move).events]


def _whose(event: Event) -> str:
    return f" [{event.seat}]" if event.kind in ("score", "final", "home", "outnumbered") else ""


def view(match: Match[State]) -> dict[str, Any]:
    """Return the active player's view."""
    return match.game.view(match.game.observe(match.state, match.to_act[0] if match.to_act else None))


def feature(match: Match[State], cell: str, spot: str) -> dict[str, Any]:
    """Return the feature that owns a spot of a tile."""
    column, row = (int(part) for part in cell.split(","))
    return next(each for each in view(match)["features"] if (column, row, spot) in each["parts"])


def legal(match: Match[State]) -> list[str]:
    return [match.game.show(move) for move in match.legal(match.to_act[0])]


def refused(match: Match[State], text: str) -> str:
    try:
        play_line(match, text)
    except Refusal as refusal:
        return str(refusal)
    raise AssertionError(f"{text} was allowed")


def random_play(seats: int, seed: int, **options: str | int) -> Iterator[Match[State]]:
    """Yield a match at each of its positions, played at random but eagerly.

    Of a few lays it takes one that completes something, and it settles rather on roads, towns and farms than on plains. So features are
    joined, shared, scored and lost as often as among people.
    """
    rng, match = random.Random(seed), Match(GAME, seats, options)
    while match.to_act:
        yield match
        seat = match.to_act[0]
        match.play(seat, _choose(match, seat, rng))
    yield match


def _choose(match: Match[State], seat: Seat, rng: random.Random) -> Move:
    if seat == NATURE:
        odds = GAME.odds(match.state)
        return rng.choices([move for move, _ in odds], [weight for _, weight in odds])[0]
    moves = match.legal(seat)
    if match.state.phase == LAY:
        return max(rng.sample(moves, min(TRIED, len(moves))), key=lambda move: _closed(match, move))
    bold = [move for move in moves if GAME.show(move).startswith(("settle road", "settle town", "settle farm"))]
    return rng.choice(bold if bold and rng.random() < 0.7 else moves)


def _closed(match: Match[State], lay: Move) -> int:
    """Rate a lay by the features with settlers that it completes, then by how few gaps it leaves."""
    after = match.state.copy()
    turn.apply(PIECES.box, after, after.active, lay)
    return 1000 * waiting(PIECES.box, after).bit_count() - int(after.gaps)
