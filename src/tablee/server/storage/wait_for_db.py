"""A database that is not up yet, as when two machines start together, is waited for; one that refuses us is not."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from tablee.server.storage.database import StoreError, is_up
from tablee.server.storage.store import Store, translate_errors

RETRY_INTERVAL = 0.5  # seconds between two looks
STARTUP_TIMEOUT = 30.0  # seconds

logger = logging.getLogger(__name__)


def open_when_up(url: str, is_cancelled: Callable[[], bool], timeout: float = STARTUP_TIMEOUT) -> Store | None:
    """None where `ended` says that nobody waits any more. When the time is over, what is wrong is told as if nobody had waited."""
    _wait_for(url, is_cancelled, timeout)
    try:
        return None if is_cancelled() else Store.at(url, is_cancelled)
    except StoreError:
        if is_cancelled():
            return None
        raise


def _wait_for(url: str, is_cancelled: Callable[[], bool], timeout: float) -> None:
    begun, told = time.monotonic(), False
    with translate_errors():
        while not is_up(url) and not is_cancelled() and time.monotonic() - begun < timeout:
            if not told:
                logger.warning("the database does not answer yet; it is waited for, %.0f seconds at most", timeout)
            told = True
            time.sleep(RETRY_INTERVAL)
