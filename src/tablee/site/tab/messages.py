"""Messages of the page, which come from this device and are not validated."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, Self

from tablee.server.live.table_connection import TableHello
from tablee.server.lobby.actions import LobbyRequest


@dataclass
class PageTurn:
    moves: list[str]
    at: int
    id: str

    @property
    def played(self) -> list[str]:
        return self.moves


@dataclass
class PageMessage(TableHello):
    token: str | None = None
    page: bool = True
    keys: str = ""
    chosen: int | None = None
    shown: int | None = None
    draft: list[str] = field(default_factory=list)
    pace: Literal["slow", "normal", "quick"] = "normal"
    at: int = 0
    look: int | None = None
    serial: int = 0
    packed: bool = False
    seen: dict[str, str] | None = None
    picture: str = ""
    told_of: int | None = None
    turn: Mapping[str, Any] | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(**(json.loads(text) | {"packed": False}))  # nothing travels far enough to be worth compressing

    @property
    def turn_to_play(self) -> PageTurn | None:
        return PageTurn(**self.turn) if self.turn else None


def lobby_request(body: Mapping[str, Any]) -> LobbyRequest:
    return LobbyRequest(**{each.name: body[each.name] for each in fields(LobbyRequest) if each.name in body})


def parse_lobby_hello(text: str) -> tuple[str, dict[str, str]]:
    hello = json.loads(text)
    return hello["keys"], hello["seen"]
