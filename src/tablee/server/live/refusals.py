"""Statuses and bodies that answer a refused request, the same over every transport."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablee.core.errors import NotYourTurn, TableeError
from tablee.core.game import Game
from tablee.core.i18n import Translator
from tablee.core.tutorial import OffScript
from tablee.server.lobby.lobby import GameNotStarted, GameStarted
from tablee.server.lobby.seats import SeatUnavailable
from tablee.server.table.absent_players import NotAbsent
from tablee.server.table.chat import NoChat, TooSoon
from tablee.server.table.coaching import NoHints
from tablee.server.table.decisions import NotNow
from tablee.server.table.models import ConflictError, NoSuchTable, StoreError
from tablee.server.table.new_tables import NotOver, NoTutorial
from tablee.server.table.records import OlderRules
from tablee.server.table.seats import NotYourSeat
from tablee.server.view.rule_book import violated_rule

STATUS: Mapping[type[TableeError], int] = {
    NoSuchTable: 404,
    NoTutorial: 404,
    OlderRules: 410,
    NotYourSeat: 403,
    NotYourTurn: 409,
    OffScript: 409,
    NotOver: 409,
    GameNotStarted: 409,
    GameStarted: 409,
    SeatUnavailable: 409,
    NoHints: 409,
    NoChat: 409,
    NotNow: 409,
    NotAbsent: 409,
    TooSoon: 429,
    ConflictError: 409,
    StoreError: 503,
}
TRY_AGAIN = STATUS[StoreError]  # nothing was decided, and the same request may be sent again


def refusal(
    error: TableeError, translator: Translator, game: Game | None, statuses: Mapping[type[TableeError], int] = STATUS
) -> tuple[int, dict[str, Any]]:
    """Return the status and the body of a refusal; with the game, also the rule behind it."""
    status = next((statuses[kind] for kind in type(error).__mro__ if kind in statuses), 422)
    body = {"error": error.translate(translator), "rule": None}
    if isinstance(error, OffScript):
        return status, body | {"kindly": True}
    rule = violated_rule(game, error, translator) if game else None
    return status, {**body, **rule} if rule else body
