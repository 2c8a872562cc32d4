"""A room's loops as a WebAssembly module, from the same Python as its machine code: Numba writes LLVM IR, LLVM emits WebAssembly.

    NUMBA_OPT=0 python -m tablee.site.compiled_loops FOLDER GAME...

A function of the module takes one argument: the address of its arguments, one word after another. An integer is its word, a struct its
address, an array of integers or structs its address and length, a named tuple its items. NUMBA_OPT=0 keeps Numba from optimising for this
machine; LLVM optimises for WebAssembly. `tab/native_loops.py` calls the functions.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

from tablee import games
from tablee.core import cache
from tablee.core.compiler import OPTIONS
from tablee.core.intrinsics import native_type
from tablee.core.jit import unwrap
from tablee.core.kernel import Kernel
from tablee.core.rng import Rng
from tablee.core.struct import StructArray, to_native
from tablee.core.workspace import CandidateTurn, Progress
from tablee.site import wasm_object
from tablee.site.tab import native_loops

if TYPE_CHECKING:
    from numba.core.base import BaseContext
    from numba.core.typing import BaseContext as TypingContext
    from numba.core.typing.templates import Signature

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext"
TARGET_LINES = re.compile(r"^target (triple|datalayout) = .*\n", re.MULTILINE)
WORD, INDEX = ir.IntType(64), ir.IntType(32)


def main(folder: str, *keys: str) -> None:
    for key in keys:
        (Path(folder) / f"{key}.wasm").write_bytes(_module(key))


def _module(key: str) -> bytes:
    """Return the module of a game, from the cache of its machine code if it is there; of several processes one compiles it."""
    folder = cache.folder_of(games.package(key))
    if folder is None:
        return compile_loops(games.find(key).kernel)
    own = hashlib.sha256(b"".join(Path(module).read_bytes() for module in (__file__, wasm_object.__file__, native_loops.__file__)))
    file = folder / f"loops-{own.hexdigest()[:16]}.wasm"
    cache.use(folder)
    with cache.exclusive(folder):
        module = cache.read(file)
        if module is None:
            module = compile_loops(games.find(key).kernel)
            cache.write(file, module)
    return module


def arguments(kernel: Kernel[Any, Any]) -> Mapping[str, Sequence[object]]:
    """Return arguments of each loop that a tab calls; only their types matter."""
    state, workspace, rng, beam = kernel.state(), kernel.workspace(), Rng(), kernel.beam(1)
    levels = kernel.level_array([0])
    candidates, rollouts = StructArray(CandidateTurn, 1), kernel.rollouts([0], 0, (0, 0), beam)
    return {
        "choose": (kernel.box, state, 0, 0, workspace, rng),
        "generate_turns": (kernel.box, state, 0, workspace, rng, beam),
        "play_to_end": (kernel.box, state, levels, workspace, rng, Progress(), levels, levels),
        "rollout": (kernel.box, state, 0, workspace, rollouts, candidates, 0, 0),
    }


def compile_loops(kernel: Kernel[Any, Any]) -> bytes:
    """Return the WebAssembly module of a room's loops."""
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)
    module, symbols = binding.parse_assembly(""), dict[str, str]()
    for name, args in arguments(kernel).items():
        kinds = [native_type(numba.typeof(to_native(each))) for each in args]
        text, symbols[name] = _llvm_ir(getattr(kernel.loops, name), kinds)
        header = f'target triple = "{TRIPLE}"\ntarget datalayout = "{machine.target_data}"\n'
        module.link_in(binding.parse_assembly(header + TARGET_LINES.sub("", text)))
    for each in (*module.functions, *module.global_variables):
        if not each.is_declaration and each.name not in symbols.values():
            each.linkage = "internal"
    passes = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(module, passes)
    return wasm_object.to_module(machine.emit_object(module), symbols)


def _llvm_ir(rule: Any, kinds: Sequence[types.Type]) -> tuple[str, str]:
    """Return the LLVM IR of a rule that reads arguments of these types, with everything that it calls; and the function's symbol."""
    arguments_at = _reader(kinds)

    def call(address: int) -> int:
        return rule(*arguments_at(address))  # type: ignore[no-any-return]

    result = types.void if unwrap(rule).__annotations__["return"] == "None" else types.int64
    made = numba.cfunc(result(types.int32), error_model=OPTIONS["error_model"])(call)
    return made.inspect_llvm(), made.native_name


def _reader(kinds: Sequence[types.Type]) -> Any:
    """Return an intrinsic that reads arguments of these types at an address."""
    result = types.containers.BaseTuple.from_types(tuple(kinds))

    @intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
    def arguments_at(typing: TypingContext, address: types.Type) -> tuple[Signature, Any]:
        def generate(context: BaseContext, builder: ir.IRBuilder, signature: Signature, args: Sequence[ir.Value]) -> ir.Value:
            words = _words(builder, builder.inttoptr(args[0], WORD.as_pointer()))
            return impl_ret_borrowed(context, builder, result, _read(context, builder, result, words))

        return result(types.int32), generate

    return arguments_at


def _words(builder: ir.IRBuilder, first: ir.Value) -> Iterator[ir.Value]:
    """Yield the words at an address, one after another."""
    place = 0
    while True:
        yield builder.load(builder.gep(first, [ir.Constant(INDEX, place)]))
        place += 1


def _read(context: BaseContext, builder: ir.IRBuilder, kind: types.Type, words: Iterator[ir.Value]) -> ir.Value:
    """Return the value of a type that the next words hold."""
    if isinstance(kind, types.containers.BaseTuple):
        return context.make_tuple(builder, kind, [_read(context, builder, each, words) for each in kind.types])
    if isinstance(kind, types.Record):
        return builder.inttoptr(next(words), context.get_value_type(kind))
    if isinstance(kind, types.Array):
        return _read_array(context, builder, kind, words)
    return next(words)


def _read_array(context: BaseContext, builder: ir.IRBuilder, kind: types.Array, words: Iterator[ir.Value]) -> ir.Value:
    array, item = context.make_array(kind)(context, builder), context.get_data_type(kind.dtype)
    array.data, length = builder.inttoptr(next(words), item.as_pointer()), next(words)
    array.itemsize = ir.Constant(WORD, context.get_abi_sizeof(item))
    array.nitems, array.shape = length, cgutils.pack_array(builder, [length])
    array.strides = cgutils.pack_array(builder, [array.itemsize])
    for owner in ("meminfo", "parent"):
        setattr(array, owner, cgutils.get_null_value(getattr(array, owner).type))
    return array._getvalue()


if __name__ == "__main__":
    main(*sys.argv[1:])
