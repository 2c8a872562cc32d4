"""Who works for every table of the house: one writes, some think, and somebody tells the other processes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tablee.server.storage.leases import Leases
from tablee.server.storage.writer import Clerk
from tablee.server.table.bot_executor import Thinkers


@dataclass(frozen=True)
class Staff:
    clerk: Clerk
    thinkers: Thinkers
    leases: Leases
    tell: Callable[[str], None]
