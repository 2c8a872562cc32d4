"""Cost of rendering one client's view, measured in this process; only `render` calls the server's functions."""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

from bench.load.positions import LoadProfile, Prepared, prepare
from tablee.core.game import Seat
from tablee.core.i18n import Translator
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.table import decisions
from tablee.server.table.table import Table
from tablee.server.view.client_view import ClientView
from tablee.server.view.fragments import Fragment
from tablee.server.view.rendered_view import cached_view

STAGES = {"start": 0.03, "middle": 0.5, "end": 0.95}  # share of the game played
TABLES, MOVES = 6, 3  # at each stage
HEAD = "| room | stage | lines | whole, CPU ms | after a move ms | nothing new ms | whole KB | after a move KB |\n|" + "---|" * 8


def render(table: Table, token: str, shown: Fragment | None) -> tuple[float, int, Fragment]:
    """Return the CPU seconds (robust against other load), the length of the message, and the fragment that the client then shows."""
    begun = time.process_time()
    view = cached_view(ClientView(table, Translator("fr"), table.seating.seats_of_tokens(token)))
    message = view.message(shown, 0)
    return time.process_time() - begun, len(message), view.fragment


async def render_costs(room: LoadProfile) -> list[str]:
    """Return a row for each stage; the whole view is rendered at a newly opened table, with empty caches."""
    rows = []
    for stage, share in STAGES.items():
        with tempfile.TemporaryDirectory() as folder:
            profile = replace(room, share_played=share, lines=None)
            prepared = prepare(Path(folder), profile, TABLES + 1, seed=2)
            registry = TableRegistry(Store.in_folder(Path(folder)))
            render(await registry.table(prepared[0].id), prepared[0].tokens[0], None)
            found = [await _render_costs_of(registry, each) for each in prepared[1:]]
            registry.close()
        columns = [median(values) for values in zip(*found, strict=True)]
        lines = round(median(each.played for each in prepared))
        cells = [f"{1000 * each:.2f}" for each in columns[:3]] + [f"{each / 1024:.1f}" for each in columns[3:]]
        rows.append(f"| {room.key} | {stage} | {lines} | {' | '.join(cells)} |")
    return rows


async def _render_costs_of(registry: TableRegistry, prepared: Prepared) -> tuple[float, float, float, float, float]:
    table, position = await registry.table(prepared.id), prepared.played
    whole, size, shown = render(table, prepared.tokens[0], None)
    little, nothing, sizes = list[float](), list[float](), list[int]()
    for _ in range(MOVES):
        if (after := prepared.next_of(position + 1)) >= len(prepared.lines):
            break
        seat, _, move = prepared.lines[position].partition(" ")
        await table.change(decisions.play_turn(table, Seat(int(seat)), [move], position, str(position)))
        position = after
        took, length, shown = render(table, prepared.tokens[0], shown)
        little.append(took)
        sizes.append(length)
        nothing.append(render(table, prepared.tokens[0], shown)[0])
    return whole, median(little), median(nothing), size, median(sizes)
