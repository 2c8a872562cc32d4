"""The laws of the rules of every game."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from tablee import bots, games
from tablee.bots.search import Search
from tablee.checks.plugin import CheckedTable, counts_pieces
from tablee.checks.rounds import MANY, rounds
from tablee.core import fairness, record
from tablee.core.game import NATURE, Move, Seat
from tablee.core.jit import using_python
from tablee.core.match import Match
from tablee.core.rng import make_rng
from tablee.core.struct import array_view

SEARCHES = [
    Search(nodes=1, candidates=3, rollout_lines=4),
    *(replace(level, nodes=1, ms=0, rollout_lines=4) for level in bots.SEARCH_BOTS.values()),
]
UNWRITTEN = -(1 << 40)  # neither a move nor a weight
GAMES = rounds(few=3, many=12) if os.environ.get("TABLEE_PLAIN") != "1" else 1


def random_match(table: CheckedTable, number: int) -> Match:
    match = Match(games.find(table.key), table.seats, table.options, fairness.seed_for(7, number))
    return bots.play_out(match, [bots.RANDOM] * table.seats)


def test_random_play_ends_in_an_outcome_and_replays_to_the_same_bytes(table: CheckedTable) -> None:
    game = games.find(table.key)
    match = random_match(table, 0)
    outcome = match.outcome
    assert outcome is not None
    assert len(outcome.scores) == table.seats
    assert outcome.winners or outcome.won is False
    again = Match.replay(game, table.seats, dict(match.options), match.lines())
    assert again.state.tobytes() == match.state.tobytes()
    verdict = record.verify(games.find, record.dump(record.write(match)))
    assert verdict.draws == sum(line.seat == NATURE for line in match.log)


def test_every_move_of_random_games_keeps_the_laws(key: str) -> None:
    game = games.find(key)
    for number in range(GAMES):
        seats = game.seats[number % len(game.seats)]
        match = Match(game, seats, {}, fairness.seed_for(11, number))
        rng = random.Random(number)
        match.play_nature()
        earlier = [(match.state, match.state.tobytes())]
        while match.to_act:
            check_position(match, rng)
            seat = rng.choice(match.to_act)
            match.play(seat, rng.choice(match.legal(seat)))
            match.play_nature()
            earlier.append((match.state, match.state.tobytes()))
        assert all(state.tobytes() == was for state, was in earlier), "an earlier state changed"
        check_end(match)


def check_end(match: Match) -> None:
    """Check that the values of a finished game equal its outcome."""
    check_bystanders(match)
    outcome = match.outcome
    assert outcome is not None
    for seat, points in enumerate(outcome.scores):
        won = 1 / len(outcome.winners) if seat in outcome.winners else 0
        value = match.game.value(match.state, Seat(seat))
        assert value.share == pytest.approx(won)
        assert value.points == points


def check_position(match: Match, rng: random.Random) -> None:
    game, state = match.game, match.state
    frozen = state.tobytes()
    for seat in match.to_act:
        legal = match.legal(seat)
        assert legal, "a seat that is awaited has something to do"
        assert len(set(legal)) == len(legal)
        assert legal == match.legal(seat), "legal order is stable"
        assert [game.read(game.show(move)) for move in legal] == legal, "notation round-trips"
        check_hidden_information(match, seat, legal, rng)
    check_bystanders(match)
    assert all(0 <= game.value(state, Seat(seat)).share <= 1 for seat in range(match.seats))
    assert len(game.scores(state)) == match.seats
    if len(match.to_act) > 1:
        check_commutes(match, rng)
    assert state.tobytes() == frozen, "looking changes nothing"


def check_hidden_information(match: Match, seat: Seat, legal: list[Move], rng: random.Random) -> None:
    """Check that hidden information changes neither a seat's observation, nor its view, its moves, the scores or its bot's choice."""
    game = match.game
    seen = game.observe(match.state, seat)
    determinized = game.determinize(seen, make_rng((rng.getrandbits(32), rng.getrandbits(32))))
    assert game.observe(determinized, seat) == seen
    assert json.dumps(game.view(game.observe(determinized, seat))) == json.dumps(game.view(seen)), "a view is plain JSON"
    assert game.legal(determinized, seat) == legal
    assert game.scores(determinized) == game.scores(match.state), "everybody sees all scores: what is hidden counts at the end"
    if determinized.tobytes() == match.state.tobytes():
        return  # nothing is hidden here, so the bots see the same state
    for level in bots.KERNEL_LEVELS.values():
        choice = {game.kernel.choose(state, seat, level.number, make_rng((5, 6))) for state in (match.state, determinized, seen.state)}
        assert len(choice) == 1, f"{level.name} has looked"
    for search in SEARCHES if MANY else [rng.choice(SEARCHES)]:
        assert len({search(game, game.observe(state, seat), make_rng((5, 6))) for state in (match.state, determinized)}) == 1, (
            "the search has looked"
        )


def check_bystanders(match: Match) -> None:
    """Check that without secrets a seat that is not to act sees what a spectator sees: the server shares one view."""
    game = match.game
    seats = [Seat(seat) for seat in range(match.seats) if seat not in match.to_act and not game.secrets]
    assert len({json.dumps(game.view(game.observe(match.state, seat))) for seat in (None, *seats)}) == 1


def check_commutes(match: Match, rng: random.Random) -> None:
    one, other = rng.sample(match.to_act, 2)
    first, second = rng.choice(match.legal(one)), rng.choice(match.legal(other))
    here, there = match.branch(), match.branch()
    here.play(one, first)
    here.play(other, second)
    there.play(other, second)
    there.play(one, first)
    assert here.state.tobytes() == there.state.tobytes(), "seats acting together commute"


def test_one_seed_gives_one_record_whatever_the_hash_seed(key: str) -> None:
    program = (
        "import sys; from tablee import bots, games; from tablee.core import fairness, record; from tablee.core.match import Match\n"
        "game = games.find(sys.argv[1])\n"
        "seats = game.seats[min(1, len(game.seats) - 1)]\n"
        "match = bots.play_out(Match(game, seats, {}, fairness.seed_for(1, 2)), [bots.GREEDY, bots.RANDOM] * seats)\n"
        "print(record.dump(record.write(match)))"
    )
    command = [sys.executable, "-c", program, key]
    printed = {
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


@pytest.mark.only(where=counts_pieces)
def test_pieces_are_conserved(table: CheckedTable) -> None:
    """What `Game.conserved` counts stays the same in every position, and when hidden information is sampled."""
    game = games.find(table.key)
    assert game.conserved
    match, rng = random_match(table, 4), make_rng((3, 3))
    state = game.setup(table.seats, match.options)
    whole = game.conserved(state)
    for line in match.log:
        state = game.kernel.apply(state, line.seat, line.move)
        assert game.conserved(state) == whole, f"after {game.show(line.move)}"
        for seat in range(table.seats) if game.secrets else ():
            assert game.conserved(game.determinize(game.observe(state, Seat(seat)), rng)) == whole, "determinized"


def test_no_list_is_longer_than_most_moves(table: CheckedTable) -> None:
    """Measured in plain Python, with a buffer long enough for any list."""
    game, exports = games.find(table.key), import_module(f"{games.package(table.key)}.kernel")
    legal, odds = game.kernel.rules.legal, game.kernel.rules.odds
    match, longest = random_match(table, 3), 0
    state, out, weights = game.setup(table.seats, match.options), np.full(1 << 16, UNWRITTEN), np.full(1 << 16, UNWRITTEN)
    with using_python(game.kernel.package):
        for line in match.log:
            if line.seat == NATURE:
                odds(game.kernel.box, state, array_view(out), array_view(weights))
            for seat in game.to_act(state) if line.seat != NATURE else ():
                legal(game.kernel.box, state, seat, array_view(out))
            state = game.kernel.apply(state, line.seat, line.move)
            longest = max(longest, *(int(np.count_nonzero(each != UNWRITTEN)) for each in (out, weights)))
    assert 0 < longest <= exports.MOST_MOVES


def test_a_game_has_the_files_that_it_needs(key: str) -> None:
    folder = games.find(key).folder
    for name in ("RULES.md", "components.toml", "templates/table.html", "tests/golden.json"):
        assert (folder / name).exists(), f"{key} lacks {name}"
    record.verify(games.find, (folder / "tests/golden.json").read_text(encoding="utf-8"))
