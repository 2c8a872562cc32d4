"""Results file of a tournament: a JSON line that identifies the tournament, then one for each finished chunk.

An interrupted tournament resumes from it; an incomplete last line counts as not played.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from tablee.arena.plan_runner import Chunk, Results
from tablee.arena.tournament import Tournament
from tablee.core.errors import TableeError
from tablee.core.files import read_text, write_text
from tablee.core.i18n import msg

FIELDS = "scores", "winners", "lines", "luck"  # the last in a tournament that measures it


class ResultsFile:
    """Results on disk: `finished` holds the chunks played before; `create` writes the file, without an incomplete last line."""

    def __init__(self, file: Path, tournament: Tournament) -> None:
        self.file, self.tournament = file, tournament
        self._fields = FIELDS if tournament.luck else FIELDS[:-1]
        self._lines = read_text(file).splitlines(keepends=True) if file.exists() else []
        if self._lines and self._lines[0] != tournament.dump() + "\n":
            raise TableeError(msg("{file} belongs to another tournament, or to none", file=str(file)))
        if self._lines and not self._lines[-1].endswith("\n"):
            self._lines.pop()
        self.finished = dict(self._read(line, number) for number, line in enumerate(self._lines[1:], start=2))

    def _read(self, line: str, number: int) -> tuple[Chunk, Results]:
        try:
            found = json.loads(line)
            scores, winners, lines, *luck = (np.array(found[name], np.int64) for name in self._fields)
            chunk = Chunk(found["seating"], range(found["first"], found["first"] + len(lines)))
            by_seat = (len(lines), self.tournament.seats)
            if chunk not in self.tournament.chunks or {each.shape for each in (scores, *luck)} != {by_seat} or winners.shape != lines.shape:
                raise ValueError
        except (ValueError, TypeError, KeyError, OverflowError):
            raise self._damaged(number) from None
        return chunk, Results(scores, winners, lines, together=False, luck=luck[0] if luck else None)

    def _damaged(self, number: int) -> TableeError:
        return TableeError(msg("line {line} of {file} is damaged", line=number, file=str(self.file)))

    def create(self) -> None:
        write_text(self.file, "".join(self._lines) or self.tournament.dump() + "\n")

    def append(self, chunk: Chunk, results: Results) -> None:
        """Append one chunk as a line and flush it."""
        entry = {"seating": chunk.plan_index, "first": chunk.numbers[0]}
        entry |= {name: getattr(results, name).tolist() for name in self._fields}
        with self.file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(entry) + "\n")
