"""The path of the browser: Debian's headless Chromium, which starts in half the time, or else Debian's Chromium."""

from __future__ import annotations

from tablee.checks.browser import CHROMIUM as PATH

__all__ = ["PATH"]
