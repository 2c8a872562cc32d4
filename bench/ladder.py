"""The ladder of all levels in all games: docs/ladder.md and a picture for each game. What is played follows from the seeds and budgets that
stand here, so whoever runs it again gets the same figures.

    python -m bench.ladder [--games 24] [--jobs 2] [--game KEY]... [--out docs]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tablee import games
from tablee.arena import LocalExecutor, Results, ResultsFile, Tournament, standings
from tablee.arena.ladder import ladder
from tablee.arena.plan_runner import Chunk
from tablee.core.files import write_text
from tablee.core.i18n import Translator

SEED = 2026
LEVELS = "random", "easy", "greedy", "medium"


@dataclass(frozen=True)
class LadderEntry:
    """What is played, and the nodes that `hard` gets for a move: 12 to 30 ms of one core."""

    title: str
    game: str
    nodes: int
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return "-".join([self.game, *map(str, self.options.values())])

    def tournament(self, count: int) -> Tournament:
        return Tournament.of(games.find(self.game), 2, (*LEVELS, f"search:nodes={self.nodes}"), self.options, SEED, count)


ENTRIES = (
    LadderEntry("Mayflower", "mayflower", 1200),
    LadderEntry("Rolling Village", "rolling-village", 3000),
    LadderEntry("Amérique 1500, quick game", "amerique-1500", 2500),
    LadderEntry("Amérique 1500, full game", "amerique-1500", 2500, {"game": "full"}),
)

HEAD = """# The ladder of the bots

Made by `python -m bench.ladder --games {count}` from seed {seed}: all pairs of levels at tables of two, {count} games each, every
deal played from both chairs. `hard` is here a search with a budget of nodes, 12 to 30 ms of one core a move, so that whoever runs
this again gets the same figures; at a table it has a second. A shared win is half a win, intervals are Wilson's at 95 %. Ratings are
those of `tablee arena`: 100 points more are 64 % of the games, 200 are 76 %, 400 are 91 %.
"""


def section(table: LadderEntry, found: Mapping[str, Any]) -> str:
    """One game: its picture, its rungs and its pairs."""
    lines = [f"## {table.title}", "", f"![{table.title}](images/ladder-{table.name}.svg)", ""]
    lines += ["| bot | rating | share of all its games | 95 % | mean score |", "|---|---|---|---|---|"]
    for bot in sorted(found["bots"], key=lambda bot: -bot["rating"]):
        share, interval = f"{100 * bot['share']:.1f} %", f"{100 * bot['low']:.0f} to {100 * bot['high']:.0f} %"
        lines.append(f"| `{bot['bot']}` | {bot['rating']:.0f} | {share} | {interval} | {bot['mean_score']:.1f} |")
    lines += ["", "| pair | first ahead | 95 % |", "|---|---|---|"]
    for pair in found["pairs"]:
        share, interval = f"{100 * pair['share']:.1f} %", f"{100 * pair['low']:.0f} to {100 * pair['high']:.0f} %"
        lines.append(f"| `{pair['first']}` - `{pair['second']}` | {share} | {interval} |")
    return "\n".join([*lines, ""])


def play(tournament: Tournament, jobs: int, results_file: Path) -> dict[Chunk, Results]:
    """Goes on where it was interrupted, if it was."""
    results_file.parent.mkdir(exist_ok=True)
    notebook = ResultsFile(results_file, tournament)
    notebook.create()
    played = dict(notebook.finished)
    for handful, results in tournament.play(frozenset(played), LocalExecutor(jobs)):
        played[handful] = results
        notebook.append(handful, results)
    return played


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=24)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--game", action="append", choices=[table.name for table in ENTRIES])
    parser.add_argument("--out", type=Path, default=Path("docs"))
    parser.add_argument("--notes", type=Path, default=Path(".ladder"))
    chosen = parser.parse_args()
    sections = []
    for table in ENTRIES:
        if chosen.game and table.name not in chosen.game:
            continue
        began, tournament = time.monotonic(), table.tournament(chosen.games)
        found = standings(tournament, play(tournament, chosen.jobs, chosen.notes / f"{table.name}.jsonl"))
        write_text(chosen.out / "images" / f"ladder-{table.name}.svg", ladder(found, games.find(table.game), Translator("en")))
        sections.append(section(table, found))
        print(f"{table.title}: {time.monotonic() - began:.0f} s", flush=True)
    write_text(chosen.out / "ladder.md", "\n".join([HEAD.format(count=chosen.games, seed=SEED), *sections]))


if __name__ == "__main__":
    main()
