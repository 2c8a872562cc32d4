"""Services shared by all tables of a process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tablee.server.storage.leases import Leases
from tablee.server.storage.writer import GroupCommitWriter
from tablee.server.table.bot_executor import BotExecutor


@dataclass(frozen=True)
class Services:
    writer: GroupCommitWriter
    bot_executor: BotExecutor
    leases: Leases
    notify_peers: Callable[[str], None]
