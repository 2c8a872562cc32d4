"""What the table is told of a move: who scored what and why, whom the explorers left behind, which tile was set aside.

A sentence follows the name of the seat it is about: "lays tile U in column 1, row 0". An event's place is a cell, "1,3", or a cell and a
spot on it, "1,3 N", by which the feature can be found again.
"""

from __future__ import annotations

from tablee.core.game import NATURE, Event, Move, Seat
from tablee.core.i18n import Say, note, say
from tablee.games.mayflower.box import FARM, KIND_NAMES, KINDS, PLAIN, ROAD, TOWN, Pieces
from tablee.games.mayflower.compass import Cell, column_of, row_of
from tablee.games.mayflower.explorers import BONUS
from tablee.games.mayflower.features import is_complete, subject_kind, subject_of, tile_under
from tablee.games.mayflower.final import final_points
from tablee.games.mayflower.land import where
from tablee.games.mayflower.move_effects import ASIDE, ENDED, FINAL, MOVED, OUTNUMBERED, SCORED, News, heard
from tablee.games.mayflower.notation import DRAW_MOVE, PASS, cell_of, show_cell, turns_of
from tablee.games.mayflower.scoring import full_points
from tablee.games.mayflower.scoring_order import subject_for
from tablee.games.mayflower.settlers import most_on, stand_for
from tablee.games.mayflower.stands import Stand, Subject
from tablee.games.mayflower.state import BY_LOT, DRAW, LAY, SETTLE, State, last_tile

SETTLED = {
    "road": note("puts a robber on the road"),
    "town": note("puts a merchant in the town"),
    "farm": note("puts a farmer on the farm"),
    "plain": note("puts a trapper on the plain"),
}
SETTLE_ON = {
    "road": note("put a robber on the road"),
    "town": note("put a merchant in the town"),
    "farm": note("put a farmer on the farm"),
    "plain": note("put a trapper on the plain"),
}
SCORE_FIRST = {"road": note("score the road first"), "town": note("score the town first"), "farm": note("score the farm first")}
LEFT_BEHIND = {
    "road": note("takes the robber home from {cell}: the explorers have passed it"),
    "town": note("takes the merchant home from {cell}: the explorers have passed it"),
    "farm": note("takes the farmer home from {cell}: the explorers have passed it"),
}
LOST = {
    "road": note("takes the robber home from {cell}: the explorers have passed it, its completed road is not scored"),
    "town": note("takes the merchant home from {cell}: the explorers have passed it, its completed town is not scored"),
    "farm": note("takes the farmer home from {cell}: the explorers have passed it, its completed farm is not scored"),
}
GONE = {"road": note("robber sent home"), "town": note("merchant sent home"), "farm": note("farmer sent home")}
COMPLETE = {
    "road": note("scores a road: {sum} = {points}"),
    "town": note("scores a town: {sum} = {points}"),
    "farm": note("scores a farm: {sum} = {points}"),
}
AT_THE_END = {
    "road": note("scores an unfinished road: {sum} = {points}"),
    "town": note("scores an unfinished town: {sum} = {points}"),
    "farm": note("scores an unfinished farm: {sum} = {points}"),
    "plain": note("scores a plain: {sum} = {points}"),
}
OUTNUMBERS = {
    "road": note("is outnumbered on the road and scores nothing"),
    "town": note("is outnumbered in the town and scores nothing"),
    "farm": note("is outnumbered on the farm and scores nothing"),
    "plain": note("is outnumbered on the plain and scores nothing"),
}
EXTRAS = {ROAD: note("post stations"), TOWN: note("shields"), PLAIN: note("animals")}
COUNTED = {
    ROAD: note("{count} post station", "{count} post stations"),
    TOWN: note("{count} shield", "{count} shields"),
    PLAIN: note("{count} animal", "{count} animals"),
}


def events(pieces: Pieces, before: State, seat: Seat, move: Move, after: State) -> tuple[Event, ...]:
    """`before` and `after` are the states around the move."""
    news = heard(after)
    return (*_made(pieces, before, seat, move, after), *(_happened(pieces, seat, after, each, news) for each in news))


def _made(pieces: Pieces, before: State, seat: Seat, move: Move, after: State) -> list[Event]:
    """The move itself."""
    phase = before.phase
    if phase == BY_LOT:
        return [Event("first", say("The lot falls on {name}", name=f"<{after.active}>"))]
    if phase == DRAW:
        return [Event("draw", say("Tile {letter} is drawn", letter=pieces.letters[move - DRAW_MOVE]))]
    if phase == LAY:
        letter, cell = pieces.letters[before.drawn], cell_of(move)
        laid = say("lays tile {letter} in {cell}", letter=letter, cell=tell_cell(cell))
        return [Event("lay", laid, seat, place=show_cell(cell), brief=say("tile {letter}", letter=letter))]
    if phase == SETTLE:
        return [_settled(pieces, before, seat, move)]
    return []


