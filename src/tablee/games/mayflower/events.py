"""Events of a move: who scored what and why, whom the explorers left behind, which tile was set aside.

A sentence follows the name of its seat: "lays tile U in column 1, row 0". An event's place is a cell, "1,3", or a cell and a spot on it,
"1,3 N", which identifies the feature.
"""

from __future__ import annotations

from tablee.core.game import NATURE, Event, Move, Seat
from tablee.core.i18n import Message, mark, msg
from tablee.games.mayflower.box import FARM, KIND_NAMES, KINDS, PLAIN, ROAD, TOWN, Pieces
from tablee.games.mayflower.compass import Cell, column_of, row_of
from tablee.games.mayflower.explorers import BONUS
from tablee.games.mayflower.features import is_complete, subject_kind, subject_of, tile_under
from tablee.games.mayflower.final import final_points
from tablee.games.mayflower.land import locate
from tablee.games.mayflower.move_effects import ASIDE, ENDED, FINAL, MOVED, OUTNUMBERED, SCORED, Effect, read_effects
from tablee.games.mayflower.notation import DRAW_MOVE, PASS, cell_of, show_cell, turns_of
from tablee.games.mayflower.scoring import full_points
from tablee.games.mayflower.scoring_order import subject_for
from tablee.games.mayflower.settlers import most_on, stand_for
from tablee.games.mayflower.stands import Stand, Subject
from tablee.games.mayflower.state import BY_LOT, DRAW, LAY, SETTLE, State, last_tile

SETTLE_MESSAGES = {
    "road": mark("puts a robber on the road"),
    "town": mark("puts a merchant in the town"),
    "farm": mark("puts a farmer on the farm"),
    "plain": mark("puts a trapper on the plain"),
}
SETTLE_INFINITIVES = {
    "road": mark("put a robber on the road"),
    "town": mark("put a merchant in the town"),
    "farm": mark("put a farmer on the farm"),
    "plain": mark("put a trapper on the plain"),
}
SCORE_INFINITIVES = {"road": mark("score the road first"), "town": mark("score the town first"), "farm": mark("score the farm first")}
LEFT_BEHIND_MESSAGES = {
    "road": mark("takes the robber home from {cell}: the explorers have passed it"),
    "town": mark("takes the merchant home from {cell}: the explorers have passed it"),
    "farm": mark("takes the farmer home from {cell}: the explorers have passed it"),
}
LOST_MESSAGES = {
    "road": mark("takes the robber home from {cell}: the explorers have passed it, its completed road is not scored"),
    "town": mark("takes the merchant home from {cell}: the explorers have passed it, its completed town is not scored"),
    "farm": mark("takes the farmer home from {cell}: the explorers have passed it, its completed farm is not scored"),
}
SENT_HOME_LABELS = {"road": mark("robber sent home"), "town": mark("merchant sent home"), "farm": mark("farmer sent home")}
SCORE_MESSAGES = {
    "road": mark("scores a road: {sum} = {points}"),
    "town": mark("scores a town: {sum} = {points}"),
    "farm": mark("scores a farm: {sum} = {points}"),
}
FINAL_SCORE_MESSAGES = {
    "road": mark("scores an unfinished road: {sum} = {points}"),
    "town": mark("scores an unfinished town: {sum} = {points}"),
    "farm": mark("scores an unfinished farm: {sum} = {points}"),
    "plain": mark("scores a plain: {sum} = {points}"),
}
OUTNUMBERED_MESSAGES = {
    "road": mark("is outnumbered on the road and scores nothing"),
    "town": mark("is outnumbered in the town and scores nothing"),
    "farm": mark("is outnumbered on the farm and scores nothing"),
    "plain": mark("is outnumbered on the plain and scores nothing"),
}
EXTRA_NAMES = {ROAD: mark("post stations"), TOWN: mark("shields"), PLAIN: mark("animals")}
EXTRA_COUNTS = {
    ROAD: mark("{count} post station", "{count} post stations"),
    TOWN: mark("{count} shield", "{count} shields"),
    PLAIN: mark("{count} animal", "{count} animals"),
}


def events(pieces: Pieces, before: State, seat: Seat, move: Move, after: State) -> tuple[Event, ...]:
    """Return the events of a move; `before` and `after` are the states around it."""
    effects = read_effects(after)
    return (*_move_event(pieces, before, seat, move, after), *(_effect_event(pieces, seat, after, effect, effects) for effect in effects))


def _move_event(pieces: Pieces, before: State, seat: Seat, move: Move, after: State) -> list[Event]:
    """Return the event of the move itself, if it has one."""
    phase = before.phase
    if phase == BY_LOT:
        return [Event("first", msg("The lot falls on {name}", name=f"<{after.active}>"))]
    if phase == DRAW:
        return [Event("draw", msg("Tile {letter} is drawn", letter=pieces.letters[move - DRAW_MOVE]))]
    if phase == LAY:
        letter, cell = pieces.letters[before.drawn], cell_of(move)
        laid = msg("lays tile {letter} in {cell}", letter=letter, cell=cell_text(cell))
        return [Event("lay", laid, seat, place=show_cell(cell), brief=msg("tile {letter}", letter=letter))]
    if phase == SETTLE:
        return [_settle_event(pieces, before, seat, move)]
    return []


