"""Folder of what was made elsewhere for this version of the package, for a browser that lacks NumPy; elsewhere it is missing."""

from __future__ import annotations

from pathlib import Path

PREPARED_FOLDER = Path(__file__).parent.parent / "prepared"
