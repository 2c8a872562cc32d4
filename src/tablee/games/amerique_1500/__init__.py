"""Amérique 1500 (Geneviève Dupuis): cards, barter and craft for the great fair; quick, full and co-operative.

opening.py   components.toml read and checked    box.py        what lies in the box         state.py      the state record
notation.py  moves <-> text                      stock.py      a player's goods             nature.py     lot, die, deals (A5-A8)
barter.py    goods for goods (A8, A15)           cards.py      playing cards (A8, A11-A14)  craft.py      items (A8, A16)
requests.py  discs on requests (A9)              ending.py     who wins (A10, A19)          cooperative.py  the special reserve
turn.py      the steps of a turn, legal, apply   pastime.py    whole games, compiled        worth.py      what a position is worth
sight.py     what a seat knows, and the view     forecast.py   what a move would do         names.py      what things are called
telling.py   events                              refusals.py   why a move is not legal      drawing.py    characters
art/         the drawings                        societies.py  how the peoples lived        box_page.py   the box on one page
scene.py     what only the page needs
"""

from __future__ import annotations

from functools import partial
from itertools import permutations
from pathlib import Path

from tablee.core.components import Components
from tablee.core.game import FIRST, NATURE, Game, Move, Option, Options, Outcome, Seat, Step
from tablee.core.rule import numbers, row_of
from tablee.core.words import Say, note, say
from tablee.games.amerique_1500 import box_page, drawing, nature, notation, pastime, refusals, scene, sight, telling, turn, worth
from tablee.games.amerique_1500.box import MAX_SEATS, SOCIETIES, Box, Kit
from tablee.games.amerique_1500.ending import wins
from tablee.games.amerique_1500.names import name
from tablee.games.amerique_1500.opening import lay_out
from tablee.games.amerique_1500.state import State

VERSION = Option(
    "game", note("Version"), ("quick", "full"), {"quick": note("quick game (one star)"), "full": note("full game (three stars)")}
)
COOPERATIVE = Option("cooperative", note("All together"), (False, True), {False: note("each for themselves"), True: note("co-operative")})


def seating(order: tuple[str, ...]) -> Say:
    one, two, three, four = (say(name("society", society)) for society in order)
    return say("{one}, {two}, {three}, {four}", one=one, two=two, three=three, four=four)


ORDERS: dict[str | int | bool, Say] = {"-".join(order): seating(order) for order in permutations(SOCIETIES)}
SEATINGS = Option("societies", note("Societies of players 1, 2, 3, 4"), tuple(ORDERS), ORDERS)


def to_act(state: State) -> tuple[Seat, ...]:
    return (NATURE,) if turn.nature_is_next(state) else sight.seats_to_act(state)


def odds(box: Box, state: State) -> list[tuple[Move, int]]:
    out, weights = numbers(turn.MOST_MOVES), numbers(turn.MOST_MOVES)
    return [(int(out[i]), int(weights[i])) for i in range(nature.list_odds(box, state, out, weights))]


def apply(kit: Kit, state: State, seat: Seat, move: Move) -> Step:
    after = state.copy()
    turn.apply(kit.box, after, int(seat), int(move))
    return Step(after, telling.events(kit, state, seat, move, after))


def scores(state: State) -> list[int]:
    """The discs on requests. Equal ones are told apart by the goods left (A10), which only `outcome` says."""
    return [telling.discs(state, seat) for seat in range(state.seats)]


def outcome(state: State) -> Outcome:
    winners = tuple(Seat(seat) for seat in range(state.seats) if wins(state, seat))
    return Outcome(tuple(scores(state)), winners, not state.lost if state.together else None)


def random_games(box: Box, seats: int, options: Options, games: int, seed: int) -> int:
    return pastime.random_games(box, row_of(turn.setup(box, seats, options), 2), games, seed)


def open_box(components: Components) -> Game:
    kit = lay_out(components)
    box, names = kit.box, kit.names
    return Game(
        key="amerique-1500",
        title=note("Amérique 1500"),
        author="Geneviève Dupuis",
        rules=1,
        seats=range(2, MAX_SEATS + 1),
        options=(FIRST, VERSION, COOPERATIVE, SEATINGS),
        components=components,
        folder=Path(__file__).parent,
        setup=partial(turn.setup, box),
        to_act=to_act,
        legal=partial(sight.legal_moves, kit),
        odds=partial(odds, box),
        apply=partial(apply, kit),
        outcome=outcome,
        observe=sight.observe,
        imagine=sight.imagine,
        view=partial(sight.view, kit),
        show=partial(notation.show, names),
        read=partial(notation.read, names),
        scores=scores,
        refuse=partial(refusals.refuse, kit),
        hear=partial(notation.hear, names),
        appraise=partial(worth.appraise, box),
        random_games=partial(random_games, box),
        draw=partial(drawing.draw, kit),
        picture=partial(box_page.picture, components),
        secrets=True,
        scene=scene.Stage(components).scene,
    )
