"""Starts servers quickly: everything is imported once, and each server is forked from this process, a process of its own.

Lines come in: the arguments of `tablee serve`, answered by the number of the new process; an empty line waits for its end.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import tablee.server.process  # noqa: F401  what every server needs
from tablee.cli import main


def serve(said: Path, arguments: list[str]) -> None:
    """In the forked process: what it says goes to a file, as that of `ServerProcess` does."""
    with said.open("wb") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
    os.close(0)
    sys.exit(main(arguments))


def answer(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    child = 0
    for line in sys.stdin:
        if not line.strip():
            os.waitpid(child, 0)
            answer("gone")
            continue
        child = os.fork()
        if not child:
            serve(Path(sys.argv[1]), line.split())
        answer(str(child))
