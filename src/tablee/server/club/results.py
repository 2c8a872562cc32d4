"""The results of a club as a spreadsheet opens them: every game of every round, seat by seat."""

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
BYTE_ORDER_MARK = "\ufeff"  # by which spreadsheets know UTF-8
SEPARATORS = {"en": ","}  # where a decimal has a comma, spreadsheets expect a semicolon
FORMULA = ("=", "+", "-", "@", "\t", "\r")


async def results_csv(club: Club, words: Translator) -> str:
    await club.reload()  # games were over since, and played again
    written = io.StringIO(newline="")
    sheet = csv.writer(written, delimiter=SEPARATORS.get(words.language, ";"))
    sheet.writerow([words(heading) for heading in HEADINGS])
    async for row in _rows(club, words):
        sheet.writerow([escape_formula(value) for value in row])
    return BYTE_ORDER_MARK + written.getvalue()


async def _rows(club: Club, words: Translator) -> AsyncIterator[list[Any]]:
    played: Counter[tuple[int, int]] = Counter()  # games, by round and table
    for place in sorted(club.stored.tables, key=lambda each: (each.round, each.number, each.made)):
        played[place.round, place.number] += 1
        try:
            table = await club.table_registry.peek(place.table_id)
        except TableeError:
            continue  # it cannot be opened any more
        for row in _seat_rows(place, played[place.round, place.number], table, words):
            yield row


def _seat_rows(place: StoredClubTable, game: int, table: Table, words: Translator) -> list[list[Any]]:
    """The rows of one game, which is the so many-th of its table in its round."""
    narrator, outcome = Narrator(words, table.seating), table.match.outcome
    scores = table.game.scores(table.match.state)
    finished = _format_minute(place.finished) if place.finished else ""
    places = rank_seats(outcome) if outcome else [""] * len(scores)
    head = [place.round, place.number, words(table.game.title), game, _format_minute(place.made)]
    bots = [words(msg("yes")) if table.seating.is_bot(Seat(seat)) else "" for seat in range(len(scores))]
    return [[*head, seat + 1, narrator.name(seat), bots[seat], scores[seat], places[seat], finished] for seat in range(len(scores))]


def _format_minute(when: datetime) -> str:
    return when.replace(tzinfo=when.tzinfo or UTC).astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def rank_seats(outcome: Outcome) -> Sequence[int | str]:
    """Everybody's place: winners are first, others follow by their points; nobody has one where all have lost together."""
    if not outcome.winners:
        return [""] * len(outcome.scores)
    ranks = [(False, 0) if seat in outcome.winners else (True, -score) for seat, score in enumerate(outcome.scores)]
    return [1 + sum(other < mine for other in ranks) for mine in ranks]


def escape_formula(value: Any) -> Any:
    """A name is never taken for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
