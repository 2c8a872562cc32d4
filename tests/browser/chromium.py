"""Which browser is driven: Debian's Chromium; where it is installed, its build without windows, which starts in half the time."""

from __future__ import annotations

import shutil

PATH = shutil.which("chromium-headless-shell") or shutil.which("chromium")
