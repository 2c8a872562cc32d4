"""Times and limits of tables and lobbies, and the services that all tables of a process share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import monotonic, time

from tablee import bots
from tablee.bots import coach
from tablee.bots.search import Search
from tablee.core import fairness
from tablee.core.game import Seat
from tablee.server.table.bot_executor import BotExecutor
from tablee.server.table.models import LogAppend, TableStore


@dataclass(frozen=True)
class CoachBudget:
    """How much the coach computes."""

    review: Search = coach.REVIEW_SEARCH  # for one turn of a finished game
    hint: Search = bots.HARD
    follow_up: Search = coach.FOLLOW_UP_SEARCH  # for the later moves of a hint
    playouts: int = coach.MIN_PLAYOUTS  # for the chances after one turn
    lines: int = coach.LINE_BUDGET  # of these playouts, unless fewer would be played


@dataclass(frozen=True)
class TableConfig:
    """Configuration of all tables of a process; times are in seconds."""

    bot_pace: float = 0.8  # a bot waits so long before its turn, so that people can follow
    bot_niceness: int = 10  # of the threads in which bots and the coach think: on a busy machine all other work comes first
    bot_retry_delay: float = 1.0  # before a bot tries again
    stand_in_level: str = "medium"  # of the bot that plays for an absent player
    away_after: float = 60.0  # after which a player who is to act, or the host of a lobby, counts as absent
    poll_timeout: float = 7.0  # after its last poll, for which a client counts as here
    idle_after: float = 60.0  # after the last visit, for which a table without connections counts as watched
    reconnect_grace: float = 10.0  # after the start, in which nobody counts as away
    claim_cooldown: float = 60.0  # between two claims on one seat, so that strangers cannot fill the log
    reaction_seconds: float = 4.0  # for which a reaction is shown; then the seat can give the next one
    chat_messages: int = 100  # that a table stores; older ones are deleted
    coach: CoachBudget = CoachBudget()
    monotonic: Callable[[], float] = monotonic
    wall_time: Callable[[], float] = time
    new_seed: Callable[[], bytes] = fairness.new_seed  # of a new game


DEFAULT_CONFIG = TableConfig()


@dataclass(frozen=True)
class Services:
    store: TableStore
    append: Callable[[LogAppend], Awaitable[None]]  # returns when the lines are on disk
    acquire_lease: Callable[[str], Awaitable[bool]]  # whether this process computes the bots of the table
    announce_reaction: Callable[[str, Seat, str], None]  # to the other processes
    bot_executor: BotExecutor
