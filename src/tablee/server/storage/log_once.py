"""Logging of a lasting failure: one line when it begins, and one when it ends."""

from __future__ import annotations

import logging


class LogOnce:
    def __init__(self, logger: logging.Logger, failure_text: str, recovery_text: str) -> None:
        """Set the message logged when failures begin, to which the reason is appended, and the one logged at recovery."""
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
