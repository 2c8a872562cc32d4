"""A whole game as a page plays it: by the requests and the connection of a tab, with tables in memory. Runs in any Python."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tablee.server.table.config import TableConfig
from tablee.site.tab.memory import MemoryDevice
from tablee.site.tab.routes import Tab
from tablee.site.tab.socket import PageSocket

TIMEOUT = 120  # seconds


class Page:
    """What the page's scripts do: hello, drafts, turns."""

    def __init__(self, tab: Tab, table: str, keys: str) -> None:
        self.tab, self.table, self.keys = tab, table, keys
        self.received: asyncio.Queue[str] = asyncio.Queue()
        self.serial, self.turns, self.now = 0, 0, dict[str, Any]()
        self.socket = PageSocket(self.received.put_nowait, lambda _: None)
        tab.connect(f"/api/tables/{table}/ws", self.socket)

    async def say(self, draft: list[str], **more: Any) -> None:
        """Send a message and wait for its answer."""
        self.serial += 1
        hello = {"keys": self.keys, "draft": draft, "at": self.now.get("version", 0), "serial": self.serial}
        self.socket.receive(json.dumps(hello | more))
        while (message := await self.next_message()).get("serial") != self.serial:
            assert message.get("status", 200) == 200, message
        self.now = message["now"]

    async def next_message(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(self.received.get(), TIMEOUT))
        self.now = message.get("now", self.now)
        return message

    async def confirm(self) -> None:
        self.turns += 1
        turn = {"moves": self.now["draft"], "at": self.now["version"], "id": str(self.turns)}
        await self.say(self.now["draft"], token=self.keys, turn=turn)


async def play(key: str) -> dict[str, Any]:
    """Play a game against greedy to its end; return its record and what else its page asks for."""
    tab = Tab(MemoryDevice(), "fr", TableConfig(bot_pace=0))
    _, made = await tab.answer("POST", f"/play/{key}", None, "level=greedy&name=Ada")
    status, shown = await tab.answer("GET", f"/t/{made['table']}", made["keys"], "")
    assert (status, shown["page"]) == (200, "table"), shown
    page = Page(tab, made["table"], made["keys"])
    await page.say([])
    while not page.now["over"]:
        if page.now["ready"]:
            await page.confirm()
        elif page.now["legal"]:
            await page.say([*page.now["draft"], page.now["legal"][page.turns % len(page.now["legal"])]])
        else:
            await page.next_message()
    answers = {path: await tab.answer("GET", f"/api/tables/{made['table']}/{path}", made["keys"], "") for path in ("record", "draws")}
    listed = await tab.answer("POST", "/mine", None, json.dumps({"tables": [{"table": made["table"], "keys": made["keys"]}]}))
    page.socket.close()
    return {"turns": page.turns, "record": answers["record"][1], "draws": len(answers["draws"][1]["draws"]), "listed": listed[1]}
