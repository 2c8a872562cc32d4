"""The levels of every game's bots are in order."""

from __future__ import annotations

import pytest

from tablee import games
from tablee.arena import Tournament, standings
from tablee.checks.plugin import has_rivals
from tablee.checks.rounds import rounds
from tablee.core.game import choose_options

GAMES = rounds(few=16, many=400)


@pytest.mark.only(where=has_rivals)
def test_medium_is_not_weaker_than_greedy(key: str) -> None:
    """Fails if the 95 % interval of medium's games against greedy lies below one half: `tablee tune GAME` finds better settings."""
    game = games.find(key)
    seats = max(2, game.seats[0])
    tournament = Tournament.of(game, seats, ["medium", "greedy"], choose_options(game, seats, {}), seed=1, games=GAMES)
    (pair,) = standings(tournament, dict(tournament.play()))["pairs"]
    assert pair["high"] >= 0.5, f"medium is ahead of greedy in {pair['low']:.0%} to {pair['high']:.0%} of the games"
