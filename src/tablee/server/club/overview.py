"""Overview of a club's tables for its organiser: plain data, cheap enough for every second, with only what a spectator may know."""

from __future__ import annotations

import time
from typing import Any

from tablee.core.i18n import Translator
from tablee.server.club.club import Club
from tablee.server.storage.clubs import StoredClubTable
from tablee.server.table.table import Table
from tablee.server.view.client_view import ClientView
from tablee.server.view.rendered_view import cached_message
from tablee.server.view.table_view import TableView

SLOW_AFTER = 90.0  # seconds without a move after which a table counts as slow: somebody may need help


class Overview:
    """The organiser's live view of one club."""

    def __init__(self) -> None:
        self._last_change: dict[str, tuple[int, float]] = {}  # by table: the version last seen, and the time.monotonic() since when

    async def snapshot(self, club: Club, translator: Translator) -> dict[str, Any]:
        tables = [(place, table) for place, table in await club.tables() if table.seating.people or table.match.over]
        seated = {key for _, table in tables for stored_seat in table.seating.seats for key in stored_seat.keys}
        overviews = [self._table_overview(club, place, table, translator) for place, table in tables]
        return {
            "members": len(club.stored.members),
            "waiting": [
                {"number": each.number, "name": each.name, "here": club.is_here(each)}
                for each in club.stored.members
                if each.token_hash not in seated
            ],
            "tables": overviews,
            "finished": sum(each["over"] for each in overviews),
            "round": club.stored.round,
            "paused": club.stored.paused,
            "admits": club.stored.admits,
        }

    def _table_overview(self, club: Club, place: StoredClubTable, table: Table, translator: Translator) -> dict[str, Any]:
        message = cached_message(ClientView(table, translator))
        players = message.players.players
        done, whole = table.game.progress(table.match.state) if table.game.progress else (0, 0)
        return {
            "number": place.number,
            "id": table.id,
            "title": message.table.game.title,
            "over": message.position.over,
            "winners": tuple(each.name for each in players if each.won and len(players) > 1),
            "awaited": tuple(each.name for each in players if each.awaited),
            "done": done,
            "whole": whole,
            "paused": message.company.notices.paused,  # by one of its players, not by the organiser
            "slow": self._is_slow(table) and bool(message.position.to_act) and not table.paused,
            "trouble": table.error_report,
            "seats": _seat_overviews(club, table, message),
        }

    def _is_slow(self, table: Table) -> bool:
        version, since = self._last_change.get(table.id, (-1, 0.0))
        if version != table.version:
            self._last_change[table.id] = (table.version, time.monotonic())
            return False
        return time.monotonic() - since > SLOW_AFTER


def _seat_overviews(club: Club, table: Table, message: TableView) -> list[dict[str, Any]]:
    members = {each.token_hash: each.number for each in club.stored.members}
    return [
        {
            "seat": each.seat,
            "name": each.name,
            "initial": each.initial,
            "score": score,
            "member": members.get(stored_seat.token_hash),
            "bot": each.bot,
            "stands_in": each.has_stand_in,
            "here": each.here,
            "awaited": each.awaited,
            "won": each.won and len(message.players.players) > 1,
        }
        for each, score, stored_seat in zip(message.players.players, message.position.scores, table.seating.seats, strict=True)
    ]
