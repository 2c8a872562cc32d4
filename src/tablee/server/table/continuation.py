"""A game that goes on in another place: from a server to a device or back, while everybody who plays it sits at one screen.

It travels as a record with an entry for each player: `{"name": "Ada", "colour": 3}` or `{"bot": "greedy"}`. The record of an unfinished
game has no seed, so the other place draws from a seed of its own.
"""

from __future__ import annotations

from typing import Any

from tablee.core import record
from tablee.core.errors import RecordError
from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.server.table.decisions import NotNow
from tablee.server.table.models import BOT, HUMAN, StoredTable
from tablee.server.table.new_tables import Tokens, started_table
from tablee.server.table.seats import COLOURS, NotYourSeat, SeatSpec
from tablee.server.table.state import TableState

PLAYERS = "players"


def record_to_continue(table: TableState, tokens: str) -> dict[str, Any]:
    """Return the record of an unfinished game with its players, for the owner of all seats in which people sit."""
    if table.done or table.settings.lesson or table.settings.club:
        raise NotNow(msg("only a game that is not over goes on elsewhere, and neither a lesson nor a game of a class"))
    mine = table.seating.seats_of_tokens(tokens)
    if not mine or table.seating.people - set(mine):
        raise NotYourSeat(msg("a game goes on elsewhere only if everybody who plays it sits at this screen"))
    players = [{"bot": seat.level} if seat.kind == BOT else {"name": seat.name, "colour": seat.colour} for seat in table.seating.seats]
    return record.write(table.match) | {PLAYERS: players}


def players_of(text: str, match: Match) -> list[SeatSpec] | None:
    """Return the seats of a record's players; None if the game is over, or the record names none."""
    players = record.parse(text).get(PLAYERS)
    if players is None or match.over:
        return None
    if not isinstance(players, list) or len(players) != match.seats or not all(isinstance(player, dict) for player in players):
        raise _damaged()
    return [_seat(player) for player in players]


def _seat(player: dict[str, Any]) -> SeatSpec:
    bot, name, colour = player.get("bot", ""), player.get("name", ""), player.get("colour", -1)
    if not isinstance(bot, str) or not isinstance(name, str) or type(colour) is not int or colour >= COLOURS:
        raise _damaged()
    return SeatSpec(BOT, level=bot) if bot else SeatSpec(HUMAN, name, colour=colour)


def _damaged() -> RecordError:
    return RecordError(msg("the record's {key} is missing or of the wrong kind", key=PLAYERS))


def continued_table(match: Match, players: list[SeatSpec], seed: bytes) -> tuple[StoredTable, Tokens]:
    """Return a table in which these players go on with a match, which draws from this seed, and their tokens."""
    return started_table(match.fork(seed), players)
