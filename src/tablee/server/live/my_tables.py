"""Entries in the start page's list of a device's tables: who plays, whose turn it is, how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablee import games
from tablee.core.errors import TableeError
from tablee.core.game import NATURE
from tablee.core.i18n import Translator, msg
from tablee.server.open_tables import OpenTables
from tablee.server.table.models import IN_LOBBY, TableSummary, hash_token
from tablee.server.table.seats import Seating
from tablee.server.view.narrator import Narrator, initial, seat_colours


@dataclass(frozen=True)
class TableListing:
    id: str
    game: str
    title: str
    people: Sequence[tuple[int, str, str]]  # seat, name, initial
    seat_colours: str
    phase: str  # gathering, playing, over
    my_turn: bool  # whether it is this device's turn
    sentence: str

    @property
    def order(self) -> int:
        return 0 if self.my_turn else {"playing": 1, "gathering": 2}.get(self.phase, 3)


async def table_listing(registry: OpenTables, translator: Translator, summary: TableSummary, keys: str, opened: bool) -> TableListing:
    """Return the table's entry; `opened` permits loading the table to find whose turn it is."""
    seating = Seating(tuple(seat for seat in summary.seats if seat.kind != "open"))
    narrator = Narrator(translator, seating)
    people = [(seat, narrator.name(seat), initial(narrator.name(seat))) for seat in range(len(seating))]
    mine = _own_seats(seating, keys)
    phase = "over" if summary.outcome else summary.phase
    my_turn, sentence = False, ""
    if summary.outcome:
        sentence = _result_text(translator, narrator, summary)
    elif summary.phase == IN_LOBBY:
        sentence = translator(msg("waiting for players"))
    elif opened:
        my_turn, sentence = await _turn_text(registry, translator, narrator, summary.id, mine)
    title = translator(registry.game(summary.game).title) if summary.game in games.known() else summary.game
    return TableListing(summary.id, summary.game, title, people, seat_colours(seating.colours), phase, my_turn, sentence)


def _own_seats(seating: Seating, keys: str) -> set[int]:
    hashes = {hash_token(key) for key in keys.split(".") if key}
    return {number for number, seat in enumerate(seating.seats) if seat.keys & hashes}


async def _turn_text(registry: OpenTables, translator: Translator, narrator: Narrator, table: str, mine: set[int]) -> tuple[bool, str]:
    try:
        to_act = [seat for seat in (await registry.peek(table)).match.to_act if seat != NATURE]
    except TableeError as error:
        return False, error.translate(translator)
    if mine & set(to_act):
        return True, translator(msg("your turn"))
    return False, translator(msg("waits for {names}", names=tuple(narrator.name(seat) for seat in to_act[:3])))


def _result_text(translator: Translator, narrator: Narrator, summary: TableSummary) -> str:
    assert summary.outcome is not None
    outcome = summary.outcome
    if outcome.won is not None:
        return translator(msg("won together")) if outcome.won else translator(msg("lost together"))
    names = tuple(narrator.name(seat) for seat in outcome.winners)
    points = "\N{THIN SPACE}:\N{THIN SPACE}".join(map(str, outcome.scores))
    return translator(msg("won by {names} ({points})", names=names, points=points))
