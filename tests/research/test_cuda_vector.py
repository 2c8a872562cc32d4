"""Many games stepped in Numba's GPU simulator, which needs no GPU."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tablee.core.errors import TableeError
from tablee.research.spaces import known
from tablee.research.vector import Vector

SIMULATED = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}


@pytest.mark.parametrize("key", known())
def test_the_same_seeds_and_actions_give_the_same_bytes_as_on_the_processor(key: str) -> None:
    """Compares observations, masks, rewards, scores, ends and states, with and without bots; illegal actions are refused too."""
    program = [sys.executable, str(Path(__file__).parent / "simulated_vector.py"), key]
    output = subprocess.run(program, env=SIMULATED, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert output == "0 saved and 0 loaded arrays differ\naction -1 is not legal in game 1\n"


def test_a_device_that_is_none_is_refused() -> None:
    with pytest.raises(TableeError, match="there is no device 'tpu'; there are: cpu, cuda"):
        Vector("rolling-village", device="tpu")
