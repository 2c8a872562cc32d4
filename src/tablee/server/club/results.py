"""Results of a club as CSV for spreadsheets: every game of every round, one row per seat."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any

from tablee.core.errors import TableeError
from tablee.core.game import Outcome, Seat
from tablee.core.i18n import Translator, mark, msg
from tablee.server.club.club import Club
from tablee.server.storage.clubs import StoredClubTable
from tablee.server.table.table import Table
from tablee.server.view.narrator import Narrator

HEADINGS = (
    mark("Round"),
    mark("Table"),
    mark("Game"),
    mark("Game at this table"),
    mark("Started (UTC)"),
    mark("Seat"),
    mark("First name"),
    mark("Bot"),
    mark("Points"),
    mark("Rank"),
    mark("Finished (UTC)"),
)
BYTE_ORDER_MARK = "\ufeff"  # spreadsheets recognise UTF-8 by it
SEPARATORS = {"en": ","}  # where a decimal has a comma, spreadsheets expect a semicolon
FORMULA = ("=", "+", "-", "@", "\t", "\r")


async def results_csv(club: Club, translator: Translator) -> str:
    await club.reload()  # games may have ended since, and rematches begun
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=SEPARATORS.get(translator.language, ";"))
    writer.writerow([translator(heading) for heading in HEADINGS])
    async for row in _rows(club, translator):
        writer.writerow([escape_formula(value) for value in row])
    return BYTE_ORDER_MARK + buffer.getvalue()


async def _rows(club: Club, translator: Translator) -> AsyncIterator[list[Any]]:
    played: Counter[tuple[int, int]] = Counter()  # number of games by round and table
    for place in sorted(club.stored.tables, key=lambda each: (each.round, each.number, each.made)):
        played[place.round, place.number] += 1
        try:
            table = await club.table_registry.peek(place.table_id)
        except TableeError:
            continue  # it cannot be opened any more
        for row in _seat_rows(place, played[place.round, place.number], table, translator):
            yield row


def _seat_rows(place: StoredClubTable, game: int, table: Table, translator: Translator) -> list[list[Any]]:
    """Return the rows of one game; `game` is its number at this table in this round."""
    narrator, outcome = Narrator(translator, table.seating), table.match.outcome
    scores = table.game.scores(table.match.state)
    finished = _format_minute(place.finished) if place.finished else ""
    places = rank_seats(outcome) if outcome else [""] * len(scores)
    head = [place.round, place.number, translator(table.game.title), game, _format_minute(place.made)]
    bots = [translator(msg("yes")) if table.seating.is_bot(Seat(seat)) else "" for seat in range(len(scores))]
    return [[*head, seat + 1, narrator.name(seat), bots[seat], scores[seat], places[seat], finished] for seat in range(len(scores))]


def _format_minute(when: datetime) -> str:
    return when.replace(tzinfo=when.tzinfo or UTC).astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def rank_seats(outcome: Outcome) -> Sequence[int | str]:
    """Return each seat's rank: winners first, the others by points; blank for one alone, and where all have lost together."""
    if not outcome.winners or len(outcome.scores) == 1:
        return [""] * len(outcome.scores)
    ranks = [(False, 0) if seat in outcome.winners else (True, -score) for seat, score in enumerate(outcome.scores)]
    return [1 + sum(other < mine for other in ranks) for mine in ranks]


def escape_formula(value: Any) -> Any:
    """Prefix text that a spreadsheet would take for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
