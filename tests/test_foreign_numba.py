"""Nothing that Tablée does reaches the Numba of somebody else's program, and rules round alike on every machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tablee import games
from tablee.core.jit import PYTHON_ONLY

FLOAT_PRODUCTS = """
import operator, sys
from tablee import games
from tablee.core import fairness, jit
from tablee.core.contract import VALUES
from tablee.core.match import Match
from tablee.core.struct import int_array
from numba import types
game = games.find(sys.argv[1])
with jit.using_python(game.kernel.package):
    match = Match(game, 2, {}, fairness.seed_for(1, 1))
    match.play_nature()
    match.play(match.to_act[0], match.legal(match.to_act[0])[0])
rules, arguments = game.kernel.rules, (game.kernel.box, match.state, game.kernel.scratch(), 0, int_array(VALUES))
for evaluation in (rules.value, rules.search_value, rules.leaf_value):
    evaluation(*arguments)
compiled = 0
for package in (game.kernel.package, jit.CORE):
    for rule in jit.room(package).rules:
        for overload in rule.inlined.overloads.values() if rule is not jit.product else ():
            compiled += 1
            for expression, signature in overload.type_annotation.calltypes.items():
                if getattr(expression, "op", "") not in ("binop", "inplace_binop"):
                    continue
                if expression.fn in (operator.mul, operator.imul) and isinstance(signature.return_type, types.Float):
                    print(rule.__module__, rule.__name__, expression.loc.line)
assert compiled > 20, compiled
"""


def run(*command: str, **environment: str) -> str:
    return subprocess.run([sys.executable, *command], env=os.environ | environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(PYTHON_ONLY, reason="nothing is compiled")
@pytest.mark.parametrize("simulated", ["0", "1"])
def test_somebody_elses_functions_compile_as_before(simulated: str, tmp_path: Path) -> None:
    """Before and after a game with a compiled room: types, results, generated code, conversions, and Numba's own functions."""
    assert run("-m", "tests.foreign_numba", NUMBA_ENABLE_CUDASIM=simulated, PYTHONWARNINGS="ignore::RuntimeWarning") == ""


@pytest.mark.skipif(PYTHON_ONLY, reason="nothing is compiled")
@pytest.mark.parametrize("key", [key for key in games.known() if key == "amerique-1500" or os.environ.get("TABLEE_ROUNDS") == "many"])
def test_rules_multiply_floats_only_by_product(key: str, tmp_path: Path) -> None:
    """Else a GPU may contract a product and a sum to one instruction, which rounds once. The other rooms have integers only."""
    assert run("-c", FLOAT_PRODUCTS, key, TABLEE_CACHE=str(tmp_path), TABLEE_PLAIN="0") == ""
