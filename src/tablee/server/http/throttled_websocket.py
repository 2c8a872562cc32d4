"""WebSocket protocol that parses a burst of data in slices, so that other clients are served in between."""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

SLICE_BYTES = 512  # about eighty of the smallest messages
MAX_PENDING_BYTES = 1024 * 1024
BUSY_DELAY = 0.005  # seconds between slices while received messages wait


class ThrottledWebSocket(WebSocketsSansIOProtocol):
    _pending = b""

    def data_received(self, data: bytes) -> None:
        """Parse short data at once and longer data in slices; abort a connection with more than MAX_PENDING_BYTES unparsed.

        A slice bounds the work of one callback: a few bytes may hold many messages.
        """
        if self._pending:
            self._pending += data
            self.transport.pause_reading()
            if len(self._pending) > MAX_PENDING_BYTES:
                self.transport.abort()
        elif len(data) <= SLICE_BYTES or not self.handshake_complete:
            super().data_received(data)
        else:
            self._pending = data
            self.transport.pause_reading()
            self._process_slice()

    def _process_slice(self) -> None:
        if self.transport.is_closing():
            return
        if self.queue.empty() or self.close_sent:
            piece, self._pending = self._pending[:SLICE_BYTES], self._pending[SLICE_BYTES:]
            super().data_received(piece)
        if self._pending:
            self.loop.call_later(0 if self.queue.empty() or self.close_sent else BUSY_DELAY, self._process_slice)
        elif (self.close_sent or not self.read_paused) and not self.transport.is_closing():
            self.transport.resume_reading()
