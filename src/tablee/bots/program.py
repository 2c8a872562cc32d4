"""A bot that is a program in any language: one line of JSON for each decision on its standard input, its move on its standard output.

    tablee arena orchard --bots 'program:python my_bot.py',greedy

Each question is {"game", "seat", "seats", "view", "legal", "random"}: the view and the moves as the HTTP API has them, and a random number
of 62 bits, the same whenever the same game is played again. The answer is one line with one of `legal`. The program plays all games of
a run; it ends when its standard input does. docs/bots-api.md describes it, and has programs to begin with.
"""

from __future__ import annotations

import atexit
import json
import queue
import shlex
import subprocess
import threading
from functools import cache
from typing import Any

from tablee.core.errors import TableeError
from tablee.core.game import Game, Move, Observation
from tablee.core.i18n import msg
from tablee.core.rng import Rng, randbelow

PROGRAM_PREFIX = "program:"
TIMEOUT = 10.0  # seconds for one decision


class ProgramBot:
    """A running program as a bot; it is started with the first decision of this process."""

    def __init__(self, command: str, timeout: float = TIMEOUT) -> None:
        self.command, self._timeout = command, timeout
        self._process: subprocess.Popen[str] | None = None
        self._answers = queue.SimpleQueue[str]()

    def __call__(self, game: Game[Any], seen: Observation[Any], rng: Rng) -> Move:
        assert seen.seat is not None, "a spectator does not move"
        legal = [game.show(move) for move in game.legal(seen.state, seen.seat)]
        question = {"game": game.key, "seat": seen.seat, "seats": seen.state.seats, "view": game.view(seen), "legal": legal}
        answer = self._ask(json.dumps(question | {"random": randbelow(rng, 1 << 31) << 31 | randbelow(rng, 1 << 31)}))
        if answer not in legal:
            raise TableeError(
                msg("the bot {command!r} answered {move!r}, which is not one of its moves", command=self.command, move=answer)
            )
        return game.read(answer)

    def _ask(self, question: str) -> str:
        process = self._process or self._start()
        assert process.stdin is not None
        try:
            process.stdin.write(f"{question}\n")
            process.stdin.flush()
            answer = self._answers.get(timeout=self._timeout)
        except queue.Empty:
            raise TableeError(
                msg("the bot {command!r} has not answered in {seconds} s", command=self.command, seconds=round(self._timeout))
            ) from None
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise TableeError(msg("the bot {command!r} has ended", command=self.command))
        return answer.strip()

    def _start(self) -> subprocess.Popen[str]:
        try:
            process = subprocess.Popen(  # noqa: S603  the user has named this command
                shlex.split(self.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
        except (OSError, ValueError) as error:
            raise TableeError(msg("the bot {command!r} cannot be started", command=self.command)) from error
        self._process = process
        threading.Thread(target=self._read, args=(process,), daemon=True).start()
        atexit.register(process.kill)
        return process

    def _read(self, process: subprocess.Popen[str]) -> None:
        """Pass on the program's lines, and an empty one at its end."""
        assert process.stdout is not None
        for line in process.stdout:
            self._answers.put(line)
        self._answers.put("")


@cache
def program(command: str) -> ProgramBot:
    """Return the bot of this command, one for the whole process."""
    return ProgramBot(command)
