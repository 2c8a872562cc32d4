"""Generator of docs/ladder.md: the ladder of all levels in all games, with an SVG for each game.

Seeds and budgets are fixed here, so the figures are reproducible.

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
    """A game with its options, and the node budget of `hard` for a move: 12 to 30 ms of one core."""

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

All pairs of levels at tables of two: {count} games each, every deal from both seats. [bots.md](bots.md) says how the levels play.
`python -m bench.ladder --games {count}` makes this page from seed {seed}.

- In place of `hard`, which has a second at a table, a search plays with a node budget of 12 to 30 ms of one core a move. So the same
  command gives the same figures on every machine.
- A shared win is half a win. Intervals are Wilson's at 95 %.
- Ratings are those of `tablee arena`: a bot 100 points above another is ahead in 64 % of their games, 200 points 76 %, 400 points 91 %.
"""


def section(entry: LadderEntry, found: Mapping[str, Any]) -> str:
    """Return the section of one game: picture, ratings and pairs."""
    lines = [f"## {entry.title}", "", f"![{entry.title}](images/ladder-{entry.name}.svg)", ""]
    lines += ["| bot | rating | share of its games | 95 % | mean score |", "|---|---|---|---|---|"]
    for bot in sorted(found["bots"], key=lambda bot: -bot["rating"]):
        share, interval = f"{100 * bot['share']:.1f} %", f"{100 * bot['low']:.0f} to {100 * bot['high']:.0f} %"
        lines.append(f"| `{bot['bot']}` | {bot['rating']:.0f} | {share} | {interval} | {bot['mean_score']:.1f} |")
    lines += ["", "| pair | first bot ahead | 95 % |", "|---|---|---|"]
    for pair in found["pairs"]:
        share, interval = f"{100 * pair['share']:.1f} %", f"{100 * pair['low']:.0f} to {100 * pair['high']:.0f} %"
        lines.append(f"| `{pair['first']}` - `{pair['second']}` | {share} | {interval} |")
    return "\n".join([*lines, ""])


def play(tournament: Tournament, jobs: int, file: Path) -> dict[Chunk, Results]:
    """Play a tournament, or resume it from its results file."""
    file.parent.mkdir(exist_ok=True)
    results_file = ResultsFile(file, tournament)
    results_file.create()
    played = dict(results_file.finished)
    for chunk, results in tournament.play(frozenset(played), LocalExecutor(jobs)):
        played[chunk] = results
        results_file.append(chunk, results)
    return played


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=24)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--game", action="append", choices=[entry.name for entry in ENTRIES])
    parser.add_argument("--out", type=Path, default=Path("docs"))
    parser.add_argument("--notes", type=Path, default=Path(".ladder"))
    chosen = parser.parse_args()
    sections = []
    for entry in ENTRIES:
        if chosen.game and entry.name not in chosen.game:
            continue
        began, tournament = time.monotonic(), entry.tournament(chosen.games)
        found = standings(tournament, play(tournament, chosen.jobs, chosen.notes / f"{entry.name}.jsonl"))
        write_text(chosen.out / "images" / f"ladder-{entry.name}.svg", ladder(found, games.find(entry.game), Translator("en")))
        sections.append(section(entry, found))
        print(f"{entry.title}: {time.monotonic() - began:.0f} s", flush=True)
    write_text(chosen.out / "ladder.md", "\n".join([HEAD.format(count=chosen.games, seed=SEED), *sections]))


if __name__ == "__main__":
    main()
