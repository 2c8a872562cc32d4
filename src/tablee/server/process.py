"""The server process: it listens first, says where, opens the browser, and has the rules compiled meanwhile."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser
from contextlib import closing
from pathlib import Path

import segno
import uvicorn
from fastapi import FastAPI

from tablee import games
from tablee.core.errors import TableeError
from tablee.core.words import say
from tablee.server.app import MOST_BYTES, make_app
from tablee.server.store import Store
from tablee.server.tables import BOT_PACE, House
from tablee.server.warming import Warming

EVERY_ADDRESS = ("0.0.0.0", "::", "")  # noqa: S104


def run(host: str, port: int, data: Path, open_browser: bool, boxes: dict[str, Path]) -> None:
    for key, box in boxes.items():
        games.find(key, box)  # a broken box is told before anything listens
    with (
        listen(host, port) as listening,
        closing(House(Store.in_folder(data), boxes, bot_pace())) as house,
        closing(Warming(games.known())) as warming,
    ):
        address = f"http://{'localhost' if host in EVERY_ADDRESS else host}:{listening.getsockname()[1]}/"
        nearby = address_nearby(host, address)
        announce(address, nearby)
        warming.start()
        if open_browser:
            webbrowser.open(address)
        uvicorn.Server(settings(make_app(house, nearby))).run(sockets=[listening])


def settings(app: FastAPI) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )


def bot_pace() -> float:
    """TABLEE_BOT_PACE: the seconds a bot waits before its turn; tests set it to 0."""
    wanted = os.environ.get("TABLEE_BOT_PACE", "")
    return float(wanted) if wanted.replace(".", "", 1).isdecimal() else BOT_PACE


def listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio sends answers at once only where TCP is said
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(256)
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise TableeError(say("cannot listen on {host}:{port}: {reason}", host=host, port=port, reason=reason)) from error
    return listening


def address_nearby(host: str, address: str) -> str | None:
    """The same for others on the same network, if the server listens to them."""
    found = own_address() if host in EVERY_ADDRESS else None
    return found and address.replace("localhost", found).rstrip("/")


def announce(address: str, nearby: str | None) -> None:
    """The address for this machine; for phones on the same network a second one with a QR code."""
    print(f"Tablée: {address}", flush=True)  # noqa: T201
    if nearby:
        print(f"Phones on the same network: {nearby}/", flush=True)  # noqa: T201
        if sys.stdout.isatty():
            segno.make(nearby).terminal(compact=True)


def own_address() -> str | None:
    """This machine's address on its network, asked of the routing table; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        found = str(probe.getsockname()[0])
    return None if found.startswith("127.") else found
