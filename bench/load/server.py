"""Server process with its CPU seconds and memory, child processes included, from /proc."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.server.engine import Postgres
from tests.server.process import ServerProcess

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
IDLE_CPU_SHARE = 0.05  # of a core, below which the server counts as idle
IDLE_SAMPLE_S, IDLE_SAMPLES = 0.5, 4  # consecutive samples: after a start, warm-up waits a second for reconnecting clients


@contextmanager
def database() -> Iterator[str]:
    """Start a PostgreSQL with default settings, so commits are durable; yield its address."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, closing(Postgres(Path(folder))) as opened:
        yield opened.address


class MeasuredServer(ServerProcess):
    def _process_ids(self) -> Iterator[int]:
        waiting = [] if self._process is None else [self._process.pid]
        while waiting:
            each = waiting.pop()
            waiting += map(int, _read(f"/proc/{each}/task/{each}/children", "").split())
            yield each

    @property
    def children(self) -> list[int]:
        """Return the ids of the direct child processes."""
        return [int(each) for each in _read(f"/proc/{self.pid}/task/{self.pid}/children", "").split()]

    def cpu(self) -> float:
        """Return the CPU seconds used so far."""
        return sum(sum(map(int, _stat(each)[11:15])) for each in self._process_ids()) / TICKS

    def cpu_wait(self) -> float:
        """Return the seconds spent runnable without a free core."""
        return sum(int(_read(f"/proc/{each}/schedstat", "0 0 0").split()[1]) for each in self._process_ids()) / 1e9

    def memory(self) -> float:
        """Return the resident memory in megabytes."""
        return sum(int(_stat(each)[21]) for each in self._process_ids()) * PAGE / 2**20

    async def wait_until_idle(self, timeout: float = 60.0) -> bool:
        """Wait until the server is idle: it loads machine code after a start and renders views after a burst."""
        deadline, idle = time.monotonic() + timeout, 0
        while time.monotonic() < deadline and idle < IDLE_SAMPLES:
            before = self.cpu()
            await asyncio.sleep(IDLE_SAMPLE_S)
            idle = idle + 1 if self.cpu() - before < IDLE_CPU_SHARE * IDLE_SAMPLE_S else 0
        return idle == IDLE_SAMPLES


def _stat(process: int) -> list[str]:
    """Return the fields of /proc/PID/stat after the name, which may contain spaces."""
    return _read(f"/proc/{process}/stat", ")" + " 0" * 50).rpartition(")")[2].split()


def _read(file: str, default: str) -> str:
    """Return a file's text, or the default if its process has ended."""
    try:
        return Path(file).read_text()
    except OSError:
        return default


def load_average() -> str:
    return f"{os.getloadavg()[0]:.1f}"
