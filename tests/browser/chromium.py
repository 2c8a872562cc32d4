"""The path of the browser: Debian's headless Chromium, which starts in half the time, or else Debian's Chromium."""

from __future__ import annotations

import shutil

PATH = shutil.which("chromium-headless-shell") or shutil.which("chromium")
