"""Search settings for a game, found by tournaments: one for each constant in turn, with the others at their best so far.

The settings at the end play `greedy`, and those that the game has, on games that chose nothing, so that the figures are not flattering.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tablee import bots
from tablee.arena.standings import standings
from tablee.arena.tournament import Tournament
from tablee.bots.search import Search
from tablee.core.game import Game, Options

CONSTANTS: Mapping[str, tuple[int, ...]] = {  # those of a room's kernel.py, with the values that are tried
    "ROLLOUT_LINES": (8, 15, 30, 0),
    "CANDIDATES": (4, 8, 12),
    "ROLLOUT_BEAM": (0, 1, 4),
    "PRIOR_ROLLOUTS": (0, 8, 32),
}
FINAL_SEED = 1_000_000  # of the games that measure the result


@dataclass(frozen=True)
class Tuning:
    """What is tuned, and for what: a table, a budget of nodes and a number of games for each pair of settings."""

    game: Game[Any]
    seats: int
    options: Options
    games: int
    nodes: int
    seed: int
    tried: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: CONSTANTS)

    def start(self) -> dict[str, int]:
        """Return the settings that the game has now."""
        return {name: getattr(self.game.kernel, name.lower()) for name in self.tried}

    def rounds(self) -> Iterator[tuple[str, dict[int, float], dict[str, int]]]:
        """Yield for each constant its name, the share of the wins that each value had, and the best settings so far."""
        best = self.start()
        for name, values in self.tried.items():
            shares = self._compare([best | {name: value} for value in dict.fromkeys((best[name], *values))], name)
            best = best | {name: max(shares, key=lambda value: shares[value])}  # of equals the earlier, which the game has
            yield name, shares, best

    def against_greedy(self, settings: Mapping[str, int]) -> dict[str, Any]:
        """Return the figures of games between these settings and `greedy`."""
        return self._duel(settings, "greedy")

    def against_present(self, settings: Mapping[str, int]) -> dict[str, Any] | None:
        """Return the figures of games between these settings and those that the game has, or None if they are the same."""
        if settings == self.start():
            return None
        bots.register("present")(self._search(self.start()))
        return self._duel(settings, "present")

    def _duel(self, settings: Mapping[str, int], rival: str) -> dict[str, Any]:
        bots.register("tuned")(self._search(settings))
        (pair,) = self._play(["tuned", rival], self.seed + FINAL_SEED, 4 * self.games)["pairs"]
        found: dict[str, Any] = pair
        return found

    def _compare(self, settings: list[dict[str, int]], name: str) -> dict[int, float]:
        for number, each in enumerate(settings):
            bots.register(f"tuned-{number}")(self._search(each))
        found = self._play([f"tuned-{number}" for number in range(len(settings))], self.seed, self.games)
        return {settings[int(bot["bot"].rpartition("-")[2])][name]: bot["share"] for bot in found["bots"]}

    def _search(self, settings: Mapping[str, int]) -> Search:
        overrides: dict[str, Any] = {name.lower(): value for name, value in settings.items()}
        return replace(Search(nodes=self.nodes), **overrides)

    def _play(self, names: list[str], seed: int, games: int) -> dict[str, Any]:
        tournament = Tournament.of(self.game, self.seats, names, self.options, seed, games)
        return standings(tournament, dict(tournament.play()))
