"""A room whose MOST_MOVES is too small is refused in one sentence, wherever its rules are called from.

Machine code checks no bounds, so lists have a guard word and spare space behind them (`core/kernel.py`).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

import pytest

from tablee import games
from tablee.bots.search import Search
from tablee.core import fairness
from tablee.core.batch import Batch
from tablee.core.errors import RulesError
from tablee.core.game import Game, Seat
from tablee.core.loops import GREEDY, RANDOM
from tablee.core.match import Match
from tablee.core.rng import make_rng
from tablee.research.game_stepper import GameStepper
from tablee.research.vector import Vector
from tests.plugin_game import KERNEL, PluginGame
from tests.rounds import rounds

ALWAYS = KERNEL.replace("count = min(MOST, sticks_left(state))", "count = 45")
RARELY = KERNEL.replace("count = min(MOST,", "count = min(4 if state.left == 6 and state.turn == 1 else MOST,")
LATER = KERNEL.replace("count = min(MOST,", "count = min(4 if state.left < 7 else MOST,")
LONGER = r"^tablee.games.\w+: (legal|odds) writes a list longer than MOST_MOVES, which is 2 \(.*\.py, line \d+\)$"
SENTENCE = "sticks: legal writes a list longer than MOST_MOVES, which is 2 ({file}, line 25)"


def cramped(key: str) -> Game:
    """Return one of our games with MOST_MOVES reduced to two."""
    game = games.find(key)
    kernel = copy(game.kernel)
    kernel.most_moves = 2
    return replace(game, kernel=kernel)


def position_with_choice(game: Game) -> tuple[Any, Seat]:
    """Return a position, and a seat that has a choice of at least four moves there."""
    match = Match(games.find(game.key), game.seats[0], {}, fairness.seed_for(1, 1))
    match.play_nature()
    while len(match.legal(match.to_act[0])) < 4:
        match.play(match.to_act[0], match.legal(match.to_act[0])[0])
        match.play_nature()
    return match.state, match.to_act[0]


def batch(game: Game, level: int) -> None:
    Batch(game, game.setup(2, Match(game, 2, {}, b"").options), [fairness.seed_for(1, 1)]).play([level] * 2)


def a_mask(game: Game) -> None:
    state, seat = position_with_choice(game)
    GameStepper(game, game.seats[0]).spaces.mask(state, seat)


def searched(game: Game) -> None:
    state, seat = position_with_choice(game)
    Search(nodes=1)(game, game.observe(state, seat), make_rng((1, 2)))


@pytest.mark.parametrize("key", ["mayflower", "rolling-village", "amerique-1500"])
@pytest.mark.parametrize(
    "use",
    [
        pytest.param(lambda game: game.legal(*position_with_choice(game)), id="the table"),
        pytest.param(lambda game: game.kernel.choose(*position_with_choice(game), GREEDY, make_rng((1, 2))), id="a bot"),
        pytest.param(searched, id="a search"),
        pytest.param(lambda game: batch(game, RANDOM), id="a batch of random games"),
        pytest.param(lambda game: batch(game, GREEDY), id="a batch of greedy games"),
        pytest.param(lambda game: game.kernel.playouts(game.setup(2, Match(game, 2, {}, b"").options), [RANDOM] * 2, 1), id="playouts"),
        pytest.param(lambda game: Vector(game, 2, games=3).reset(1), id="a vector"),
        pytest.param(lambda game: GameStepper(game, 2).reset(1), id="an environment"),
        pytest.param(a_mask, id="a mask"),
    ],
)
def test_every_way_into_the_rules_says_which_rule_writes_too_much(key: str, use: Callable[[Game], Any]) -> None:
    with pytest.raises(RulesError, match=LONGER):
        use(cramped(key))


def test_outcomes_of_nature_are_counted_too() -> None:
    game = cramped("dice-race")
    with pytest.raises(RulesError, match="dice_race: odds writes"):
        game.odds(game.setup(2, {}))


def with_rules(plugin_game: PluginGame, kernel: str) -> str:
    """Write these rules into the plugin game and return the expected sentence."""
    file = plugin_game.room / "kernel.py"
    file.write_text(kernel)
    return SENTENCE.format(file=file)


def run(plugin_game: PluginGame, program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    environment = {**plugin_game.environment, "LC_ALL": "C", **environment}
    return subprocess.run(plugin_game.command(program), env=environment, capture_output=True, text=True, check=False)


@pytest.mark.timeout(900)  # it compiles twice, on a machine that may be busy
@pytest.mark.parametrize("kernel", rounds(few=[LATER], many=[ALWAYS, LATER, RARELY]))
def test_warm_and_simulate_end_with_the_sentence(plugin_game: PluginGame, kernel: str) -> None:
    sentence = with_rules(plugin_game, kernel)
    if kernel != RARELY:  # the little that `warm` plays need not come upon it
        completed = run(
            plugin_game,
            "from tablee import games; from tablee.cli import main; games.rooms = lambda: {'sticks': 'sticks'}; print(main(['warm']))",
        )
        assert (completed.stdout, completed.stderr.splitlines()[-1]) == ("1\n", f"sticks: the rules could not be compiled: {sentence}")
    completed = run(
        plugin_game, "import sys; from tablee.cli import main; sys.exit(main('simulate sticks --bots random --games 99'.split()))"
    )
    assert (completed.returncode, completed.stderr.splitlines()[-1]) == (2, f"tablee: {sentence}")


SERVER = """
from pathlib import Path
from starlette.testclient import TestClient
from tablee.server.app import make_app
from tablee.server.storage.store import Store
from tablee.server.table.config import TableConfig
from tablee.server.registry import TableRegistry
store = Store.in_folder(Path({folder!r}))
with TestClient(make_app(TableRegistry(store, config=TableConfig(bot_pace=0)))) as client:
    seats = [{{"kind": "human"}}, {{"kind": "bot", "level": "random"}}]
    made = client.post("/api/tables", json={{"game": "sticks", "seats": seats}}).json()
    own = {{"Authorization": "Bearer " + made["seats"][0]["token"]}}
    print(client.get("/api/tables/" + made["table"], headers=own).text)
store.close()
"""


def test_the_server_says_the_sentence_and_stays(plugin_game: PluginGame) -> None:
    sentence = with_rules(plugin_game, ALWAYS)
    completed = run(plugin_game, SERVER.format(folder=str(plugin_game.folder / "data")), TABLEE_PLAIN="1")
    assert json.loads(completed.stdout)["error"] == sentence, completed.stderr


ON_A_GPU = """
from tablee.core.errors import RulesError
from tablee.arena import Plan
from tablee.cuda.games import play_all
from tablee.research.vector import Vector
from tests.test_long_lists import cramped
game = cramped("dice-race")
plan = Plan.of(game, 2, ["random"] * 2, {}, 1)
plan.__dict__["opened"] = game
vector = Vector(game, 2, games=2, device="cuda")
vector.reset(1)
for use in (lambda: list(play_all(plan, 2)), lambda: vector.step(vector.sample())):
    try:
        use()
    except RulesError as error:
        print(error)
"""


def test_a_gpu_says_the_sentence() -> None:
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "PYTHONWARNINGS": "ignore::RuntimeWarning"}
    lines = subprocess.run(
        [sys.executable, "-c", ON_A_GPU], env=environment, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert len(lines) == 2
    beginning = "tablee.games.examples.dice_race: odds writes a list longer than MOST_MOVES, which is 2 ("
    assert all(line.startswith(beginning) for line in lines)
