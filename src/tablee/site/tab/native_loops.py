"""A room's loops as WebAssembly, in place of their Python: `site/kernels.py` compiles them, and says how arguments lie in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate
from struct import pack
from typing import Any

from tablee.core.game import Game
from tablee.core.prepared import PREPARED_FOLDER
from tablee.core.struct import WORD, WORD_BYTES, Struct, StructArray

LOOPS = ("choose", "generate_turns", "play_to_end", "rollout")
FOLDER = "loops"  # of the prepared files

Call = Callable[[str, bytearray], int]  # calls a loop by its name, with the memory that its arguments fill
Load = Callable[[bytes], Call]  # loads a module; given by the browser


class NativeLoops:
    """Loops of rooms; `address` is where the memory of a call lies for the module."""

    def __init__(self, load: Load, address: int) -> None:
        self._load, self._address, self._rooms = load, address, set[str]()

    def use(self, game: Game[Any]) -> None:
        """Let a game's bots run as WebAssembly, if the build has compiled its loops."""
        file = PREPARED_FOLDER / FOLDER / f"{game.key}.wasm"
        if game.key in self._rooms or not file.exists():
            return
        self._rooms.add(game.key)
        call = self._load(file.read_bytes())
        for name in LOOPS:
            setattr(game.kernel.loops, name, NativeLoop(name, call, self._address))


class NativeLoop:
    uses_python = False

    def __init__(self, name: str, call: Call, address: int) -> None:
        self._name, self._call, self._address = name, call, address

    def __call__(self, *args: object) -> int:
        words = list(_words(args))
        memories = [word for word in words if isinstance(word, memoryview)]
        starts = list(accumulate((memory.nbytes for memory in memories), initial=WORD_BYTES * len(words)))
        addresses = (self._address + start for start in starts)
        numbers = [next(addresses) if isinstance(word, memoryview) else word for word in words]
        block = bytearray(b"".join((pack(f"<{len(numbers)}q", *numbers), *memories)))
        result = self._call(self._name, block)
        for memory, start in zip(memories, starts, strict=False):
            memory[:] = memoryview(block)[start : start + memory.nbytes].cast(WORD)
        return result


def _words(argument: Any) -> Iterator[int | memoryview]:
    """Yield the words of an argument; a memory stands for its address."""
    if isinstance(argument, int):
        yield argument
    elif isinstance(argument, tuple):
        for each in argument:
            yield from _words(each)
    else:
        memory: Any = argument.words if isinstance(argument, Struct | StructArray) else argument
        yield memory
        if not isinstance(argument, Struct):
            yield len(argument)
