"""Reasons for refusing a move: what, where, and which rule."""

from __future__ import annotations

from tablee.core.errors import IllegalMove
from tablee.core.game import NATURE, Move, Seat
from tablee.core.i18n import Message, mark, msg
from tablee.games.mayflower.box import NONE, ROAD, TOWN, Pieces
from tablee.games.mayflower.compass import column_of, row_of
from tablee.games.mayflower.events import cell_text
from tablee.games.mayflower.faces import SPACES
from tablee.games.mayflower.features import edge_kind, plain_at, segment_at, slot_of
from tablee.games.mayflower.loading import distinct_turns
from tablee.games.mayflower.notation import (
    DRAW_MOVE,
    FIRST_MOVE,
    LAY_MOVE,
    PASS,
    SCORE_FARM,
    SCORE_ROAD,
    SETTLE_FARM,
    SETTLE_PLAIN,
    SETTLE_ROAD,
    SETTLE_TOWN,
    cell_of,
    show,
    turns_of,
)
from tablee.games.mayflower.placement import cell_entry
from tablee.games.mayflower.settlers import spot_move
from tablee.games.mayflower.stands import Segment
from tablee.games.mayflower.state import DRAW, GAP_OFFSET, LAY, SCORE, SETTLE, State, last_tile

EDGE_NAMES = (mark("north"), mark("east"), mark("south"), mark("west"))
SHOWN = ("", mark("a plain"), mark("a town"), mark("a road"))


def refuse(pieces: Pieces, state: State, seat: Seat, move: Move) -> IllegalMove:
    if seat == NATURE:
        return _refuse_nature(pieces, state, move)
    if FIRST_MOVE <= move < LAY_MOVE:
        return IllegalMove(msg("tiles come out of the bag by lot"), "M5")
    if state.phase == LAY:
        return _refuse_lay(pieces, state, move)
    if state.phase == SETTLE:
        return _refuse_settle(pieces, state, move)
    assert state.phase == SCORE
    if SCORE_ROAD <= move < FIRST_MOVE or move >= SCORE_FARM:
        return IllegalMove(msg("nothing completed waits to be scored there"), "M8")
    return IllegalMove(msg("choose which completed feature is scored next"), "M8")


def _refuse_nature(pieces: Pieces, state: State, move: Move) -> IllegalMove:
    if DRAW_MOVE <= move < LAY_MOVE and state.phase == DRAW:
        return IllegalMove(msg("no tile {letter} is left in the bag", letter=pieces.letters[move - DRAW_MOVE]), "M5")
    return IllegalMove(msg("{move} cannot come by lot now", move=show(pieces.letters, move)), "M4")


def _refuse_lay(pieces: Pieces, state: State, move: Move) -> IllegalMove:
    if not LAY_MOVE <= move < SCORE_FARM:
        return IllegalMove(msg("lay the tile first"), "M6")
    cell, turns = cell_of(move), turns_of(move)
    column, row, where = column_of(cell), row_of(cell), cell_text(cell)
    if column == 0:
        return IllegalMove(msg("column 0 is the coast and the sea: no tile is laid there"), "R1" if 0 <= row < SPACES else "R6")
    if state.rows and not 0 <= row < state.rows:
        return IllegalMove(msg("this table keeps to rows 0 to {last}", last=state.rows - 1), "M6")
    there = cell_entry(state, cell)
    if there == NONE:
        return IllegalMove(msg("{cell} touches no tile and no start space", cell=where), "M6")
    if there < GAP_OFFSET:
        return IllegalMove(msg("a tile lies in {cell} already", cell=where), "M6")
    key = state.key[there - GAP_OFFSET]
    misfit = _misfit(pieces, state, key, turns)
    fits_no_turn = not pieces.box.fits[state.drawn, key]
    return IllegalMove(msg("the tile fits there no way round: {misfit}", misfit=misfit) if fits_no_turn else misfit, "M6")


def _misfit(pieces: Pieces, state: State, key: int, turns: int) -> Message:
    """Return which edge does not match or, if all do, which turns are allowed."""
    for edge in range(4):
        around, shown = key >> 2 * edge & 3, pieces.box.shows[state.drawn, (edge - turns) & 3]
        if around and around != shown:
            return msg(
                "to the {edge}, {ours} would meet {theirs}", edge=msg(EDGE_NAMES[edge]), ours=msg(SHOWN[shown]), theirs=msg(SHOWN[around])
            )
    allowed = tuple(distinct_turns(pieces.faces[state.drawn]))
    return msg("the tile looks the same with fewer turns; its turns are: {allowed}", allowed=allowed)


def _refuse_settle(pieces: Pieces, state: State, move: Move) -> IllegalMove:
    if move >= SCORE_ROAD:
        return IllegalMove(msg("put a settler on the tile just laid, or pass"), "M7")
    assert move != PASS, "to pass is always allowed"
    if state.supply[state.active] == 0:
        return IllegalMove(msg("you have no settler left"), "M7")
    segment = _segment(pieces, state, move)
    if segment is None:
        return IllegalMove(msg("the tile just laid has nothing like that there"), "M7")
    name = spot_move(pieces.box, state, last_tile(state), slot_of(state, segment))
    if name != move:
        return IllegalMove(msg("name it by its first edge clockwise from the north: {move}", move=show(pieces.letters, name)), "M7")
    return IllegalMove(msg("somebody stands there already: you may settle only where nobody is"), "M7")


def _segment(pieces: Pieces, state: State, move: Move) -> Segment | None:
    """Return the segment that a `settle` names; None if the tile has none of that kind there."""
    tile = last_tile(state)
    if move == SETTLE_FARM:
        return None
    if move >= SETTLE_PLAIN:
        half = move - SETTLE_PLAIN
        is_plain = edge_kind(pieces.box, state, tile, half // 2) != TOWN
        return plain_at(pieces.box, state, tile, half) if is_plain else None
    kind, edge = (TOWN, move - SETTLE_TOWN) if move >= SETTLE_TOWN else (ROAD, move - SETTLE_ROAD)
    matches = edge_kind(pieces.box, state, tile, edge) == kind
    return segment_at(pieces.box, state, tile, edge) if matches else None
