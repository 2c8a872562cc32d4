"""Cheap client connections: a WebSocket that passes raw messages on, and a persistent HTTP connection."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from websockets.client import ClientProtocol
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.typing import Origin
from websockets.uri import parse_uri

HOST = "127.0.0.1"


def unpacked(message: bytes) -> bytes:
    """Inflate a binary message, as table.js does."""
    return zlib.decompress(message, -zlib.MAX_WBITS)


class RawWebSocket(asyncio.Protocol):
    """One WebSocket with callbacks for opening, for every message and for closing; `plain` disables compression."""

    def __init__(
        self,
        port: int,
        path: str,
        language: str,
        on_open: Callable[[], None],
        on_message: Callable[[bytes], None],
        on_close: Callable[[int | None], None],
        *,
        plain: bool = False,
    ) -> None:
        self.on_open, self.on_message, self.on_close = on_open, on_message, on_close
        self.transport: asyncio.Transport | None = None
        self._pieces: list[bytes] = []
        self._packed = False
        self._language = language
        self._protocol = ClientProtocol(
            parse_uri(f"ws://{HOST}:{port}{path}"),
            origin=Origin(f"http://{HOST}:{port}"),
            extensions=None if plain else [ClientPerMessageDeflateFactory(client_max_window_bits=True)],
            max_size=None,
        )

    @property
    def open(self) -> bool:
        return self._protocol.state is State.OPEN

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        request = self._protocol.connect()
        request.headers["Accept-Language"] = self._language
        self._protocol.send_request(request)
        self._flush()

    def data_received(self, data: bytes) -> None:
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Frame):
                self._take(event)
            elif self.open:
                self.on_open()
        self._flush()

    def _take(self, frame: Frame) -> None:
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._packed = self._packed or frame.opcode is Opcode.BINARY
            self._pieces.append(bytes(frame.data))
            if frame.fin:
                message, packed = b"".join(self._pieces), self._packed
                self._pieces, self._packed = [], False
                self.on_message(unpacked(message) if packed else message)

    def eof_received(self) -> None:
        self._protocol.receive_eof()

    def connection_lost(self, _: Exception | None) -> None:
        if self._protocol.state is State.OPEN:
            self._protocol.receive_eof()
        self.on_close(self._protocol.close_rcvd.code if self._protocol.close_rcvd else None)

    def send(self, *messages: str) -> None:
        """Send the messages in one write."""
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(self.frames(messages))

    def frames(self, messages: Sequence[str]) -> bytes:
        """Return the messages encoded as frames."""
        for message in messages:
            self._protocol.send_text(message.encode())
        return b"".join(self._protocol.data_to_send())

    def abort(self) -> None:
        self.on_close = lambda _: None
        if self.transport is not None:
            self.transport.abort()

    def _flush(self) -> None:
        data = b"".join(self._protocol.data_to_send())
        if data and self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)


class HttpConnection:
    """Persistent connection that reconnects where the server closed it."""

    def __init__(self, port: int, language: str = "en") -> None:
        self.port, self.language = port, language
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._free = asyncio.Lock()

    async def ask(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> tuple[int, bytes]:
        """Return status and body; retry once if a reused connection turns out to be closed."""
        async with self._free:
            reused = self._writer is not None
            try:
                return await self._ask(method, path, body, headers or {})
            except (OSError, asyncio.IncompleteReadError):
                self.close()
                if not reused:
                    raise
                return await self._ask(method, path, body, headers or {})

    async def _ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
        if self._writer is None or self._reader is None or self._writer.is_closing() or self._reader.at_eof():
            self.close()
            self._reader, self._writer = await asyncio.open_connection(HOST, self.port, limit=1 << 20)
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {HOST}:{self.port}",
            f"Accept-Language: {self.language}",
            f"Content-Length: {len(body)}",
        ]
        lines += [f"Origin: http://{HOST}:{self.port}", "Content-Type: application/json"] if method == "POST" else []
        self._writer.write("\r\n".join([*lines, *(f"{key}: {value}" for key, value in headers.items()), "", ""]).encode() + body)
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        answer = await self._reader.readexactly(length)
        if b"connection: close" in head:
            self.close()
        return int(head.split(b" ", 2)[1]), answer

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None
