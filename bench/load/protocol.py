"""What the load test knows of how a page and the server speak: when `static/table.js` or `server/http/websocket.py` change, this follows."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

# In a message the page stands in JSON, so its quotes are escaped; a key of the message itself never looks like its text.
STAMP = re.compile(rb'id=\\?"([^"\\]+)\\?" data-part=\\?"([^"\\]+)\\?"')
VERSION, SERIAL = (re.compile(rb'"%b": ?(\d+)' % key) for key in (b"version", b"serial"))
PICTURE = re.compile(rb'"picture": ?"(\w*)"')
GONE_FOR_GOOD = 4000  # the close code after which a page does not come back
SMALLEST = '{"page":true}'  # what a spectator may say in the fewest bytes
NOTHING = -1


@dataclass(frozen=True)
class SeatLink:
    """A link to a table: the token of the seat behind it, or none for a spectator."""

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
        """What table.js says; `seen` only when it has just connected, or polls."""
        said: dict[str, Any] = {"page": True, "keys": self.token, "chosen": None, "shown": None, "draft": draft}
        said |= {"at": max(at, 0), "serial": serial, "look": None, "pace": "normal", "packed": True}
        return json.dumps(said if seen is None else said | {"seen": seen, "picture": picture})

    @staticmethod
    def confirm(move: str, at: int, name: str) -> bytes:
        return json.dumps({"at": at, "move": move, "id": name}).encode()

    @staticmethod
    def version(message: bytes) -> int:
        """The version that a message shows, also the one an acknowledgement names."""
        return _number(VERSION, message)

    @staticmethod
    def serial(message: bytes) -> int:
        return _number(SERIAL, message)

    @staticmethod
    def picture(message: bytes) -> str:
        """The name of the picture that a screen shows with this message."""
        found = PICTURE.search(message, max(message.rfind(b'"now":'), 0))
        return found[1].decode() if found else ""

    @staticmethod
    def stamps(message: bytes) -> dict[str, str]:
        """The parts in a page or a message, with their stamps."""
        return {name.decode(): stamp.decode() for name, stamp in STAMP.findall(message)}


def _number(key: re.Pattern[bytes], message: bytes) -> int:
    """What `now` says, and after it, stands last."""
    found = key.search(message, max(message.rfind(b'"now":'), 0))
    return int(found[1]) if found else NOTHING
