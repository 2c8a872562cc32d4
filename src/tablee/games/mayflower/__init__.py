"""Mayflower ("New World", Klaus-Jürgen Wrede): tiles from the coast westward, settlers on them, two explorers who hurry everybody on.

faces.py     what every tile shows, and its plains      box.py        the same as tables for the rules
state.py     the state record                           notation.py   moves <-> text
placement.py where a tile fits (M5, M6)                 features.py   roads, towns, plains and farms grow (M9-M11)
settlers.py  where one may stand (M7, M14)              explorers.py  bonus, movement, removal (M13, M15-M17)
scoring.py   a completed feature (M9-M14)               waiting.py    which are scored, in what order (M8)
final.py     the end (M18-M20)                          turn.py       the turn, legal moves, apply
sight.py     what a seat knows, and the view            survey.py, forecast.py  its features, what moves would give
telling.py   events     news.py  as the rules note them     refusing.py  why a move is refused
drawing.py   characters                                 worth.py      the greedy bot's eye
art/         the map as SVG, from the faces             box_page.py   the box as a page
scene.py     where everything lies on the page
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tablee.core.components import Components
from tablee.core.game import FIRST, NATURE, RANDOM_FIRST, Game, Move, Option, Options, Outcome, Seat, Step
from tablee.core.rule import row_of
from tablee.core.words import note
from tablee.games.mayflower import box_page, drawing, notation, refusing, scene, sight, telling, turn, worth
from tablee.games.mayflower.box import MAX_SEATS, NONE, Pieces, unpack
from tablee.games.mayflower.scoring import total
from tablee.games.mayflower.state import DRAW, OVER, State
from tablee.games.mayflower.state import FIRST as BY_LOT

ROWS = Option("rows", note("Rows"), (0, 10), {0: note("no limit north or south"), 10: note("only the ten rows of the coast")})
ORDER = Option(
    "order",
    note("Order of scoring"),
    ("chosen", "automatic"),
    {"chosen": note("the active player chooses"), "automatic": note("most points for the active player first")},
)


def setup(pieces: Pieces, seats: int, options: Options) -> State:
    first = NONE if options["first"] == RANDOM_FIRST else int(options["first"])
    return turn.setup(pieces.box, seats, first, int(options["rows"]), options["order"] == "automatic")


def to_act(state: State) -> tuple[Seat, ...]:
    if state.phase == OVER:
        return ()
    return (NATURE,) if state.phase in (BY_LOT, DRAW) else (Seat(int(state.active)),)


def odds(pieces: Pieces, state: State) -> list[tuple[Move, int]]:
    """M4: each seat may begin. M5: each tile left may come."""
    if state.phase == BY_LOT:
        return [(notation.FIRST_MOVE + seat, 1) for seat in range(state.seats)]
    return [(notation.DRAW_MOVE + design, int(state.bag[design])) for design in range(len(pieces.faces)) if state.bag[design]]


def apply(pieces: Pieces, state: State, seat: Seat, move: Move) -> Step:
    after = state.copy()
    turn.apply(pieces.box, after, int(move))
    return Step(after, telling.events(pieces, state, seat, move, after))


def scores(state: State) -> list[int]:
    return [int(total(state, seat)) for seat in range(state.seats)]


def outcome(state: State) -> Outcome:
    """M21: most points win, equal scores share the win."""
    totals = scores(state)
    return Outcome(tuple(totals), tuple(Seat(seat) for seat, points in enumerate(totals) if points == max(totals)))


def hear(pieces: Pieces, seat: Seat, move: Move, listener: Seat | None) -> str:
    return notation.show(pieces.letters, move)


def random_games(pieces: Pieces, seats: int, options: Options, games: int, seed: int) -> int:
    return turn.random_games(pieces.box, row_of(setup(pieces, seats, options), 2), games, seed)


def open_box(components: Components) -> Game:
    pieces = unpack(components)
    return Game(
        key="mayflower",
        title=note("Mayflower"),
        author="Klaus-Jürgen Wrede",
        rules=1,
        seats=range(2, MAX_SEATS + 1),
        options=(FIRST, ROWS, ORDER),
        components=components,
        folder=Path(__file__).parent,
        setup=partial(setup, pieces),
        to_act=to_act,
        legal=partial(sight.legal_moves, pieces),
        odds=partial(odds, pieces),
        apply=partial(apply, pieces),
        outcome=outcome,
        observe=sight.observe,
        imagine=sight.imagine,
        view=partial(sight.view, pieces),
        show=partial(notation.show, pieces.letters),
        read=partial(notation.read, pieces.letters),
        scores=scores,
        refuse=partial(refusing.refuse, pieces),
        hear=partial(hear, pieces),
        appraise=partial(worth.appraise, pieces),
        random_games=partial(random_games, pieces),
        draw=partial(drawing.draw, pieces),
        picture=partial(box_page.picture, components),
        scene=partial(scene.scene, pieces),
    )
