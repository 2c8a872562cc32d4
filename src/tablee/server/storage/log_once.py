"""What goes wrong for a while is said once in the log, and once that it is over; nothing in between."""

from __future__ import annotations

import logging


class Trouble:
    def __init__(self, logger: logging.Logger, begins: str, ends: str) -> None:
        """`begins` is said with the reason behind it."""
        self._logger, self._begins, self._ends = logger, begins, ends
        self._lasts = False

    def met(self, reason: str) -> None:
        if not self._lasts:
            self._lasts = True
            self._logger.warning("%s: %s", self._begins, reason)

    def over(self) -> None:
        if self._lasts:
            self._lasts = False
            self._logger.warning(self._ends)
