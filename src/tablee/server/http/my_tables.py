"""One of the tables that a device knows, as the start page lists it: who plays, whose turn it is, how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablee import games
from tablee.core.errors import TableeError
from tablee.core.game import NATURE
from tablee.core.i18n import Translator, msg
from tablee.server.registry import TableRegistry
from tablee.server.storage.models import TableSummary, hash_token
from tablee.server.storage.schema import IN_LOBBY
from tablee.server.table.seats import Seating
from tablee.server.view.narrator import Narrator, initial
from tablee.server.view.seat_colours import colour_classes


@dataclass(frozen=True)
class TableListing:
    id: str
    game: str
    title: str
    people: Sequence[tuple[int, str, str]]  # seat, name, initial
    colour_classes: str
    phase: str  # gathering, playing, over
    my_turn: bool  # whether it is this device's turn
    sentence: str

    @property
    def order(self) -> int:
        return 0 if self.my_turn else {"playing": 1, "gathering": 2}.get(self.phase, 3)


async def table_listing(house: TableRegistry, words: Translator, brief: TableSummary, keys: str, opened: bool) -> TableListing:
    """`opened` is whether the table may be opened for it."""
    seating = Seating(tuple(chair for chair in brief.seats if chair.kind != "open"))
    narrator = Narrator(words, seating)
    people = [(seat, narrator.name(seat), initial(narrator.name(seat))) for seat in range(len(seating))]
    mine = _own_seats(seating, keys)
    phase = "over" if brief.outcome else brief.phase
    turn, sentence = False, ""
    if brief.outcome:
        sentence = _result_text(words, narrator, brief)
    elif brief.phase == IN_LOBBY:
        sentence = words(msg("waiting for players"))
    elif opened:
        turn, sentence = await _turn_text(house, words, narrator, brief.id, mine)
    title = words(house.game(brief.game).title) if brief.game in games.known() else brief.game
    return TableListing(brief.id, brief.game, title, people, colour_classes(seating.colours), phase, turn, sentence)


def _own_seats(seating: Seating, keys: str) -> set[int]:
    hashes = {hash_token(key) for key in keys.split(".") if key}
    return {seat for seat, chair in enumerate(seating.seats) if chair.keys & hashes}


async def _turn_text(house: TableRegistry, words: Translator, narrator: Narrator, table: str, mine: set[int]) -> tuple[bool, str]:
    try:
        awaited = [seat for seat in (await house.peek(table)).match.to_act if seat != NATURE]
    except TableeError as error:
        return False, error.translate(words)
    if mine & set(awaited):
        return True, words(msg("your turn"))
    return False, words(msg("waits for {names}", names=tuple(narrator.name(seat) for seat in awaited[:3])))


def _result_text(words: Translator, narrator: Narrator, brief: TableSummary) -> str:
    assert brief.outcome is not None
    outcome = brief.outcome
    if outcome.won is not None:
        return words(msg("won together")) if outcome.won else words(msg("lost together"))
    names = tuple(narrator.name(seat) for seat in outcome.winners)
    points = "\N{THIN SPACE}:\N{THIN SPACE}".join(map(str, outcome.scores))
    return words(msg("won by {names} ({points})", names=names, points=points))
