"""Dataset of bots' decisions as one Parquet file: a row for each decision, in the order of play.

The games are those of `tablee simulate`; `docs/commands.md` describes the columns.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from tablee.arena.executors import LOCAL_EXECUTOR, Executor
from tablee.arena.plan import Plan
from tablee.arena.plan_runner import Chunk, PlanRunner, split_into_chunks
from tablee.core.decisions import decision_extractor
from tablee.core.struct import StructArray, array_view
from tablee.core.workspace import Decision

GAMES_PER_CHUNK = 16
ROW_GROUP_BYTES = 1 << 25  # rows buffered in memory before they are written as one row group
DICTIONARY_COLUMNS = ["bot", "text", "legal.list.element"]  # columns with few distinct values
COLUMNS = {
    "game": pa.int64(),
    "line": pa.int32(),
    "seat": pa.int8(),
    "bot": pa.string(),
    "seen": pa.binary(),  # `schema` fixes the size to that of the game's state
    "legal": pa.list_(pa.int64()),
    "move": pa.int64(),
    "text": pa.string(),
    "score": pa.int32(),
    "final_score": pa.int32(),
    "share": pa.float64(),
}


class MoreColumns(Protocol):
    """Further columns of a dataset; pickled with the plan that they are for."""

    kinds: Mapping[str, pa.DataType]
    facts: Mapping[str, Any]  # for the metadata

    def __call__(self, states: StructArray[Any], columns: Mapping[str, Any], winners: int) -> Mapping[str, Any]:
        """Return the values for the decisions of one game: the states as their seats know them, the other columns, the mask of winners."""


def write_dataset(
    plan: Plan, count: int, file: Path, executor: Executor = LOCAL_EXECUTOR, more: MoreColumns | None = None
) -> Iterator[int]:
    """Write games 1 to `count`; yield the number of games of each batch. The file appears when all are written, or not at all."""
    part = file.with_name(f".{file.name}.part")
    try:
        with parquet.ParquetWriter(part, schema(plan, count, more), compression="zstd", use_dictionary=DICTIONARY_COLUMNS) as writer:
            rows: list[pa.RecordBatch] = []
            for batch in play(plan, count, executor, more):
                rows.append(batch.rows)
                if sum(each.nbytes for each in rows) >= ROW_GROUP_BYTES:
                    writer.write_table(pa.Table.from_batches(rows))
                    rows = []
                yield batch.games
            if rows:
                writer.write_table(pa.Table.from_batches(rows))
        os.replace(part, file)
    finally:
        part.unlink(missing_ok=True)


@dataclass(frozen=True)
class DecisionBatch:
    """Decisions of some games and the number of games. Pickled with compression: states are long and resemble each other."""

    rows: pa.RecordBatch
    games: int

    def __reduce__(self) -> tuple[Any, ...]:
        buffer = pa.BufferOutputStream()
        with pa.ipc.new_stream(buffer, self.rows.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as stream:
            stream.write_batch(self.rows)
        return DecisionBatch.unpack, (buffer.getvalue().to_pybytes(), self.games)

    @classmethod
    def unpack(cls, packed: bytes, games: int) -> DecisionBatch:
        return cls(pa.ipc.open_stream(packed).read_next_batch(), games)


def play(plan: Plan, count: int, executor: Executor = LOCAL_EXECUTOR, more: MoreColumns | None = None) -> Iterator[DecisionBatch]:
    """Play games 1 to `count` and yield their decisions, batch by batch."""
    return executor.map(partial(DatasetWriter, plan, more), split_into_chunks(plan, count, size=GAMES_PER_CHUNK))


def schema(plan: Plan, count: int | None = None, more: MoreColumns | None = None) -> pa.Schema:
    """Return the columns; with a count, metadata describe the plan, as JSON under the key `tablee`."""
    kinds = COLUMNS | {"seen": pa.binary(plan.opened.kernel.state.layout.itemsize)} | dict(more.kinds if more else {})
    columns = pa.schema([pa.field(name, kind, nullable=False) for name, kind in kinds.items()])
    if count is None:
        return columns
    description = {
        "game": plan.game,
        "rules": plan.rules,
        "components": plan.opened.components.sha256,
        "seats": plan.seats,
        "bots": plan.bots,
        "options": plan.options,
        "games": count,
        "seed": plan.seed,
        **(more.facts if more else {}),
    }
    return columns.with_metadata({"tablee": json.dumps(description)})


class DatasetWriter:
    """Worker that plays games of one plan and extracts their decisions."""

    def __init__(self, plan: Plan, more: MoreColumns | None = None) -> None:
        self.plan, self.player, self.more = plan, PlanRunner(plan), more
        self.game, self.schema = plan.opened, schema(plan, more=more)
        self._extract_decisions = decision_extractor(self.game.kernel)
        self._allocate(1)

    def __call__(self, chunk: Chunk) -> DecisionBatch:
        results, logs = self.player.play_logged(chunk.numbers)
        batches = [self._decisions_of(*one) for one in zip(chunk.numbers, logs, results.scores, results.winners, strict=True)]
        return DecisionBatch(pa.concat_batches(batches), len(batches))

    def _allocate(self, lines: int) -> None:
        kernel = self.game.kernel
        self._seen, self._decisions, self._moves = (
            StructArray(kernel.state, lines),
            StructArray(Decision, lines),
            np.zeros(lines * kernel.most_moves, np.int64),
        )

    def _decisions_of(self, number: int, log: Any, scores: Any, winners: int) -> pa.RecordBatch:
        """Return the decisions of one game, a row for each."""
        if len(log) > len(self._seen):
            self._allocate(2 * len(log))
        start = self.player.start.copy()
        count = self._extract_decisions(self.game.kernel.box, start, array_view(log), self._seen, self._decisions, array_view(self._moves))
        found, seen = self._decisions.array[:count], self._seen.array[:count].tobytes()
        ends = np.append(0, found["legal_end"])
        shares = np.array([winners >> seat & 1 for seat in range(self.plan.seats)]) / max(1, int(winners).bit_count())
        columns = {
            "game": np.full(count, number),
            "line": found["line"],
            "seat": found["seat"],
            "bot": np.array(self.plan.bots, object)[found["seat"]],
            "seen": pa.Array.from_buffers(self.schema.field("seen").type, count, [None, pa.py_buffer(seen)]),
            "legal": pa.ListArray.from_arrays(ends.astype(np.int32), self._moves[: ends[-1]].copy(), self.schema.field("legal").type),
            "move": found["move"],
            "text": [self.game.show(move) for move in found["move"].tolist()],
            "score": found["score"],
            "final_score": scores[found["seat"]],
            "share": shares[found["seat"]],
        }
        if self.more:
            columns |= self.more(self._seen, columns, int(winners))
        return pa.record_batch([_column(columns[field.name], field.type) for field in self.schema], schema=self.schema)


def _column(values: Any, kind: pa.DataType) -> pa.Array:
    return values if isinstance(values, pa.Array) else pa.array(values, kind)
