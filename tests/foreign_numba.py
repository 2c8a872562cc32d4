"""A program that compiles somebody else's functions before and after it uses Tablée, and prints what differs.

With NUMBA_ENABLE_CUDASIM=1 it also runs a kernel of somebody else's in the GPU simulator.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
from numba import config, cuda, types
from numba.core import imputils, registry, typing
from numba.extending import typeof_impl

SHORT = np.dtype([("left", np.int64), ("right", np.int64)])
LONG = np.dtype([("left", np.int64), ("right", np.int64), ("more", np.float64)])
GENERATED_NUMBER = re.compile(r"\b0x[0-9a-f]+\b|(?<=[$_v])\d+|\d{6,}|_3a\w+|B\d+\w+")  # addresses and counters in names


def compile_all() -> dict[str, Any]:
    """Compile functions over records, arrays and floats anew, and return their types, results and code."""

    def total(record: Any) -> Any:
        return record.left + record.right

    def fused(one: float, other: float, third: float) -> float:
        return one * other + third

    def scaled(array: Any) -> Any:
        return array * 2.0 + 1.0

    found: dict[str, Any] = {}
    short, long, arguments = np.zeros(2, SHORT), np.zeros(2, LONG), np.arange(6.0)
    for name, function, given in (
        ("a record", total, (short[0],)),
        ("a longer record", total, (long[0],)),
        ("a record as a 0-dimensional array", total, (short[:1].reshape(()),)),
        ("floats", fused, (1.1, 2.2, 3.3)),
        ("an array", scaled, (arguments,)),
    ):
        compiled = numba.njit(function)
        try:
            result = repr(compiled(*given))
        except numba.TypingError:
            result = "refused"
        code = [GENERATED_NUMBER.sub("", text) for text in compiled.inspect_llvm().values()]
        found[name] = result, [str(signature) for signature in compiled.signatures], [len(each.splitlines()) for each in code]
        if name == "floats":
            found["instructions"] = re.findall(r"\b(?:fmul|fadd|call double @llvm\.fmuladd)\b", code[0])
    return found | conversions()


def conversions() -> dict[str, Any]:
    """Return what Numba converts."""
    short, long = numba.from_dtype(SHORT), numba.from_dtype(LONG)
    context = registry.cpu_target.typing_context
    kinds = short, long, types.Array(short, 0, "C"), types.Array(long, 1, "C"), types.int64
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {f"{one} to {other}": str(context.can_convert(one, other)) for one in kinds for other in kinds}


def functions_of_numba() -> dict[str, Any]:
    """Return the functions that a library might replace."""
    classes = types.Record, types.Array, types.Dispatcher, numba.core.dispatcher.Dispatcher, numba.core.codegen.JITCodeLibrary
    found = {f"{kind.__name__}.{name}": value for kind in classes for name, value in vars(kind).items()}
    modules = numba, numba.core.compiler, numba.core.caching, numba.core.typeinfer, imputils, typing.typeof
    found |= {f"{module.__name__}.{name}": value for module in modules for name, value in vars(module).items() if callable(value)}
    found |= {f"typeof {kind.__name__}": value for kind, value in typeof_impl.registry.items() if "tablee" not in kind.__module__}
    if not config.ENABLE_CUDASIM:
        from numba.cuda.cudadrv import nvvm  # noqa: PLC0415

        found |= {f"nvvm.{name}": value for name, value in vars(nvvm).items() if callable(value)}
    return found


def simulated() -> list[float]:
    """Return the result of a kernel in the GPU simulator."""

    @cuda.jit  # type: ignore[untyped-decorator]
    def fused(values: Any, out: Any) -> None:
        number = cuda.grid(1)
        out[number] = values[number] * 1.1 + 0.3

    values, out = np.arange(4) / 3, np.zeros(4)
    fused[1, 4](values, out)
    return [float(each) for each in out]


def use_tablee() -> None:
    from tablee import bots, games  # noqa: PLC0415
    from tablee.arena import Plan  # noqa: PLC0415
    from tablee.core import fairness  # noqa: PLC0415
    from tablee.core.match import Match  # noqa: PLC0415
    from tablee.cuda import games as cuda_games  # noqa: PLC0415

    game = games.find("rolling-village")
    assert bots.play_out(Match(game, 2, {}, fairness.seed_for(1, 1)), [bots.GREEDY, bots.RANDOM]).outcome
    if config.ENABLE_CUDASIM:
        cuda_games.GameRunner(Plan.of(game, 1, ["random"], {}, 1)).play(range(1, 2))
    else:
        cuda_games.games_kernel(game.kernel, False, False)


def differences() -> Iterator[str]:
    before = compile_all(), functions_of_numba(), simulated() if config.ENABLE_CUDASIM else None, warnings.filters[:]
    use_tablee()
    after = compile_all(), functions_of_numba(), simulated() if config.ENABLE_CUDASIM else None, warnings.filters[:]
    for one, other in zip(before[:2], after[:2], strict=True):
        assert isinstance(one, dict)
        assert isinstance(other, dict)
        yield from (name for name in one if one[name] != other.get(name))
    if before[2:] != after[2:]:
        yield "the simulator or the warnings"


if __name__ == "__main__":
    print(*differences(), sep="\n", end="")  # noqa: T201
