"""Deferred code generation: Numba lowers a rule that other rules call to LLVM IR and stops there.

The entry point above links that IR, optimises it as a whole and generates machine code once; by default Numba would do so for each rule.
Without this file a cold compile takes 1.2, 1.5 and 2.6 times the CPU seconds in our three rooms. It uses internals of Numba;
where a version of Numba has others, rooms play as Python and say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import _dynfunc
from numba.core import codegen
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

if TYPE_CHECKING:
    from numba.core.compiler import StateDict
    from numba.core.compiler_machinery import PassManager


class DeferredLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """Code library that stays LLVM IR: an entry point links, optimises and compiles it."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class DeferredLowering(NativeLowering):  # type: ignore[misc]
    """Lowering pass that emits LLVM IR into a DeferredLibrary, without machine code."""

    _name = "deferred_lowering"

    def run_pass(self, state: StateDict) -> bool:
        state.library = library = DeferredLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        entry = _dynfunc.make_function(lowered.fndesc.lookup_module(), lowered.fndesc.qualname, "", 0, lowered.env, (library,))
        state.targetctx.insert_user_function(entry, lowered.fndesc, [library])
        state["cr"] = _LowerResult(lowered.fndesc, lowered.call_helper, cfunc=entry, env=lowered.env)
        return True


class DeferredCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's nopython pipeline with deferred lowering."""

    def define_pipelines(self) -> list[PassManager]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(DeferredLowering if each is NativeLowering else each, description) for each, description in passes.passes]
        passes.finalize()
        return [passes]
