"""Rolling Village ("Bienvenue au Maire!", Diego Di Maggio): two dice, a sheet each, nine rounds, everybody at once.

box.py       the sheet and the dice legend          building.py  which cells a project may go to (V4-V8)
state.py     the state record                       scoring.py   avenues and parks (V9, V10)
notation.py  moves <-> text                         turn.py      the rounds (V3), legal moves, apply
sight.py     what a seat knows, and the view        telling.py   events and refusals
scene.py     what only the page needs               drawing.py   the sheets in characters
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tablee.core.components import Components
from tablee.core.game import NATURE, Game, Move, Option, Options, Outcome, Seat, Step
from tablee.core.rule import row_of
from tablee.core.words import note
from tablee.games.rolling_village import drawing, notation, sight, telling, turn
from tablee.games.rolling_village.box import Box, lay_out
from tablee.games.rolling_village.scene import scene
from tablee.games.rolling_village.state import State

SETUP_TYPES = Option(
    "setup_types",
    note("The two first projects"),
    ("different", "free"),
    {"different": note("two different types"), "free": note("any types")},
)


def setup(seats: int, options: Options) -> State:
    return turn.setup(seats, options["setup_types"] == "free")


def to_act(box: Box, state: State) -> tuple[Seat, ...]:
    building = tuple(Seat(seat) for seat in range(state.seats) if state.todo[seat])
    return building or (() if turn.is_over(box, state) else (NATURE,))


def odds(state: State) -> list[tuple[Move, int]]:
    """Two dice as 21 rolls: a double can come one way, any other roll two."""
    return [(notation.roll(a, b), 1 if a == b else 2) for a in range(1, 7) for b in range(1, a + 1)]


def apply(box: Box, state: State, seat: Seat, move: Move) -> Step:
    after = state.copy()
    turn.apply(box, after, int(seat), int(move))
    return Step(after, telling.events(box, state, seat, move, after))


def scores(state: State) -> list[int]:
    return [sight.total(state, seat) for seat in range(state.seats)]


def outcome(state: State) -> Outcome:
    """V10: the highest total wins, equal totals share it."""
    totals = scores(state)
    return Outcome(tuple(totals), tuple(Seat(seat) for seat, total in enumerate(totals) if total == max(totals)))


def hear(seat: Seat, move: Move, listener: Seat | None) -> str:
    return notation.show(move)


def random_games(box: Box, seats: int, options: Options, games: int, seed: int) -> int:
    return turn.random_games(box, row_of(setup(seats, options), 2), games, seed)


def open_box(components: Components) -> Game:
    box = lay_out(components)
    return Game(
        key="rolling-village",
        title=note("Rolling Village"),
        author="Diego Di Maggio",
        rules=1,
        seats=range(1, components.whole("game", "max_players", 1, 12) + 1),
        options=(SETUP_TYPES,),
        components=components,
        folder=Path(__file__).parent,
        setup=setup,
        to_act=partial(to_act, box),
        legal=partial(sight.legal_moves, box),
        odds=odds,
        apply=partial(apply, box),
        outcome=outcome,
        observe=sight.observe,
        imagine=sight.imagine,
        view=partial(sight.view, box),
        show=notation.show,
        read=notation.read,
        scores=scores,
        refuse=partial(telling.refuse, box),
        hear=hear,
        appraise=partial(sight.appraise, box),
        random_games=partial(random_games, box),
        draw=partial(drawing.draw, box),
        picture=partial(drawing.picture, box),
        scene=scene,
    )
