"""The kernel of every room plays the same games as `Match`, and nothing in it keeps it from compiling for a GPU."""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

from tablee import bots, games
from tablee.arena import LocalExecutor, Plan, Results, play_all
from tablee.core import fairness, record
from tablee.core.batch import Batch
from tablee.core.contract import EXPORTS
from tablee.core.errors import TableeError
from tablee.core.game import choose_options
from tablee.core.match import Match
from tests.rounds import rounds

NUMBERS = {"int", "bool", "float", "None"}
ALLOWED = {"range", "len", "min", "max", "abs", "int", "bool", "float"}
FORBIDDEN = (
    ast.Raise, ast.Try, ast.With, ast.Assert, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
    ast.JoinedStr, ast.Lambda, ast.Yield, ast.Global, ast.Nonlocal, ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom,
)  # fmt: skip


def tables(key: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the smallest and the largest table, with each level alone and with all levels mixed."""
    game = games.find(key)
    for seats in {game.seats[0], game.seats[-1]}:
        for levels in ([level] * seats for level in bots.KERNEL_LEVELS):
            yield seats, levels
        yield seats, [list(bots.KERNEL_LEVELS)[seat % len(bots.KERNEL_LEVELS)] for seat in range(seats)]


@pytest.mark.parametrize("key", games.known())
def test_the_kernel_and_the_match_play_the_same_games_byte_for_byte(key: str) -> None:
    game = games.find(key)
    for seats, levels in tables(key):
        seeds = [fairness.seed_for(4, number) for number in range(3)]
        options = choose_options(game, seats, {})
        batch = Batch(game, game.setup(seats, options), seeds, keep_logs=True)
        batch.play([bots.KERNEL_LEVELS[level].number for level in levels])
        outcomes = batch.outcomes()
        for place, seed in enumerate(seeds):
            match = bots.play_out(Match(game, seats, {}, seed), [bots.find(level) for level in levels])
            assert batch.log(place) == match.log
            assert batch.states[place].tobytes() == match.state.tobytes()
            assert outcomes[place] == match.outcome


@pytest.mark.parametrize("key", games.known())
def test_a_record_changes_nothing_and_neither_do_the_jobs(key: str, tmp_path: Path) -> None:
    game = games.find(key)
    seats = game.seats[0]
    plan = Plan.parse(Plan.of(game, seats, ("random",) * seats, choose_options(game, seats, {}), 3).dump())
    alone = Results.join(play_all(plan, 150))
    recorded = Results.join(
        play_all(plan, 150, executor=LocalExecutor(rounds(few=2 if key == "rolling-village" else 1, many=2)), folder=tmp_path)
    )
    for name in ("scores", "winners", "lines"):
        assert (getattr(alone, name) == getattr(recorded, name)).all()
    files = sorted(tmp_path.glob("*.json"))
    assert len(files) == 150
    for file in files[:: 150 // 3]:
        verdict = record.verify(games.find, file.read_text(encoding="utf-8"))
        assert verdict.draws > 0


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


def plain(function: Any) -> FunctionType:
    found = getattr(function, "wrapped", function)
    assert isinstance(found, FunctionType)
    return found


def reachable(function: Any, seen: dict[str, FunctionType]) -> dict[str, FunctionType]:
    """Return this function and all functions of ours that it calls, transitively."""
    here = plain(function)
    name = f"{here.__module__}.{here.__name__}"
    if name not in seen:
        seen[name] = here
        for value in used(here).values():
            if isinstance(value, FunctionType) or hasattr(value, "wrapped"):
                reachable(value, seen)
    return seen


def used(function: FunctionType) -> dict[str, Any]:
    """Return the globals that a function uses."""
    names = {step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"}
    return {name: function.__globals__[name] for name in names if name in function.__globals__}


def kernel_functions(key: str) -> dict[str, FunctionType]:
    kernel, found = games.find(key).kernel, dict[str, FunctionType]()
    for function in (*vars(kernel.rules).values(), *defined_in(kernel.loops)):
        reachable(function, found)
    return found


def defined_in(module: ModuleType) -> Iterator[Any]:
    """Yield the functions that a module defines."""
    return (each for each in vars(module).values() if getattr(each, "__module__", None) == module.__name__)


@pytest.mark.parametrize("key", games.known())
def test_kernel_functions_allocate_nothing_return_numbers_and_use_only_constants(key: str) -> None:
    """So they compile for a GPU: no objects, no exceptions, no strings; only numbers, and functions that obey the same law."""
    found = kernel_functions(key)
    assert len(found) > len(EXPORTS)
    complaints = [complaint for name, function in found.items() for complaint in complaints_about(name, function)]
    assert complaints == []


def complaints_about(name: str, function: FunctionType) -> Iterator[str]:
    source = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(source, ast.FunctionDef)
    for node in (each for statement in source.body for each in ast.walk(statement)):
        if isinstance(node, FORBIDDEN):
            yield f"{name}:{node.lineno} {type(node).__name__}"
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and ast.get_docstring(source, clean=False) != node.value:
            yield f"{name}:{node.lineno} a text"
    if not returns_a_number(function):
        yield f"{name} returns {function.__annotations__.get('return')}"
    for global_name, value in used(function).items():
        if not (is_constant(value) or callable(value)):
            yield f"{name} uses {global_name}, which can change"
    yield from (f"{name} calls {called}" for called in foreign_calls(source, function))


def returns_a_number(function: FunctionType) -> bool:
    """Tell whether the annotation is a number, or a NewType of one."""
    annotation = str(function.__annotations__.get("return"))
    named: Any = function.__globals__.get(annotation)
    while hasattr(named, "__supertype__"):
        named = named.__supertype__
    return annotation in NUMBERS or named is int


def is_constant(value: Any) -> bool:
    return isinstance(value, int | float) or (isinstance(value, tuple) and all(is_constant(each) for each in value))


def foreign_calls(source: ast.FunctionDef, function: FunctionType) -> Iterator[str]:
    for node in ast.walk(source):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            value: Callable[..., Any] | None = function.__globals__.get(name)
            if name not in ALLOWED and not (isinstance(value, FunctionType) or hasattr(value, "wrapped")):
                yield name
