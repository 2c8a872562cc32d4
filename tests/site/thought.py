"""What bots and the coach think in positions of records; the same in any Python."""

from __future__ import annotations

from typing import Any

from tablee import bots, games
from tablee.bots import coach
from tablee.bots.search import Search
from tablee.core import record
from tablee.core.match import Match

POSITIONS = 5  # of each game


def run(texts: list[str], load: Any = None, address: int = 0) -> list[Any]:
    """Return for each record what is thought in some of its positions; `load` brings compiled loops, where there is no machine code."""
    matches = [record.verify(games.find, text).match for text in texts]
    if load:
        from tablee.site.tab.native_loops import NativeLoops  # noqa: PLC0415

        loops = NativeLoops(load, address)
        for match in matches:
            loops.use(match.game)
            assert not match.game.kernel.loops.rollout.uses_python
    return [_thought(match.at(len(match.log) * part // POSITIONS)) for match in matches for part in range(POSITIONS)]


def _thought(match: Match) -> list[Any]:
    match.play_nature()
    seat = match.to_act[0]
    moves = [bots.choose(match, seat, bot) for bot in (bots.RANDOM, bots.EASY, bots.GREEDY, bots.MEDIUM)]
    advice = coach.advise(match, seat, [match.legal(seat)[0]], Search(nodes=300))
    return [moves, list(advice.better), advice.share, advice.points, coach.chances(match, 2, 50)]
