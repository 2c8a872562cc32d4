"""Simulated clients that behave like `static/table.js`, and the tables they show.

They parse only the version and the serial of a message. Games follow their records, so no rules are needed here.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from uuid import uuid4

from bench.load.connections import HOST, HttpConnection, RawWebSocket
from bench.load.positions import Prepared
from bench.load.protocol import GONE_FOR_GOOD, NOTHING, SeatLink

TABLES_OPENED_TOGETHER = 4
POLL_INTERVAL_S = 2.0  # of a page that lost its WebSocket


class LoadClient:
    def __init__(self, port: int, link: SeatLink, language: str, *, careful: bool = False) -> None:
        """Create a client; a `careful` one tracks fragment stamps and polls while disconnected, as a page does, at more CPU time."""
        self.port, self.link, self.language, self.careful = port, link, language, careful
        self.http = HttpConnection(port, language)
        self.version, self.serial, self.bytes, self.losses = NOTHING, 0, 0, 0
        self.shows: Callable[[LoadClient, int], None] = lambda _screen, _before: None  # called for every new version
        self.stamps: dict[str, str] = {}
        self.picture = ""  # ETag of the view
        self.back_at: float | None = None  # time of the first message since this was set to None
        self.socket: RawWebSocket | None = None
        self._misses = 0
        self._turn: asyncio.Future[bytes] | None = None  # the answer to the turn under way, empty if its connection was lost
        self._pending: list[tuple[int, Callable[[], None]]] = []  # callbacks by serial: called when this serial or a later one is answered
        self._tasks: set[asyncio.Task[None]] = set()

    async def load(self) -> None:
        """Load the page, as a browser does before it opens the WebSocket."""
        _, page = await self.http.ask("GET", self.link.page)
        self.stamps = self.link.stamps(page)

    async def connect(self) -> None:
        self.socket = RawWebSocket(self.port, self.link.socket, self.language, self._opened, self._on_message, self._on_close)
        try:
            await asyncio.get_running_loop().create_connection(lambda: self.socket or asyncio.Protocol(), HOST, self.port)
        except OSError:
            self._on_close(None)

    def _opened(self) -> None:
        self._misses = 0
        self._send((), self.version, self.stamps)

    def tap(self, move: str, at: int, answered: Callable[[], None] | None = None) -> None:
        """Send a draft, or after a confirm by POST the played one; call `answered` when the answer arrives."""
        self.serial += 1
        if answered is not None:
            self._pending.append((self.serial, answered))
        self._send((move,), at, None)

    async def confirm(self, move: str, at: int) -> tuple[int, bytes]:
        """Confirm a move by WebSocket, or by POST while there is none; return the status and the answer."""
        turn = {"moves": [move], "at": at, "id": str(uuid4())}
        while self.socket is not None and self.socket.open:
            self.serial, self._turn = self.serial + 1, asyncio.get_running_loop().create_future()
            self.socket.send(self.link.turn(turn, self.serial))
            if answer := await self._turn:
                return json.loads(answer)["status"], answer
        found = await self.http.ask("POST", self.link.moves, json.dumps(turn).encode(), self.link.bearer)
        self.tap(move, at)
        return found

    def _send(self, draft: tuple[str, ...], at: int, seen: dict[str, str] | None) -> None:
        if self.socket is not None and self.socket.open:
            self.socket.send(self.link.hello(self.serial, at, draft, seen, self.picture))

    def _on_message(self, message: bytes) -> None:
        self.bytes += len(message)
        if self.link.is_turn_answer(message):
            self._take_turn_answer(message)
            return
        version = self.link.version(message)
        if version == NOTHING and self.link.serial(message) == NOTHING:
            return
        self.back_at = self.back_at or time.monotonic()
        if version == NOTHING:  # nothing new
            return
        self.picture = self.link.picture(message) if self.careful else ""
        before, self.version = self.version, version
        if self._pending:
            self._answer(self.link.serial(message))
        if self.careful:
            self.stamps |= self.link.stamps(message)
        self.shows(self, before)

    def _take_turn_answer(self, answer: bytes) -> None:
        if self._turn is not None and not self._turn.done():
            self._turn.set_result(answer)

    def _answer(self, serial: int) -> None:
        pending, self._pending = self._pending, [each for each in self._pending if each[0] > serial]
        for number, answered in pending:
            if number <= serial:
                answered()

    def _on_close(self, code: int | None) -> None:
        """Reconnect with exponential back-off; a turn under way is sent again."""
        self._take_turn_answer(b"")
        self._misses, self.losses = self._misses + 1, self.losses + 1
        if code != GONE_FOR_GOOD:
            self._start(self._reconnect(min(0.25 * 2**self._misses, 8.0)))
        if self.careful and self._misses == 1:
            self._start(self._poll_while_cut_off())

    async def _reconnect(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self.connect()

    async def _poll_while_cut_off(self) -> None:
        while self.socket is None or not self.socket.open:
            self._start(self._poll())
            await asyncio.sleep(POLL_INTERVAL_S)

    async def _poll(self) -> None:
        http = HttpConnection(self.port, self.language)
        try:
            status, message = await http.ask(
                "POST", self.link.poll, self.link.hello(self.serial, self.version, (), self.stamps, self.picture).encode()
            )
            if status == 200 and not (self.socket and self.socket.open):
                self._on_message(message)
        except (OSError, asyncio.IncompleteReadError, ValueError):
            pass
        finally:
            http.close()

    def _start(self, coroutine: object) -> None:
        task = asyncio.ensure_future(coroutine)  # type: ignore[call-overload]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        if self.socket is not None:
            self.socket.abort()
        self.http.close()


@dataclass
class PendingMove:
    """Move that some screens do not show yet."""

    version: int
    missing: int
    shown: Callable[[], None]


@dataclass
class LiveTable:
    prepared: Prepared
    screens: list[LoadClient]
    version: int = 0
    free: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: list[PendingMove] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.version = self.prepared.played
        for screen in self.screens:
            screen.shows = self._shows

    @property
    def left(self) -> int:
        """Return the number of moves left before the last one; 0 after a refused move."""
        rest = self.prepared.lines[self.version : -1]
        return 0 if self.refused else sum(not line.startswith("-") for line in rest)

    @property
    def move(self) -> tuple[int, str]:
        """Return the seat and the text of the next move."""
        seat, _, text = self.prepared.lines[self.version].partition(" ")
        return int(seat), text

    def when_shown(self, version: int, shown: Callable[[], None]) -> None:
        """Call `shown` when every screen shows this version."""
        missing = sum(screen.version < version for screen in self.screens)
        self.waiting.append(PendingMove(version, missing, shown))

    def _shows(self, screen: LoadClient, before: int) -> None:
        for each in [each for each in self.waiting if before < each.version <= screen.version]:
            each.missing -= 1
            if not each.missing:
                self.waiting.remove(each)
                each.shown()

    async def confirm(self) -> bool:
        """Play the next move; return whether it was acknowledged."""
        (seat, move), at, actor = self.move, self.version, self.screens[self.move[0]]
        status, answer = await actor.confirm(move, at)
        self.version = self.prepared.next_of(at + 1)
        if status != 200 or actor.link.version(answer) != self.version:
            self.refused.append(f"{seat} {move} at {at}: {status} {answer[:200].decode(errors='replace')}")
            return False
        return True


def make_clients(port: int, tables: Sequence[Prepared], screens: int, languages: Sequence[str], careful: bool = False) -> list[LiveTable]:
    """Create a client for each seat; further ones are alternately spectators and second screens of a seat."""
    return [LiveTable(table, [_screen(port, table, number, languages, careful) for number in range(screens)]) for table in tables]


def _screen(port: int, table: Prepared, number: int, languages: Sequence[str], careful: bool) -> LoadClient:
    seats = len(table.tokens)
    seated = number < seats or number % 2 == 0
    language = random.Random(f"{table.id} {number}").choice(languages)
    return LoadClient(port, SeatLink(table.id, table.tokens[number % seats] if seated else ""), language, careful=careful)


async def open_all(tables: Iterable[LiveTable], at_once: int = TABLES_OPENED_TOGETHER, pages: bool = False) -> float:
    """Open every screen, `at_once` tables at a time; return the seconds until all show a view."""
    begun, free = time.monotonic(), asyncio.Semaphore(at_once)

    async def open_one(table: LiveTable) -> None:
        async with free:
            if pages:
                await asyncio.gather(*(screen.load() for screen in table.screens))
            await asyncio.gather(*(screen.connect() for screen in table.screens))
            while any(screen.version == NOTHING for screen in table.screens):
                await asyncio.sleep(0.02)

    await asyncio.gather(*(open_one(table) for table in tables))
    return time.monotonic() - begun


def close_all(tables: Iterable[LiveTable]) -> None:
    for screen in chain.from_iterable(table.screens for table in tables):
        screen.close()
