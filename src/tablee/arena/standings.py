"""Standings of a tournament: each bot's share of the wins and its rating, and figures for each pair of bots.

A bot in two seats of a table counts in both. Of two bots at a table, the winner is ahead; if both or neither won, the one with more points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np

from tablee.arena.plan_runner import Chunk, Results
from tablee.arena.rating import ratings
from tablee.arena.tally import interval_of_mean, interval_of_share, shares_of
from tablee.arena.tournament import Lineup, Tournament
from tablee.core.contract import WHOLE_SHARE


@dataclass(frozen=True)
class LineupResults:
    """Results of all games of one line-up."""

    lineup: Lineup
    results: Results

    def seats_of(self, bot: str) -> list[int]:
        return [seat for seat, name in enumerate(self.lineup) if name == bot]


def standings(tournament: Tournament, results: Mapping[Chunk, Results]) -> dict[str, Any]:
    """Return the figures of a tournament from the results of all its chunks."""
    played = [_join_results(tournament, place, results) for place in range(len(tournament.plans))]
    pairs = [BotPair(first, second, played) for first, second in combinations(tournament.bots, 2)]
    rated = ratings(tournament.bots, _ahead(tournament.bots, pairs))
    return {
        "game": tournament.plans[0].game,
        "seats": tournament.seats,
        "games": tournament.games,
        "seed": tournament.plans[0].seed,
        "options": dict(tournament.options),
        "bots": [_figures(bot, played) | {"rating": rating} for bot, rating in zip(tournament.bots, rated, strict=True)],
        "pairs": [pair.figures() for pair in pairs],
    }


def _join_results(tournament: Tournament, place: int, results: Mapping[Chunk, Results]) -> LineupResults:
    mine = [results[chunk] for chunk in tournament.chunks if chunk.plan_index == place]
    return LineupResults(tournament.plans[place].bots, Results.join(mine))


def _figures(bot: str, played: Sequence[LineupResults]) -> dict[str, Any]:
    shares, scores, luck = [], [], []
    for each in played:
        parts = shares_of(each.results.winners, len(each.lineup))
        shares += [parts[:, seat] for seat in each.seats_of(bot)]
        scores += [each.results.scores[:, seat] for seat in each.seats_of(bot)]
        if each.results.luck is not None:
            luck += [each.results.luck[:, seat] / WHOLE_SHARE for seat in each.seats_of(bot)]
    share, count = np.concatenate(shares), sum(map(len, shares))
    low, high = interval_of_share(float(share.mean()), count)
    return {
        "bot": bot,
        "games": count,
        "wins": int((share > 0).sum()),
        "share": round(float(share.mean()), 6),
        "low": low,
        "high": high,
        "mean_score": round(float(np.concatenate(scores).mean()), 4),
        **(_without_luck(shares, luck) if luck else {}),
    }


def _without_luck(shares: Sequence[Any], luck: Sequence[Any]) -> dict[str, Any]:
    """Return the share of the wins with luck taken out, and how many times fewer games give the same interval.

    Both intervals are of means by game number, so that the second says what luck does and not what common seeds do.
    """
    by_seed, adjusted = _by_number(shares), _by_number([share - part for share, part in zip(shares, luck, strict=True)])
    low, high = interval_of_mean(adjusted)
    least, most = interval_of_mean(by_seed)
    return {
        "luck": round(float(np.concatenate(luck).mean()), 6),
        "adjusted_share": round(float(adjusted.mean()), 6),
        "adjusted_low": low,
        "adjusted_high": high,
        "fewer_games": round(((most - least) / (high - low)) ** 2, 2) if high > low else None,
    }


class BotPair:
    """Comparison of two bots over all games with both: how often the first was ahead, and by how many points."""

    def __init__(self, first: str, second: str, played: Sequence[LineupResults]) -> None:
        self.first, self.second = first, second
        together = [each for each in played if {first, second} <= set(each.lineup)]
        self.ahead = np.concatenate([self._mean(_ahead_of, each) for each in together])
        self.differences = [self._mean(_difference, each) for each in together]

    def _mean(self, compare: Any, each: LineupResults) -> Any:
        """Return for each game the mean of `compare` over all pairs of a seat of the first bot and a seat of the second."""
        pairs = product(each.seats_of(self.first), each.seats_of(self.second))
        return np.mean([compare(each.results, mine, yours) for mine, yours in pairs], axis=0)

    def figures(self) -> dict[str, Any]:
        share = float(self.ahead.mean())
        low, high = interval_of_share(share, len(self.ahead))
        by_seed = _by_number(self.differences)
        least, most = interval_of_mean(by_seed)
        return {
            "first": self.first,
            "second": self.second,
            "games": len(self.ahead),
            "share": round(share, 6),
            "low": low,
            "high": high,
            "mean_difference": round(float(np.mean(by_seed)), 4),
            "difference_low": least,
            "difference_high": most,
        }


def _ahead_of(results: Results, mine: int, yours: int) -> Any:
    """Return by game 1 where seat `mine` is ahead of seat `yours`, 1/2 where neither is."""
    i_win, you_win = results.winners >> mine & 1, results.winners >> yours & 1
    by_points = np.where(i_win & you_win, 0, np.sign(_difference(results, mine, yours)))
    return (1 + np.where(i_win == you_win, by_points, i_win - you_win)) / 2


def _difference(results: Results, mine: int, yours: int) -> Any:
    return results.scores[:, mine] - results.scores[:, yours]


def _by_number(differences: Sequence[Any]) -> Any:
    """Return the mean difference by game number: games of one number share their seed, so they are one independent sample."""
    most = max(map(len, differences))
    sums, counts = np.zeros(most), np.zeros(most)
    for each in differences:
        sums[: len(each)] += each
        counts[: len(each)] += 1
    return sums / counts


def _ahead(names: Sequence[str], pairs: Sequence[BotPair]) -> Any:
    """Return the matrix of how often each bot (row) was ahead of each other (column)."""
    found = np.zeros((len(names), len(names)))
    for pair in pairs:
        mine, yours = names.index(pair.first), names.index(pair.second)
        found[mine, yours], found[yours, mine] = pair.ahead.sum(), (1 - pair.ahead).sum()
    return found
