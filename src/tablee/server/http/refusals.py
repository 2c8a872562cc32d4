"""Statuses and bodies that answer a refused HTTP request."""

from __future__ import annotations

from collections.abc import Mapping

from tablee.core.errors import TableeError
from tablee.server.http import art, club_access, pages
from tablee.server.http.middleware.host_origin import TooManyRequests
from tablee.server.live import refusals
from tablee.server.storage.clubs import NoSuchClub
from tablee.server.storage.mappers import DamagedTable

STATUS: Mapping[type[TableeError], int] = {
    **refusals.STATUS,
    pages.NoSuchGame: 404,
    art.NoSuchArt: 404,
    NoSuchClub: 404,
    club_access.NotTheOrganiser: 403,
    club_access.NotAMember: 403,
    TooManyRequests: 429,
    DamagedTable: 500,
}
