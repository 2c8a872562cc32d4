"""Logging of a lasting failure: one line when it begins, and one when it ends."""

from __future__ import annotations

import logging


class LogOnce:
    def __init__(self, logger: logging.Logger, failure_text: str, recovery_text: str) -> None:
        """Take the text for the start, to which the reason is appended, and the text for the end."""
        self._logger, self._failure_text, self._recovery_text = logger, failure_text, recovery_text
        self._is_failing = False

    def failed(self, reason: str) -> None:
        if not self._is_failing:
            self._is_failing = True
            self._logger.warning("%s: %s", self._failure_text, reason)

    def recovered(self) -> None:
        if self._is_failing:
            self._is_failing = False
            self._logger.warning(self._recovery_text)
