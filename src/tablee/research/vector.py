"""Vectorised environment: thousands of games stepped at once inside the kernel: `Vector("mayflower", seats=2, games=4096)`.

One seat acts in every game; `infos["seat"]` names it, and observation and mask are those of this seat. A step takes an action for every
game; then nature draws and the bots (`opponents`) move. The next game follows a finished one at once: the last rewards come with the first
observation of the next game, the last observation comes with `final_obs`. Every step overwrites all arrays: copy those that must outlive
it. They are NumPy arrays aligned for JAX, so `torch.from_numpy` and `jax.dlpack.from_dlpack` copy nothing (JAX takes arrays for immutable:
convert again after every step).

The games of a slot depend only on its seed: the same seed and the same actions give the same games, on any number of threads.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from inspect import signature
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np

from tablee.core import fairness, jit
from tablee.core.errors import TableeError
from tablee.core.game import Game, Move, choose_options
from tablee.core.i18n import msg
from tablee.core.rng import Rng, make_rng
from tablee.core.slots import LEARNER_LEVEL, Environment, SlotProgress, Slots, views_of
from tablee.core.stepping import WAIT
from tablee.core.struct import StructArray, array_view
from tablee.core.tensors import NO_ACTION
from tablee.games import find
from tablee.research.game_stepper import levels_by_seat, reward_kind
from tablee.research.opponents import Policy, play_policies, policies_by_seat
from tablee.research.spaces import Spaces, candidate_loops_for

DEVICES = ("cpu", "cuda")
ALIGNMENT = 64  # bytes
MIN_GAMES_PER_THREAD = 256  # below this, handing games over to a thread costs more than stepping them


class Candidates(NamedTuple):
    """Legal moves of the acting seat of every game, and the features of the position after each."""

    count: Any  # (games,) of legal moves; the first `candidates` of them are listed
    moves: Any  # (games, candidates): the room's numbers, which `game.show` writes as text
    features: Any  # (games, candidates, features) of the listed moves; the rows behind them mean nothing


class Vector:
    """Vectorised environment of one game.

    game       a key, or a `Game` opened with another box
    opponents  a bot's name for each seat that does not learn: `[None, "greedy"]`, or a policy for many games at once
               (`opponents.py`); bots that the kernel does not know and policies play between steps, and not on a GPU
    reward     "win" (at the end: 1 for a sole winner, 0 if all share the win, negative for a loss) or "points" (as they are scored); by
               default "points" for one seat, "win" for several
    longest    truncate games after this many steps; 0: never
    final_obs  put the last observation of a finished or truncated game into `infos`
    candidates list at most so many legal moves for each game, with features of the position after each, in `candidates`; actions are
               then numbers of this list, and masks lie over it. 0: actions are those of the room
    device     "cpu", or "cuda" to step the games on a GPU (`cuda_vector.py`), which ignores `threads`
    """

    def __new__(cls, *_: Any, device: str = "cpu", **__: Any) -> Vector:
        if device not in DEVICES:
            raise TableeError(msg("there is no device {device!r}; there are: {known}", device=device, known=", ".join(DEVICES)))
        if device == "cpu":
            return super().__new__(cls)
        from tablee.research.cuda_vector import CudaVector  # noqa: PLC0415  needs the extra `cuda`

        return object.__new__(CudaVector)

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        games: int = 1,
        *,
        options: Mapping[str, Any] | None = None,
        opponents: Sequence[str | Policy | None] = (),
        reward: str | None = None,
        longest: int = 0,
        final_obs: bool = False,
        candidates: int = 0,
        threads: int | None = None,
        device: str = "cpu",
    ) -> None:
        if games < 1 or longest < 0 or candidates < 0 or (threads is not None and threads < 1):
            raise TableeError(msg("games and threads are at least 1, longest and candidates are at least 0"))
        self.device = device
        self._settings: dict[str, Any] = {
            "options": options,
            "opponents": opponents,
            "reward": reward,
            "longest": longest,
            "final_obs": final_obs,
            "candidates": candidates,
            "threads": threads,
            "device": device,
        }
        self._was_reset, self._rng = False, Rng()
        self.game = find(game) if isinstance(game, str) else game
        self.seats = self.game.seats[0] if seats is None else seats
        self.games = games
        self.spaces = Spaces(self.game, self.seats)
        self.start = self.game.setup(self.seats, choose_options(self.game, self.seats, options or {}))
        self._reward_kind, self._max_steps = reward_kind(self.game, self.start, reward), longest
        self.actions = candidates or self.spaces.actions
        self._listed, self.candidate_loops = candidates, candidate_loops_for(self.game.key) if candidates else None
        self.policies = policies_by_seat(opponents)
        in_kernel = [each if isinstance(each, str) and seat not in self.policies else None for seat, each in enumerate(opponents)]
        self._levels, self._final_obs = levels_by_seat(self.seats, in_kernel), final_obs
        if len(self.policies) == list(self._levels).count(LEARNER_LEVEL):
            raise TableeError(msg("at least one seat must learn"))
        self._allocate(threads)

    def _allocate(self, threads: int | None) -> None:
        """Allocate states, arrays and a workspace for each thread."""
        kernel = self.game.kernel
        arrays = self._allocate_arrays(aligned_zeros)
        self._arrays, self._slots, self._progress = arrays, views_of(arrays, kernel.state), arrays.progress
        self.states: StructArray[Any] = self._slots.states
        environment, loops = Environment(self.start, self._levels, self._reward_kind, self._max_steps), self.spaces.loops
        self._threads = max(1, min(threads or os.cpu_count() or 1, self.games // MIN_GAMES_PER_THREAD))
        self._pool = ThreadPoolExecutor(self._threads - 1) if self._threads > 1 else None
        self._workspaces = [kernel.workspace() for _ in range(self._threads)]
        self._step_batches = [jit.bind(loops.step_batch, kernel.box, environment, self._slots, each) for each in self._workspaces]
        self._first_illegal = jit.bind(loops.first_illegal, self._slots.masks, self._slots.actions)

    def _allocate_arrays(self, array: Callable[[tuple[int, ...], Any], Any]) -> Any:
        """Allocate the arrays of `Slots`, and `infos`; final observations take no memory unless requested."""
        games, seats, size, actions = self.games, self.seats, self.spaces.size, self.actions
        self._actions = array((games,), np.int64)
        acting, final_seats = array((games,), np.int64), array((games,), np.int64)
        self.observations, self.masks = array((games, size), np.int16), array((games, actions), np.int8)
        final = array((games, size * self._final_obs), np.int16), array((games, actions * self._final_obs), np.int8)
        self.rewards, self.scores = array((games, seats), np.float32), array((games, seats), np.int64)
        ends = array((games,), np.int8), array((games,), np.int8)
        self.terminated, self.truncated = (each.view(np.bool_) for each in ends)
        self.infos = {"action_mask": self.masks, "seat": acting, "scores": self.scores}
        if self._final_obs:
            self.infos |= {"final_obs": final[0], "final_info": {"action_mask": final[1], "seat": final_seats, "scores": self.scores}}
        listed, features = self._listed, self.spaces.feature_size if self._listed else 0
        candidates = array((games,), np.int64), array((games, listed), np.int32), array((games, listed * features), np.int16)
        self.candidates = Candidates(*candidates[:2], candidates[2].reshape(games, listed, features))
        if listed:
            self.infos["candidates"] = self.candidates
        states, rngs, progress = (array((games,), each.layout) for each in (self.game.kernel.state, Rng, SlotProgress))
        written = self.observations, self.masks, self.rewards, *ends, self.scores
        return Slots(states, rngs, progress, self._actions, acting, *written, final_seats, *final, *candidates)

    @property
    def fingerprint(self) -> str:
        return self.spaces.fingerprint

    def reset(self, seed: int | np.integer[Any] | Sequence[int] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start new games from a seed for each, from one seed for all, or from a random one."""
        keys = game_keys(seed, self.games)
        self._progress[:] = 0
        self._progress["key_one"], self._progress["key_two"] = zip(*keys, strict=True)
        self.masks[:], self.rewards[:], self.scores[:] = 0, 0, 0
        self._was_reset = True
        self._rng = make_rng(keys[0])
        self._actions[:] = NO_ACTION
        self._step_all()
        if self.policies:
            play_policies(self)
        return self.observations, self.infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Apply the action of the acting seat in every game."""
        self._check_was_reset()
        self._actions[:] = self._as_actions(actions)
        self._check_legal()
        self._step_all()
        if self.policies:
            play_policies(self)
        return self.observations, self.rewards, self.terminated, self.truncated, self.infos

    def _check_was_reset(self) -> None:
        if not self._was_reset:
            raise TableeError(msg("there are no games yet: reset() begins them"))

    def _as_actions(self, actions: Any) -> Any:
        """Return the actions as an integer array, one for each game."""
        given = np.asarray(actions)
        self._check_actions(given.dtype, given.shape)
        return given

    def _check_actions(self, kind: np.dtype[Any], shape: tuple[int, ...]) -> None:
        if kind.kind not in "iu" or len(shape) != 1:
            raise TableeError(msg("actions are a row of whole numbers, one for each game"))
        if shape[0] != self.games:
            raise TableeError(msg("one action is needed for each game: {games}, not {actions}", actions=shape[0], games=self.games))

    def save(self, rows: Any = slice(None)) -> Any:
        """Return copies of the arrays of these slots, as a `Slots`: the games, their luck to come, and what a step wrote about them."""
        self._check_was_reset()
        return Slots(*(_without_fields(array)[rows].copy() for array in self._to_host()))

    def load(self, rows: Any, saved: Any) -> None:
        """Put saved slots, of this batch or of one with the same settings, into the slots `rows`."""
        here = self._to_host()
        arrays = [_without_fields(array) for array in here]
        for array, copied in zip(arrays, saved, strict=True):
            if array[rows].shape != copied.shape or array.dtype != copied.dtype:
                raise TableeError(msg("what was saved does not fit: other settings, or another number of games"))
        for array, copied in zip(arrays, saved, strict=True):
            array[rows] = copied
        self._from_host(here)
        self._was_reset = True

    def fork(self, row: int, games: int, seed: int | None = None) -> Vector:
        """Return a new batch in which every game continues game `row`.

        Without a seed all have the luck that this game will have. With a seed each has luck of its own, and what the acting seat does not
        know is sampled, so that a search learns no secret.
        """
        found = Vector(self.game, self.seats, games, **self._settings)
        saved = self.save(np.full(games, row))
        if seed is not None:
            self._resample(saved, int(saved.seats[0]), seed)
        found._rng = make_rng(game_keys(seed, 1)[0])
        found.load(slice(None), saved)
        return found

    def _resample(self, saved: Any, seat: int, seed: int) -> None:
        """Give each saved game luck of its own, and a state that the acting seat thinks possible."""
        kernel, rngs, progress = self.game.kernel, saved.rngs.view(Rng.layout)[:, 0], saved.progress.view(SlotProgress.layout)[:, 0]
        seen = kernel.redact(kernel.state(array_view(saved.states[0])), seat)
        for number, key in enumerate(game_keys(seed, len(rngs))):
            rngs[number]["key_one"], rngs[number]["key_two"] = progress[number]["key_one"], progress[number]["key_two"] = key
            if kernel.secrets:
                saved.states[number] = kernel.determinize(seen, seat, make_rng(key)).words

    def _to_host(self) -> Any:
        """Return the arrays of the slots as NumPy arrays."""
        return self._arrays

    def _from_host(self, arrays: Any) -> None:
        """Write the arrays that `_to_host` returned back; on a CPU they are the slots' own."""

    def __reduce__(self) -> tuple[Any, ...]:
        saved = (self.save(), self._rng) if self._was_reset else None
        return _with_settings, (self.game, self.seats, self.games, self._settings), saved

    def __setstate__(self, saved: tuple[Any, Rng]) -> None:
        self.load(slice(None), saved[0])
        self._rng = saved[1]

    def sample(self) -> Any:
        """Return a random legal action for every game, determined by the seed."""
        self._check_was_reset()
        self.spaces.loops.sample_batch(self._slots.masks, self._rng, self._slots.actions, 0, self.games)
        return self._actions

    def _check_legal(self) -> None:
        """Raise for the first illegal action, before any game is stepped."""
        number = int(self._first_illegal())
        if number != NO_ACTION:
            raise TableeError(msg("action {action} is not legal in game {number}", action=int(self._actions[number]), number=number))

    def progress_of(self, row: int) -> SlotProgress:
        """Return the progress of a game."""
        return self._slots.progress[row]

    def action_for(self, row: int, move: Move) -> int:
        """Return the next action towards a legal move of the acting seat in a game."""
        if self._listed:
            return int(np.flatnonzero(self.candidates.moves[row, : self.candidates.count[row]] == move)[0])
        progress = self.progress_of(row)
        return int(self.spaces.loops.action_of(self.game.kernel.box, self.states[row], progress.half, progress.acting_seat, move))

    def step_some(self, rows: Any, actions: Any) -> None:
        """Step these games only, and leave the others as they are."""
        self._actions[:] = WAIT
        self._actions[rows] = actions
        number = next((row for row, action in zip(rows, actions, strict=True) if not self.spaces.allows(self.masks[row], action)), None)
        if number is not None:
            raise TableeError(msg("action {action} is not legal in game {number}", action=int(self._actions[number]), number=int(number)))
        self._step_all()

    def _step_all(self) -> None:
        """Step a slice of the games on each thread, the first on this one."""
        bounds = [self.games * part // self._threads for part in range(self._threads + 1)]
        waiting = (
            [self._pool.submit(self._step_slice, part, *bounds[part : part + 2]) for part in range(1, self._threads)] if self._pool else []
        )
        self._step_slice(0, *bounds[:2])
        for each in waiting:
            each.result()

    def _step_slice(self, part: int, first: int, last: int) -> None:
        kernel, workspace = self.game.kernel, self._workspaces[part]
        self._step_batches[part](first, last)
        if self.candidate_loops:
            self.candidate_loops.describe_batch(kernel.box, self._slots, self.spaces.feature_size, workspace, first, last)
        kernel.check(workspace)


def _without_fields(array: Any) -> Any:
    """Return an array of structs as rows of words, with what lies between narrow fields, and any other array as it is."""
    return array.view(np.int64).reshape(len(array), -1) if array.dtype.names else array


def _with_settings(game: Game, seats: int, games: int, settings: dict[str, Any]) -> Vector:
    return Vector(game, seats, games, **settings)


# Without this, help() would show the arguments of `__new__`.
Vector.__signature__ = signature(partial(Vector.__init__, cast("Vector", None)))  # type: ignore[attr-defined]


def game_keys(seed: int | np.integer[Any] | Sequence[int] | None, games: int) -> list[tuple[int, int]]:
    """Return the RNG key of every slot, from a seed for each, from one seed for all, or from a random one."""
    seed = secrets.randbits(63) if seed is None else seed
    if isinstance(seed, int | np.integer):
        seeds = [fairness.seed_for(int(seed), number) for number in range(games)]
    elif len(seed) != games:
        raise TableeError(msg("one seed is needed for each game: {games}, not {seeds}", seeds=len(seed), games=games))
    else:
        seeds = [fairness.seed_for(int(each), 0) for each in seed]
    return [fairness.bot_key(each) for each in seeds]


def aligned_zeros(shape: tuple[int, ...], kind: Any) -> Any:
    """Return an array of zeros with JAX's alignment; JAX copies any other."""
    buffer = np.zeros(prod(shape) * np.dtype(kind).itemsize + ALIGNMENT, np.uint8)
    begin = -buffer.ctypes.data % ALIGNMENT
    return buffer[begin : begin + len(buffer) - ALIGNMENT].view(kind).reshape(shape)