def _settled(pieces: Pieces, before: State, seat: Seat, move: Move) -> Event:
    if move == PASS:
        return Event("pass", say("puts no settler on it"), seat, place=show_cell(before.place[last_tile(before)]))
    stand = stand_for(pieces.box, before, move)
    return Event("settle", say(SETTLED[KINDS[subject_kind(pieces.box, before, stand)]]), seat, place=place_of(pieces, before, stand))


def infinitive(pieces: Pieces, state: State, seat: Seat, move: Move) -> Say:
    """What a seat may do, as a coach would say it: "lay tile K in column 3, row 1, turned by 90°"."""
    if state.phase == LAY:
        lay = say("lay tile {letter} in {cell}", letter=pieces.letters[state.drawn], cell=tell_cell(cell_of(move)))
        return say("{lay}, turned by {degrees}°", lay=lay, degrees=90 * turns_of(move)) if turns_of(move) else lay
    if state.phase == SETTLE and move == PASS:
        return say("put no settler on tile {letter}", letter=pieces.letters[state.design[last_tile(state)]])
    settles = state.phase == SETTLE
    subject = stand_for(pieces.box, state, move) if settles else subject_for(pieces.box, state, move)
    return say((SETTLE_ON if settles else SCORE_FIRST)[KINDS[subject_kind(pieces.box, state, subject)]])


def _happened(pieces: Pieces, actor: Seat, after: State, news: News, all_news: list[News]) -> Event:
    """Told so that it can follow the name of the one it is about; what nature brings has no name before it."""
    if news.what == ASIDE:
        return Event("aside", say("Tile {letter} fits nowhere and is set aside", letter=pieces.letters[news.where]))
    if news.what == ENDED:
        return Event("over", say("No tile is left: final scoring") if actor == NATURE else say("lays the last tile: final scoring"))
    if news.what == MOVED:
        return Event("explorer", say("sends an explorer to column {column}", column=news.where))
    seat, stand = Seat(news.seat), Stand(news.where)
    place, kind = place_of(pieces, after, stand), subject_kind(pieces.box, after, stand)
    if news.what == OUTNUMBERED:
        return Event("outnumbered", say(OUTNUMBERS[KINDS[kind]]), seat, place=place)
    if news.what in (SCORED, FINAL):
        return _scored(news, kind, place)
    sentences = LOST if _is_lost(pieces, after, subject_of(after, stand), all_news) else LEFT_BEHIND
    left = say(sentences[KINDS[kind]], cell=tell_cell(after.place[tile_under(after, stand)]))
    return Event("home", left, seat, place=place, brief=say(GONE[KINDS[kind]]))


def _is_lost(pieces: Pieces, after: State, subject: Subject, all_news: list[News]) -> bool:
    """M16: whether a completed feature is not scored at all; a settler farther west may still score it, now or when it is chosen."""
    scored = any(news.what == SCORED and news.where == subject for news in all_news)
    return is_complete(pieces.box, after, subject) and not scored and not most_on(after, subject)


def _scored(news: News, kind: int, place: str) -> Event:
    parts = _parts(news, kind)
    points = sum(part for _, _, part in parts)
    final = news.what == FINAL
    sentence = say((AT_THE_END if final else COMPLETE)[KINDS[kind]], sum=_sum([term for _, term, _ in parts]), points=points)
    terms = tuple((what, part) for what, _, part in parts)
    return Event("final" if final else "score", sentence, Seat(news.seat), points, terms, place, brief=say(KIND_NAMES[kind]))


def _parts(news: News, kind: int) -> list[tuple[Say, Say, int]]:
    """What a score is made of: a name, the term as it is computed, and the points."""
    worth = final_points if news.what == FINAL else full_points
    tiles = worth(kind, news.tiles, 0)
    counted = say("{count} tile", "{count} tiles", count=news.tiles)
    parts = [(say("tiles"), _times(counted, news.tiles, tiles), tiles)] if kind != PLAIN else []
    if kind != FARM and (news.extra or kind == PLAIN):
        points = worth(kind, news.tiles, news.extra) - tiles
        extra = say(*COUNTED[kind], count=news.extra)
        parts.append((say(EXTRAS[kind]), _times(extra, news.extra, points), points))
    if news.explorers:
        explorers = say("{count} explorer", "{count} explorers", count=news.explorers)
        parts.append((say("explorers"), _times(explorers, news.explorers, BONUS * news.explorers), BONUS * news.explorers))
    return parts


def _times(counted: Say, count: int, points: int) -> Say:
    """So many, each worth so much; what is worth 1 is only counted."""
    return counted if points == count else say("{counted} × {points}", counted=counted, points=points // count)


def _sum(terms: list[Say]) -> Say:
    total = terms[0]
    for term in terms[1:]:
        total = say("{one} + {other}", one=total, other=term)
    return total


def tell_cell(cell: Cell) -> Say:
    """As the rulers of the map number it."""
    return say("column {column}, row {row}", column=column_of(cell), row=row_of(cell))


def place_of(pieces: Pieces, state: State, stand: Stand) -> str:
    column, row, spot = where(pieces, state, stand)
    return f"{column},{row} {spot}".rstrip()
