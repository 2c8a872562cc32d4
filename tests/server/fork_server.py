"""Starts servers quickly: everything is imported once, and each server is forked from this process, a process of its own.

A line that comes in is an order in JSON: to `start` a server with these arguments and this environment, answered by the number of the new
process, or to wait for the `end` of one, answered when it is gone.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import tablee.server.process  # noqa: F401  what every server needs
from tablee.cli import main


def serve(order: dict[str, Any]) -> None:
    """In the forked process: what it says goes to a file, as that of `ServerProcess` does."""
    os.environ.clear()
    os.environ.update(order["environment"])
    with open(order["said"], "wb") as file:
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
