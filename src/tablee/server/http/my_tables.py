"""One of the tables that a device knows, as the start page lists it: who plays, whose turn it is, how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablee import games
from tablee.core.errors import TableeError
from tablee.core.game import NATURE
from tablee.core.i18n import Words, say
from tablee.server.registry import House
from tablee.server.storage.models import Brief, hash_token
from tablee.server.storage.schema import GATHERING
from tablee.server.table.seats import Seating
from tablee.server.view.narrator import Narrator, initial
from tablee.server.view.seat_colours import paints


@dataclass(frozen=True)
class Listed:
    id: str
    game: str
    title: str
    people: Sequence[tuple[int, str, str]]  # seat, name, initial
    paints: str
    phase: str  # gathering, playing, over
    mine: bool  # whether it is this device's turn
    sentence: str

    @property
    def order(self) -> int:
        return 0 if self.mine else {"playing": 1, "gathering": 2}.get(self.phase, 3)


async def listed(house: House, words: Words, brief: Brief, keys: str, opened: bool) -> Listed:
    """`opened` is whether the table may be opened for it."""
    seating = Seating(tuple(chair for chair in brief.seats if chair.kind != "open"))
    narrator = Narrator(words, seating)
    people = [(seat, narrator.name(seat), initial(narrator.name(seat))) for seat in range(len(seating))]
    mine = _seats(seating, keys)
    phase = "over" if brief.outcome else brief.phase
    turn, sentence = False, ""
    if brief.outcome:
        sentence = _result(words, narrator, brief)
    elif brief.phase == GATHERING:
        sentence = words(say("waiting for players"))
    elif opened:
        turn, sentence = await _turn(house, words, narrator, brief.id, mine)
    title = words(house.game(brief.game).title) if brief.game in games.known() else brief.game
    return Listed(brief.id, brief.game, title, people, paints(seating.colours), phase, turn, sentence)


def _seats(seating: Seating, keys: str) -> set[int]:
    hashes = {hash_token(key) for key in keys.split(".") if key}
    return {seat for seat, chair in enumerate(seating.chairs) if chair.keys & hashes}


async def _turn(house: House, words: Words, narrator: Narrator, table: str, mine: set[int]) -> tuple[bool, str]:
    try:
        awaited = [seat for seat in (await house.glance(table)).match.to_act if seat != NATURE]
    except TableeError as error:
        return False, error.tell(words)
    if mine & set(awaited):
        return True, words(say("your turn"))
    return False, words(say("waits for {names}", names=tuple(narrator.name(seat) for seat in awaited[:3])))


def _result(words: Words, narrator: Narrator, brief: Brief) -> str:
    assert brief.outcome is not None
    outcome = brief.outcome
    if outcome.won is not None:
        return words(say("won together")) if outcome.won else words(say("lost together"))
    names = tuple(narrator.name(seat) for seat in outcome.winners)
    points = "\N{THIN SPACE}:\N{THIN SPACE}".join(map(str, outcome.scores))
    return words(say("won by {names} ({points})", names=names, points=points))
