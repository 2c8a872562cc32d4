"""A database that is not up yet, as when two machines start together, is waited for; one that refuses us is not."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from tablee.server.storage.database import StoreError, is_up
from tablee.server.storage.store import Store, usable

AGAIN = 0.5  # seconds between two looks
PATIENCE = 30.0  # seconds

logger = logging.getLogger(__name__)


def open_when_up(url: str, ended: Callable[[], bool], patience: float = PATIENCE) -> Store | None:
    """None where `ended` says that nobody waits any more. When the time is over, what is wrong is told as if nobody had waited."""
    _wait_for(url, ended, patience)
    try:
        return None if ended() else Store.at(url, ended)
    except StoreError:
        if ended():
            return None
        raise


def _wait_for(url: str, ended: Callable[[], bool], patience: float) -> None:
    begun, told = time.monotonic(), False
    with usable():
        while not is_up(url) and not ended() and time.monotonic() - begun < patience:
            if not told:
                logger.warning("the database does not answer yet; it is waited for, %.0f seconds at most", patience)
            told = True
            time.sleep(AGAIN)
