"""What one screen's drawing costs, inside this process, by the server's own functions: only `draw` knows which those are."""

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
from tablee.server.table.table import Table
from tablee.server.view.client_view import ClientView
from tablee.server.view.fragments import Fragment
from tablee.server.view.rendered_view import cached_view

STAGES = {"start": 0.03, "middle": 0.5, "end": 0.95}  # of the game
TABLES, MOVES = 6, 3  # at each stage
HEAD = "| room | stage | lines | whole, CPU ms | after a move ms | nothing new ms | whole KB | after a move KB |\n|" + "---|" * 8


def render(table: Table, token: str, shown: Fragment | None) -> tuple[float, int, Fragment]:
    """CPU seconds, which a busy machine stretches least; letters of the message; the picture that the screen shows then."""
    begun = time.process_time()
    picture = cached_view(ClientView(table, Translator("fr"), table.seating.seats_of_tokens(token)))
    message = picture.message(shown, 0)
    return time.process_time() - begun, len(message), picture.fragment


async def render_costs(room: LoadProfile) -> list[str]:
    """A row for each stage. The whole is drawn at a table that was just opened, so that nothing of it is known yet."""
    rows = []
    for stage, behind in STAGES.items():
        with tempfile.TemporaryDirectory() as folder:
            there = replace(room, share_played=behind, lines=None)
            prepared = prepare(Path(folder), there, TABLES + 1, seed=2)
            house = TableRegistry(Store.in_folder(Path(folder)))
            render(await house.table(prepared[0].id), prepared[0].tokens[0], None)
            found = [await _render_costs_of(house, each) for each in prepared[1:]]
            house.close()
        columns = [median(values) for values in zip(*found, strict=True)]
        lines = round(median(each.played for each in prepared))
        cells = [f"{1000 * each:.2f}" for each in columns[:3]] + [f"{each / 1024:.1f}" for each in columns[3:]]
        rows.append(f"| {room.key} | {stage} | {lines} | {' | '.join(cells)} |")
    return rows


async def _render_costs_of(house: TableRegistry, prepared: Prepared) -> tuple[float, float, float, float, float]:
    table, position = await house.table(prepared.id), prepared.played
    whole, size, shown = render(table, prepared.tokens[0], None)
    little, nothing, sizes = list[float](), list[float](), list[int]()
    for _ in range(MOVES):
        if (after := prepared.next_of(position + 1)) >= len(prepared.lines):
            break
        seat, _, move = prepared.lines[position].partition(" ")
        await table.play(Seat(int(seat)), move, position, str(position))
        position = after
        took, letters, shown = render(table, prepared.tokens[0], shown)
        little.append(took)
        sizes.append(letters)
        nothing.append(render(table, prepared.tokens[0], shown)[0])
    return whole, median(little), median(nothing), size, median(sizes)