def _settle_event(pieces: Pieces, before: State, seat: Seat, move: Move) -> Event:
    if move == PASS:
        return Event("pass", msg("puts no settler on it"), seat, place=show_cell(before.place[last_tile(before)]))
    stand = stand_for(pieces.box, before, move)
    return Event(
        "settle", msg(SETTLE_MESSAGES[KINDS[subject_kind(pieces.box, before, stand)]]), seat, place=place_of(pieces, before, stand)
    )


def infinitive(pieces: Pieces, state: State, seat: Seat, move: Move) -> Message:
    """Return a move as the coach phrases it: "lay tile K in column 3, row 1, turned by 90°"."""
    if state.phase == LAY:
        lay = msg("lay tile {letter} in {cell}", letter=pieces.letters[state.drawn], cell=cell_text(cell_of(move)))
        return msg("{lay}, turned by {degrees}°", lay=lay, degrees=90 * turns_of(move)) if turns_of(move) else lay
    if state.phase == SETTLE and move == PASS:
        return msg("put no settler on tile {letter}", letter=pieces.letters[state.design[last_tile(state)]])
    settles = state.phase == SETTLE
    subject = stand_for(pieces.box, state, move) if settles else subject_for(pieces.box, state, move)
    return msg((SETTLE_INFINITIVES if settles else SCORE_INFINITIVES)[KINDS[subject_kind(pieces.box, state, subject)]])


def _effect_event(pieces: Pieces, actor: Seat, after: State, effect: Effect, all_effects: list[Effect]) -> Event:
    """Return the event of one effect; its sentence follows the name of its seat, or stands alone if nature caused it."""
    if effect.what == ASIDE:
        return Event("aside", msg("Tile {letter} fits nowhere and is set aside", letter=pieces.letters[effect.where]))
    if effect.what == ENDED:
        return Event("over", msg("No tile is left: final scoring") if actor == NATURE else msg("lays the last tile: final scoring"))
    if effect.what == MOVED:
        return Event("explorer", msg("sends an explorer to column {column}", column=effect.where))
    seat, stand = Seat(effect.seat), Stand(effect.where)
    place, kind = place_of(pieces, after, stand), subject_kind(pieces.box, after, stand)
    if effect.what == OUTNUMBERED:
        return Event("outnumbered", msg(OUTNUMBERED_MESSAGES[KINDS[kind]]), seat, place=place)
    if effect.what in (SCORED, FINAL):
        return _score_event(effect, kind, place)
    sentences = LOST_MESSAGES if _is_lost(pieces, after, subject_of(after, stand), all_effects) else LEFT_BEHIND_MESSAGES
    left = msg(sentences[KINDS[kind]], cell=cell_text(after.place[tile_under(after, stand)]))
    return Event("home", left, seat, place=place, brief=msg(SENT_HOME_LABELS[KINDS[kind]]))


def _is_lost(pieces: Pieces, after: State, subject: Subject, all_effects: list[Effect]) -> bool:
    """Return whether a completed feature is not scored at all (M16).

    A settler farther west may still score it, now or when it is chosen.
    """
    scored = any(effect.what == SCORED and effect.where == subject for effect in all_effects)
    return is_complete(pieces.box, after, subject) and not scored and not most_on(after, subject)


def _score_event(effect: Effect, kind: int, place: str) -> Event:
    parts = _parts(effect, kind)
    points = sum(part for _, _, part in parts)
    final = effect.what == FINAL
    sentence = msg(
        (FINAL_SCORE_MESSAGES if final else SCORE_MESSAGES)[KINDS[kind]], sum=_sum([term for _, term, _ in parts]), points=points
    )
    terms = tuple((what, part) for what, _, part in parts)
    return Event("final" if final else "score", sentence, Seat(effect.seat), points, terms, place, brief=msg(KIND_NAMES[kind]))


def _parts(effect: Effect, kind: int) -> list[tuple[Message, Message, int]]:
    """Return the parts of a score: for each a name, its term in the sum, and its points."""
    points_of = final_points if effect.what == FINAL else full_points
    tiles = points_of(kind, effect.tiles, 0)
    counted = msg("{count} tile", "{count} tiles", count=effect.tiles)
    parts = [(msg("tiles"), _times(counted, effect.tiles, tiles), tiles)] if kind != PLAIN else []
    if kind != FARM and (effect.extra or kind == PLAIN):
        points = points_of(kind, effect.tiles, effect.extra) - tiles
        extra = msg(*EXTRA_COUNTS[kind], count=effect.extra)
        parts.append((msg(EXTRA_NAMES[kind]), _times(extra, effect.extra, points), points))
    if effect.explorers:
        explorers = msg("{count} explorer", "{count} explorers", count=effect.explorers)
        parts.append((msg("explorers"), _times(explorers, effect.explorers, BONUS * effect.explorers), BONUS * effect.explorers))
    return parts


def _times(counted: Message, count: int, points: int) -> Message:
    """Return a term with the points per item, which are left out where they are 1."""
    return counted if points == count else msg("{counted} × {points}", counted=counted, points=points // count)


def _sum(terms: list[Message]) -> Message:
    total = terms[0]
    for term in terms[1:]:
        total = msg("{one} + {other}", one=total, other=term)
    return total


def cell_text(cell: Cell) -> Message:
    """Return a cell in words, as the rulers of the map number it."""
    return msg("column {column}, row {row}", column=column_of(cell), row=row_of(cell))


def place_of(pieces: Pieces, state: State, stand: Stand) -> str:
    column, row, spot = locate(pieces, state, stand)
    return f"{column},{row} {spot}".rstrip()
