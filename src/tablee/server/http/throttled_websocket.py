"""A socket's bytes are taken a little at a time: however many small messages somebody writes at once, others are served in between."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tablee.server.http.fd_passing import HandingOver

SLICE = 512  # bytes: some eighty of the smallest messages
MOST_LEFT = 1024 * 1024  # bytes
PAUSE = 0.005  # seconds, while what was heard is not yet answered


class LittleByLittle(WebSocketsSansIOProtocol):
    def __init__(self, *args: Any, handing_over: HandingOver | None = None, **named: Any) -> None:
        super().__init__(*args, **named)
        self._left, self._handing_over = b"", handing_over

    def data_received(self, data: bytes) -> None:
        """The first are those of the request that became a socket."""
        if self._handing_over:
            handing_over, self._handing_over = self._handing_over, None
            handing_over.offer(self.transport, data, self._hear)
        else:
            self._hear(data)

    def _hear(self, data: bytes) -> None:
        """One message of many bytes is one piece of work; many in few bytes are many. Somebody who has so much to say that it piles up is
        hung up on."""
        if self._left:
            self._left += data
            self.transport.pause_reading()
            if len(self._left) > MOST_LEFT:
                self.transport.abort()
        elif len(data) <= SLICE or not self.handshake_complete:
            super().data_received(data)
        else:
            self._left = data
            self.transport.pause_reading()
            self._take()

    def _take(self) -> None:
        if self.transport.is_closing():
            return
        if self.queue.empty() or self.close_sent:
            piece, self._left = self._left[:SLICE], self._left[SLICE:]
            super().data_received(piece)
        if self._left:
            self.loop.call_later(0 if self.queue.empty() or self.close_sent else PAUSE, self._take)
        elif (self.close_sent or not self.read_paused) and not self.transport.is_closing():
            self.transport.resume_reading()
