"""Client side of the table protocol; follows `static/table.js` and `server/http/websocket.py`."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# In a message the page is a JSON string, so its quotes are escaped; the regular expressions for keys cannot match inside it.
STAMP = re.compile(rb'id=\\?"([^"\\]+)\\?" data-part=\\?"([^"\\]+)\\?"')
VERSION, SERIAL = (re.compile(rb'"%b": ?(\d+)' % key) for key in (b"version", b"serial"))
PICTURE = re.compile(rb'"picture": ?"(\w*)"')
GONE_FOR_GOOD = 4000  # close code after which a page does not reconnect
SMALLEST = '{"page":true}'  # a spectator's shortest valid message
NOTHING = -1


@dataclass(frozen=True)
class SeatLink:
    """Link to a table with the token of a seat, or none for a spectator."""

    table: str
    token: str = ""

    @property
    def page(self) -> str:
        return f"/t/{self.table}" + (f"?k={self.token}" if self.token else "")

    @property
    def socket(self) -> str:
        return f"/api/tables/{self.table}/ws"

    @property
    def poll(self) -> str:
        return f"/api/tables/{self.table}/page"

    @property
    def moves(self) -> str:
        return f"/api/tables/{self.table}/moves"

    @property
    def look(self) -> str:
        return f"/api/tables/{self.table}"

    @property
    def bearer(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"}

    def hello(self, serial: int, at: int, draft: tuple[str, ...] = (), seen: dict[str, str] | None = None, picture: str = "") -> str:
        """Return the message of table.js; it sends `seen` only after connecting and when polling."""
        message = self._message(serial, at, draft)
        return json.dumps(message if seen is None else message | {"seen": seen, "picture": picture})

    def turn(self, turn: dict[str, Any], serial: int) -> str:
        """Return the message that confirms a turn; its draft is the turn."""
        return json.dumps(self._message(serial, turn["at"], turn["moves"]) | {"token": self.token, "turn": turn})

    def _message(self, serial: int, at: int, draft: Sequence[str]) -> dict[str, Any]:
        message: dict[str, Any] = {"page": True, "keys": self.token, "chosen": None, "shown": None, "draft": draft}
        return message | {"at": max(at, 0), "serial": serial, "look": None, "pace": "normal", "packed": True}

    @staticmethod
    def is_turn_answer(message: bytes) -> bool:
        return message.startswith(b'{"turn":')

    @staticmethod
    def version(message: bytes) -> int:
        """Return the version of a message, also of an acknowledgement."""
        return _number(VERSION, message)

    @staticmethod
    def serial(message: bytes) -> int:
        return _number(SERIAL, message)

    @staticmethod
    def picture(message: bytes) -> str:
        """Return the ETag of the view in a message."""
        found = PICTURE.search(message, max(message.rfind(b'"now":'), 0))
        return found[1].decode() if found else ""

    @staticmethod
    def stamps(message: bytes) -> dict[str, str]:
        """Return the fragments of a page or a message with their stamps."""
        return {name.decode(): stamp.decode() for name, stamp in STAMP.findall(message)}


def _number(key: re.Pattern[bytes], message: bytes) -> int:
    """Return the number after a key, searched from the last `now` on; `NOTHING` if there is none."""
    found = key.search(message, max(message.rfind(b'"now":'), 0))
    return int(found[1]) if found else NOTHING
