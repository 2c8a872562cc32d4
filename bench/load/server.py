"""A real server process with what it costs: CPU seconds and memory, its helpers included, as Linux counts them."""

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
IDLE_CPU_SHARE = 0.05  # of a core, below which a server has nothing to do
IDLE_SAMPLE_S, IDLE_SAMPLES = 0.5, 4  # seconds, and how many in a row: after a start machine code waits a second for those who come back


@contextmanager
def database() -> Iterator[str]:
    """A PostgreSQL as it comes: what is committed is on its disk."""
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
        """The processes that it started itself."""
        return [int(each) for each in _read(f"/proc/{self.pid}/task/{self.pid}/children", "").split()]

    def cpu(self) -> float:
        """Seconds of CPU so far."""
        return sum(sum(map(int, _stat(each)[11:15])) for each in self._process_ids()) / TICKS

    def cpu_wait(self) -> float:
        """Seconds that it could have run but had no core, because others had them."""
        return sum(int(_read(f"/proc/{each}/schedstat", "0 0 0").split()[1]) for each in self._process_ids()) / 1e9

    def memory(self) -> float:
        """Megabytes in use."""
        return sum(int(_stat(each)[21]) for each in self._process_ids()) * PAGE / 2**20

    async def wait_until_idle(self, patience: float = 60.0) -> bool:
        """Waits until it has nothing more to do: after a start machine code is loaded, after a rush screens are still drawn."""
        deadline, calm = time.monotonic() + patience, 0
        while time.monotonic() < deadline and calm < IDLE_SAMPLES:
            before = self.cpu()
            await asyncio.sleep(IDLE_SAMPLE_S)
            calm = calm + 1 if self.cpu() - before < IDLE_CPU_SHARE * IDLE_SAMPLE_S else 0
        return calm == IDLE_SAMPLES


def _stat(process: int) -> list[str]:
    """The fields of /proc/PID/stat after the name, which may hold blanks."""
    return _read(f"/proc/{process}/stat", ")" + " 0" * 50).rpartition(")")[2].split()


def _read(file: str, otherwise: str) -> str:
    """A process may have gone meanwhile."""
    try:
        return Path(file).read_text()
    except OSError:
        return otherwise


def load_average() -> str:
    return f"{os.getloadavg()[0]:.1f}"
