"""What the table is told of a move: who scored what and why, whom the explorers left behind, which tile was set aside.

An event's place is a cell, "1,3", or a cell and a spot on it, "1,3 N", by which the feature can be found again.
"""

from __future__ import annotations

from tablee.core.game import Event, Move, Seat
from tablee.core.words import Say, note, say
from tablee.games.mayflower.box import FARM, KIND_NAMES, KINDS, PLAIN, ROAD, TOWN, Pieces
from tablee.games.mayflower.explorers import BONUS
from tablee.games.mayflower.features import is_complete, subject_kind, subject_of
from tablee.games.mayflower.final import final_points
from tablee.games.mayflower.land import where
from tablee.games.mayflower.news import ASIDE, ENDED, FINAL, MOVED, OUTNUMBERED, SCORED, News, heard
from tablee.games.mayflower.notation import DRAW_MOVE, PASS, cell_of, show_cell
from tablee.games.mayflower.scoring import full_points
from tablee.games.mayflower.settlers import most_on, stand_for
from tablee.games.mayflower.stands import Stand, Subject
from tablee.games.mayflower.state import BY_LOT, DRAW, LAY, SETTLE, State, last_tile

SETTLED = {
    "road": note("A robber on the road"),
    "town": note("A merchant in the town"),
    "farm": note("A farmer on the farm"),
    "plain": note("A trapper on the plain"),
}
LEFT_BEHIND = {
    "road": note("The explorers leave the robber on {cell} behind: it goes home"),
    "town": note("The explorers leave the merchant on {cell} behind: it goes home"),
    "farm": note("The explorers leave the farmer on {cell} behind: it goes home"),
}
LOST = {
    "road": note("The explorers leave the robber on {cell} behind: its completed road is not scored"),
    "town": note("The explorers leave the merchant on {cell} behind: its completed town is not scored"),
    "farm": note("The explorers leave the farmer on {cell} behind: its completed farm is not scored"),
}
EXTRAS = {ROAD: note("post stations"), TOWN: note("shields"), PLAIN: note("animals")}
ONE = {ROAD: note("1 post station"), TOWN: note("1 shield"), PLAIN: note("1 animal")}
SEVERAL = {ROAD: note("{count} post stations"), TOWN: note("{count} shields"), PLAIN: note("{count} animals")}


def events(pieces: Pieces, before: State, seat: Seat, move: Move, after: State) -> tuple[Event, ...]:
    """`before` and `after` are the states around the move."""
    news = heard(after)
    return (*_made(pieces, before, seat, move, after), *(_happened(pieces, after, each, news) for each in news))


def _made(pieces: Pieces, before: State, seat: Seat, move: Move, after: State) -> list[Event]:
    """The move itself."""
    phase = before.phase
    if phase == BY_LOT:
        return [Event("first", say("The lot falls on the first player"), Seat(after.active))]
    if phase == DRAW:
        return [Event("draw", say("Tile {letter} is drawn", letter=pieces.letters[move - DRAW_MOVE]))]
    if phase == LAY:
        cell = show_cell(cell_of(move))
        return [Event("lay", say("Tile {letter} on {cell}", letter=pieces.letters[before.drawn], cell=cell), seat, place=cell)]
    if phase == SETTLE:
        return [_settled(pieces, before, seat, move)]
    return []


def _settled(pieces: Pieces, before: State, seat: Seat, move: Move) -> Event:
    if move == PASS:
        return Event("pass", say("No settler"), seat, place=show_cell(before.place[last_tile(before)]))
    stand = stand_for(pieces.box, before, move)
    return Event("settle", say(SETTLED[KINDS[subject_kind(pieces.box, before, stand)]]), seat, place=place_of(pieces, before, stand))


def _happened(pieces: Pieces, after: State, news: News, all_news: list[News]) -> Event:
    if news.what == ASIDE:
        return Event("aside", say("Tile {letter} fits nowhere and is set aside", letter=pieces.letters[news.where]))
    if news.what == ENDED:
        return Event("over", say("No tile is left: final scoring"))
    if news.what == MOVED:
        return Event("explorer", say("An explorer moves to column {column}", column=news.where))
    seat, stand = Seat(news.seat), Stand(news.where)
    place, kind = place_of(pieces, after, stand), subject_kind(pieces.box, after, stand)
    if news.what == OUTNUMBERED:
        return Event("outnumbered", say("{feature}: outnumbered, no points", feature=say(KIND_NAMES[kind])), seat, place=place)
    if news.what in (SCORED, FINAL):
        return _scored(news, kind, place)
    sentences = LOST if _is_lost(pieces, after, subject_of(after, stand), all_news) else LEFT_BEHIND
    return Event("home", say(sentences[KINDS[kind]], cell=place.split()[0]), seat, place=place)


def _is_lost(pieces: Pieces, after: State, subject: Subject, all_news: list[News]) -> bool:
    """M16: whether a completed feature is not scored at all; a settler farther west may still score it, now or when it is chosen."""
    scored = any(news.what == SCORED and news.where == subject for news in all_news)
    return is_complete(pieces.box, after, subject) and not scored and not most_on(after, subject)


def _scored(news: News, kind: int, place: str) -> Event:
    parts = _parts(news, kind)
    points = sum(part for _, _, part in parts)
    gaps = {"feature": say(KIND_NAMES[kind]), "sum": _sum([count for _, count, _ in parts]), "points": points}
    final = news.what == FINAL
    sentence = say("{feature} at the end: {sum} = {points}", **gaps) if final else say("{feature}: {sum} = {points}", **gaps)
    return Event("final" if final else "score", sentence, Seat(news.seat), points, tuple((what, part) for what, _, part in parts), place)


def _parts(news: News, kind: int) -> list[tuple[Say, Say, int]]:
    """What a score is made of: a name, the count in words, and the points."""
    worth = final_points if news.what == FINAL else full_points
    tiles = worth(kind, news.tiles, 0)
    parts = [(say("tiles"), say("1 tile") if news.tiles == 1 else say("{count} tiles", count=news.tiles), tiles)] if kind != PLAIN else []
    if kind != FARM and (news.extra or kind == PLAIN):
        extra = say(ONE[kind]) if news.extra == 1 else say(SEVERAL[kind], count=news.extra)
        parts.append((say(EXTRAS[kind]), extra, worth(kind, news.tiles, news.extra) - tiles))
    if news.explorers:
        explorers = say("1 explorer") if news.explorers == 1 else say("{count} explorers", count=news.explorers)
        parts.append((say("explorers"), explorers, BONUS * news.explorers))
    return parts


def _sum(counts: list[Say]) -> Say:
    total = counts[0]
    for count in counts[1:]:
        total = say("{one} + {other}", one=total, other=count)
    return total


def place_of(pieces: Pieces, state: State, stand: Stand) -> str:
    column, row, spot = where(pieces, state, stand)
    return f"{column},{row} {spot}".rstrip()
