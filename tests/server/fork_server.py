"""Fork server: it imports everything once and forks each test server as a process of its own.

A line of standard input is an order in JSON: `start` a server with these arguments and this environment (the answer is its process ID), or
wait for the `end` of one (the answer comes when it is gone).
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import tablee.server.process  # noqa: F401  imported once for all servers
from tests.server.seeded_server import main


def serve(order: dict[str, Any]) -> None:
    """Run the server in the forked process; its output goes to a file, as that of `ServerProcess` does."""
    os.environ.clear()
    os.environ.update(order["environment"])
    with open(order["output"], "wb") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
    os.close(0)
    sys.exit(main(order["start"]))


def answer(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    for line in sys.stdin:
        order = json.loads(line)
        if "end" in order:
            os.waitpid(order["end"], 0)
            answer("gone")
            continue
        child = os.fork()
        if not child:
            serve(order)
        answer(str(child))
