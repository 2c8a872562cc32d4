"""Answers to the requests of a page: the same paths and bodies as the server's."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from tablee.core.errors import TableeError
from tablee.core.i18n import Translator, msg
from tablee.server.live.connection import LobbyConnection
from tablee.server.live.my_tables import table_listing
from tablee.server.live.refusals import refusal
from tablee.server.live.table_connection import TableConnection
from tablee.server.lobby.actions import apply_action
from tablee.server.lobby.lobby import GameNotStarted, LobbyRegistry
from tablee.server.ops.error_reports import report, report_message
from tablee.server.table import decisions
from tablee.server.table.config import DEFAULT_CONFIG, TableConfig
from tablee.server.table.continuation import record_to_continue
from tablee.server.table.decisions import checked_again, guarded, play_with_token, require_seat, undo_with_token
from tablee.server.table.models import BOT, HUMAN
from tablee.server.table.new_tables import NotOver, seats_to_play_on
from tablee.server.table.records import readable_record
from tablee.server.table.seats import DEFAULT_BOT_LEVEL, SeatSpec
from tablee.server.table.table import Table
from tablee.server.view.client_view import ClientView
from tablee.server.view.draws_view import draws_view
from tablee.server.view.lobby_view import client_state, render_lobby
from tablee.server.view.narrator import BOT_NAMES
from tablee.server.view.rendered_view import RenderQueue, cached_view
from tablee.server.view.rendering import final_board, templates
from tablee.server.view.review_view import hint_view
from tablee.site.tab.messages import PageMessage, lobby_request, parse_lobby_hello
from tablee.site.tab.socket import PageSocket
from tablee.site.tab.storage import Device, DeviceStorage
from tablee.site.tab.tables import DeviceTables
from tablee.site.tab.thinking import TabExecutor, Think, UseLoops, think_here

DEFAULT_OPPONENT = "greedy"
MADE, BROKEN, NOT_FOUND = 201, 500, 404


@dataclass(frozen=True)
class Request:
    token: str | None
    text: str

    @property
    def body(self) -> Any:
        return json.loads(self.text or "{}")

    @property
    def form(self) -> Mapping[str, str]:
        return dict(parse_qsl(self.text))


Answer = tuple[int, Any]  # a status, and a body: text, or what becomes JSON
Route = Callable[..., Awaitable[Answer]]


class Tab:
    """One tab of the browser, in the language of its page."""

    def __init__(
        self,
        device: Device,
        language: str,
        config: TableConfig = DEFAULT_CONFIG,
        *,
        think: Think | None = None,
        use_loops: UseLoops = lambda game: None,
    ) -> None:
        self.translator, self.storage = Translator(language), DeviceStorage(device)
        self.tables = DeviceTables(self.storage, config, TabExecutor(think or think_here(use_loops)), use_loops)
        self.lobbies = LobbyRegistry(self.storage, self.tables.game, config)
        self._queue = RenderQueue()
        table = r"/api/tables/(\w+)"
        self._routes: Mapping[str, Route] = {
            r"POST /play/([\w-]+)": self._play_now,
            r"POST /new/([\w-]+)": self._new_lobby,
            r"POST /first/([\w-]+)": self._start_tutorial,
            r"POST /mine": self._my_tables,
            r"POST /api/records": self._import_record,
            r"GET /t/(\w+)": self._page,
            r"GET /t/(\w+)/picture\.svg": self._picture,
            f"POST {table}/moves": self._move,
            f"POST {table}/undo": self._undo,
            f"POST {table}/hint": self._hint,
            f"POST {table}/pause": self._pause,
            f"POST {table}/rematch": self._rematch,
            f"POST {table}/play-on": self._play_on,
            f"POST {table}/continue": self._continue,
            f"GET {table}/draws": self._draws,
            f"GET {table}/record": self._record,
            f"POST {table}/gathering": self._act_in_lobby,
        }

    async def answer(self, method: str, path: str, token: str | None, text: str) -> Answer:
        """Answer a request once everything that it changed is on the device."""
        table = re.match(r"/(?:api/tables|t)/(\w+)", path)
        try:
            for pattern, route in self._routes.items():
                if found := re.fullmatch(pattern, f"{method} {path}"):
                    answer = await route(Request(token, text), *found.groups())
                    await self.storage.flush()
                    return answer
            return NOT_FOUND, {"error": self.translator(msg("this device has no such page"))}
        except TableeError as error:
            opened = self.tables.get_open(table[1]) if table else None
            return refusal(error, self.translator, opened.game if opened else None)
        except Exception as error:
            return BROKEN, {"error": self.translator(report_message(report(error)))}

    def connect(self, path: str, socket: PageSocket) -> None:
        """Open a connection to a table or a lobby."""
        table, _, lobby = path.removeprefix("/api/tables/").removesuffix("/ws").partition("/")
        socket.start(self._lobby_connection(table, socket) if lobby else self._table_connection(table, socket), self.translator)

    async def _table_connection(self, table: str, socket: PageSocket) -> TableConnection:
        return TableConnection(socket, self.translator, await self.tables.table(table), self._queue, PageMessage.parse)

    async def _lobby_connection(self, table: str, socket: PageSocket) -> LobbyConnection:
        await self.storage.fetch(table)
        return LobbyConnection(socket, self.translator, await self.lobbies.lobby(table), "", self._queue, parse_lobby_hello)

    async def _play_now(self, request: Request, key: str) -> Answer:
        form, game = request.form, self.tables.game(key)
        level = form["level"] if form.get("level") in BOT_NAMES else DEFAULT_OPPONENT
        bots = min(max(game.seats[0], 2), game.seats[-1]) - 1
        me = SeatSpec(HUMAN, form.get("name", ""), colour=_colour(form))
        table, tokens = await self.tables.create(key, {}, [me, *[SeatSpec(BOT, level=level)] * bots], hints=True)
        return MADE, {"table": table.id, "keys": tokens[0]}

    async def _new_lobby(self, request: Request, key: str) -> Answer:
        lobby, token = await self.lobbies.create(key, request.form.get("name", ""), _colour(request.form))
        return MADE, {"table": lobby.id, "keys": token}

    async def _start_tutorial(self, request: Request, key: str) -> Answer:
        table, token = await self.tables.create_tutorial(key)
        return MADE, {"table": table.id, "keys": token}

    async def _import_record(self, request: Request) -> Answer:
        return _made(*await self.tables.import_record(request.text))

    async def _continue(self, request: Request, table: str) -> Answer:
        return 200, record_to_continue(await self.tables.table(table), request.body["keys"])

    async def _my_tables(self, request: Request) -> Answer:
        listings = []
        for held in request.body["tables"]:
            if await self.storage.fetch(held["table"]) and (summary := self.storage.summary(held["table"])):
                listings.append(await table_listing(self.tables, self.translator, summary, held["keys"], summary.outcome is None))
        page = templates().get_template("platform/my_tables.html")
        listings.sort(key=lambda each: each.order)
        return 200, page.render(_=self.translator, lang=self.translator.language, tables=listings)

    async def _page(self, request: Request, table: str) -> Answer:
        """Return what the page of a table shows, by the tokens that are sent; a static page has the rest."""
        keys = request.token or ""
        try:
            found = await self.tables.table(table)
        except GameNotStarted:
            lobby = await self.lobbies.lobby(table)
            visitor = lobby.visitor(keys)
            html = render_lobby(lobby, visitor, self.translator, "").to_html()
            return 200, {"page": "lobby", "game": lobby.game.key, "html": html, "now": client_state(visitor)}
        view = ClientView(found, self.translator, found.seating.known_seats(keys))
        rendered = cached_view(view)
        page = "lesson" if found.settings.lesson else "table"
        return 200, {"page": page, "game": found.game.key, "html": rendered.fragment.to_html(), "now": rendered.client_state}

    async def _picture(self, request: Request, table: str) -> Answer:
        found = await self.tables.table(table)
        if found.match.to_act:
            raise NotOver(msg("the picture is drawn when the game is over"))
        return 200, final_board(ClientView(found, self.translator).message(), self.translator)

    async def _move(self, request: Request, table: str) -> Answer:
        found, turn = await self.tables.table(table), request.body
        return 200, {"version": await play_with_token(found, request.token, turn["moves"], turn["at"], turn["id"])}

    async def _undo(self, request: Request, table: str) -> Answer:
        found, undo = await self.tables.table(table), request.body
        return 200, {"version": await undo_with_token(found, request.token, undo["keys"], undo["id"])}

    async def _hint(self, request: Request, table: str) -> Answer:
        found = await self.tables.table(table)
        seat = require_seat(found, request.token)
        return 200, hint_view(found, await found.coach.hint(seat), seat, self.translator)

    async def _pause(self, request: Request, table: str) -> Answer:
        found = await self.tables.table(table)
        seat, check = checked_again(lambda: require_seat(found, request.token))
        return 200, {"version": await found.change(guarded(check, decisions.pause(found, seat, request.body["paused"])))}

    async def _rematch(self, request: Request, table: str) -> Answer:
        found = await self.tables.table(table)
        return MADE, {"table": (await self.tables.rematch(found, require_seat(found, request.token))).id}

    async def _play_on(self, request: Request, table: str) -> Answer:
        found, new = await self.tables.table(table), request.body
        level = new.get("level") or DEFAULT_BOT_LEVEL
        specs = seats_to_play_on(found, new["at"], found.seating.seat_of_token(request.token), new.get("people") or (), level)
        return _made(*await self.tables.create_from_position(found, new["at"], specs))

    async def _draws(self, request: Request, table: str) -> Answer:
        return 200, draws_view(await self.tables.table(table), self.translator)

    async def _record(self, request: Request, table: str) -> Answer:
        return 200, readable_record(await self.tables.table(table), request.token)

    async def _act_in_lobby(self, request: Request, table: str) -> Answer:
        return 200, {"token": await apply_action(await self.lobbies.lobby(table), lobby_request(request.body))}


def _made(table: Table, tokens: Sequence[str | None]) -> Answer:
    return MADE, {"table": table.id, "seats": [{"seat": seat, "token": token} for seat, token in enumerate(tokens)]}


def _colour(form: Mapping[str, str]) -> int:
    return int(form["colour"]) if form.get("colour", "").isdigit() else -1
