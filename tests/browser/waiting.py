"""Reads that wait, for what Playwright's `expect` cannot say; the checks of pages use the same (`tablee/checks/waiting.py`).

`tests/test_waiting_reads.py` forbids raw reads in the browser tests.
"""

from __future__ import annotations

from tablee.checks.waiting import (
    TIMEOUT_MS,
    ElementBox,
    answered,
    becomes,
    box,
    either,
    live,
    still,
    text,
    texts,
    there,
    until,
)

__all__ = ["TIMEOUT_MS", "ElementBox", "answered", "becomes", "box", "either", "live", "still", "text", "texts", "there", "until"]
