"""What Python says of nature's outcomes that machine code could not take."""

from __future__ import annotations

from typing import Any

import pytest

from tablee import games
from tablee.core import fairness
from tablee.core.errors import TableeError
from tablee.core.match import Match


def test_a_weight_of_natures_that_passes_31_bits_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of `contract.py`, which a GPU needs."""
    game = games.known()[0]
    match = Match(games.find(game), 2, {}, fairness.seed_for(4, 1))

    def odds(box: Any, state: Any, out: Any, weights: Any) -> int:
        weights[0], weights[1] = 1, 1 << 31
        return 2

    monkeypatch.setattr(match.game.kernel.rules, "odds", odds)
    with pytest.raises(TableeError, match="nature's weights are whole numbers of 31 bits at most, not 2147483648"):
        match.play_nature()
