"""What a browser cannot make itself, or not quickly: drawings, compiled loops, templates and translations, and the hash of this build."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tablee import bots, games
from tablee.core import fairness, jit, memoisation, record
from tablee.core.i18n import LANGUAGES, compile_catalogue, compiled_catalogue
from tablee.core.match import Match
from tablee.server.view import rendering
from tablee.server.view.client_view import ClientView
from tablee.site.tab import native_loops
from tablee.site.tab.memory import MemoryDevice
from tablee.site.tab.routes import Tab

LINES_BETWEEN = 9  # of the game whose positions are rendered


def prepare(folder: Path, keys: Sequence[str]) -> None:
    """Write the prepared files for these games."""
    for key in keys:
        asyncio.run(_render_a_game(key))
    for (name, args), text in memoisation.made_texts.items():
        _write(memoisation.prepared_file(folder, name, args), text.encode())
    rendering.templates().compile_templates(folder / rendering.TEMPLATES_FOLDER, zip=None, ignore_errors=False)
    _compile_loops(folder / native_loops.FOLDER, keys)
    for language in LANGUAGES:
        _write(compiled_catalogue(folder, language), compile_catalogue(language))
    _write(folder / rendering.BUILD_FILE, rendering.build_hash().encode())


async def _render_a_game(key: str) -> None:
    """Render positions of a game, so that every drawing of its box is made."""
    jit.use_python(games.package(key))  # one game is over sooner than a compiler begins
    game = games.find(key)
    if game.art:
        game.art()
    match = bots.play_out(Match(game, 2, {}, fairness.seed_for(1, 1)), [bots.RANDOM] * 2)
    tab = Tab(MemoryDevice(), "en")
    table, _ = await tab.tables.import_record(record.dump(record.write(match)))
    for position in range(0, len(match.log) + 1, LINES_BETWEEN):
        rendering.render(ClientView(table, tab.translator, replay_position=position).message(), tab.translator)


def _compile_loops(folder: Path, keys: Sequence[str]) -> None:
    """Compile the games' loops in another process: Numba reads its options when it is imported."""
    folder.mkdir(parents=True)
    environment = {name: value for name, value in os.environ.items() if name != "TABLEE_PLAIN"} | {"NUMBA_OPT": "0"}
    command = [sys.executable, "-m", "tablee.site.compiled_loops", str(folder), *keys]
    subprocess.run(command, env=environment, check=True)  # noqa: S603  our own module


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
