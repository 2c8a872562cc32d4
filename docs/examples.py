"""Generator of each room's `example.json` (`make examples`): greedy bots play seeded games until one has an instructive turn.

The rules page draws its first pictures from it. Run it again when a room's rules or its box change.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tablee import bots, games
from tablee.core import fairness, record
from tablee.core.files import write_text
from tablee.core.game import Game
from tablee.core.match import Match

TRIES = 60


@dataclass(frozen=True)
class ExampleSpec:
    """Search for a room's example: `find` returns the viewer's seat and the positions (in lines) of the first instructive turn."""

    seats: int
    lines: int
    find: Callable[[Match], tuple[int, list[int]] | None]


def main() -> None:
    for key in sys.argv[1:] or SPECS:
        game, spec = games.find(key), SPECS[key]
        write_text(game.folder / "example.json", record.dump(example(game, spec)))


def example(game: Game, spec: ExampleSpec) -> dict[str, Any]:
    """Return the record of the turn that comes earliest in its game, when few pieces lie on the table."""
    candidates = [(match, found) for seed in range(TRIES) if (found := spec.find(match := played(game, spec, seed)))]
    if not candidates:
        raise SystemExit(f"no game of {TRIES} has a turn like that: {game.key}")
    match, (seat, moments) = min(candidates, key=lambda each: each[1][1][-1])
    composed = record.compose(game, match.seats, match.options, match.lines()[: moments[-1]], None, None)
    return composed | {"seat": seat, "moments": moments}


def played(game: Game, spec: ExampleSpec, seed: int) -> Match:
    match = Match(game, spec.seats, {}, fairness.seed_for(seed, 0))
    match.play_nature()
    while match.to_act and len(match.log) < spec.lines:
        seat = match.to_act[0]
        match.play(seat, bots.choose(match, seat, bots.find("greedy")))
        match.play_nature()
    return match


def village(match: Match) -> tuple[int, list[int]] | None:
    """Find a plain round in which two kinds of projects score."""
    for at, scored in events_of_kind(match, "score"):
        _, verb, *dice = match.lines()[at - 2].split()
        if verb == "roll" and len(set(dice)) > 1 and len(scored.parts) > 1 and scored.points >= 8 and at > 12:
            return 0, [at - 1, at, at + 1]
    return None


def mayflower(match: Match) -> tuple[int, list[int]] | None:
    """Find a settler whose road or town is complete soon after and scores in several parts."""
    for at, scored in events_of_kind(match, "score"):
        column, row = map(int, scored.place.split()[0].split(","))
        for before, settled in events_of_kind(match, "settle"):
            drawn = match.lines()[before - 2].startswith("- draw")
            if (
                settled.place == scored.place
                and before < at <= before + 12
                and len(scored.parts) > 1
                and column > 0
                and 0 < row < 9
                and drawn
            ):
                return int(scored.seat or 0), [before - 1, before, before + 1, at + 1]
    return None


def amerique(match: Match) -> tuple[int, list[int]] | None:
    """Find a turn with the die, a tool and a request."""
    for at, served in events_of_kind(match, "score"):
        turn = max(line for line, text in enumerate(match.lines()[:at]) if text.startswith("- roll"))
        done = [(line, text.partition(" ")[2]) for line, text in enumerate(match.lines()[turn : at + 1], turn)]
        made = [line for line, text in done if text.startswith("make")]
        if made and served.seat is not None:
            return int(served.seat), [turn + 1, next(line for line, text in done if text == "craft") + 1, made[0] + 1, at + 1]
    return None


def events_of_kind(match: Match, kind: str) -> Iterator[tuple[int, Any]]:
    return ((line, event) for line, events in enumerate(match.events) for event in events if event.kind == kind)


SPECS = {
    "amerique-1500": ExampleSpec(2, 400, amerique),
    "mayflower": ExampleSpec(2, 60, mayflower),
    "rolling-village": ExampleSpec(1, 32, village),
}


if __name__ == "__main__":
    main()
