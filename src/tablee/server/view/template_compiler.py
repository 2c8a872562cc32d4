"""Jinja code generator without generality that our templates never use: direct calls, macros as functions, dictionaries first.

Its pages equal those of Jinja's own generator (tests/server/test_template_compiler.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef, find_undeclared
from jinja2.runtime import markup_join
from markupsafe import Markup, escape

CACHE_SIZE = 1 << 12  # texts, and results of each macro
MAX_CACHED_LENGTH = 100  # characters of a text worth caching: a name, a place, a sentence

RUNTIME_HELPERS = ("to_text", "join_text", "memoized")
LANGUAGE_CONSTANTS = {"_", "range", "loop"}  # names with the same value in every page of one language


def to_text(value: Any) -> str:
    """Return a value as escaped HTML."""
    kind = type(value)
    if kind is Markup:
        return str(value)
    if kind is str and len(value) < MAX_CACHED_LENGTH:
        return _escaped(value)
    return str(value) if kind is int else str(escape(value))


@lru_cache(CACHE_SIZE)
def _escaped(value: str) -> str:
    return str(escape(value))


def join_text(*pieces: Any) -> str:
    """Concatenate values, as in `"seat-" ~ seat`."""
    return markup_join(pieces) if Markup in map(type, pieces) else "".join(map(str, pieces))


def memoized(cache: dict[str, Callable[..., str]], name: str, macro: Callable[..., str]) -> Callable[..., str]:
    """Return a pure macro with a cache of its results, which lives as long as the compiled page."""
    if name not in cache:
        cached = lru_cache(CACHE_SIZE, typed=True)(macro)

        def call(*given: Any) -> str:
            try:
                return cached(*given)
            except TypeError:  # an argument is not hashable
                return macro(*given)

        cache[name] = call
    return cache[name]


class FastCodeGenerator(CodeGenerator):
    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:
        self._macros: dict[str, nodes.Macro] = {}
        for each in node.find_all(nodes.Macro):
            if self._macros.setdefault(each.name, each) is not each:
                self.fail(f"there are two macros called {each.name} on one page", each.lineno)
        self._in_call_block: list[bool] = []  # for each function being written, whether it is the body of a call block
        self._output_node: nodes.Node | None = None  # expression that is written to the page
        self.writeline(f"from {__name__} import {', '.join(RUNTIME_HELPERS)}")
        self.writeline("macro_cache = {}")
        super().visit_Template(node, frame)

    def visit_Macro(self, node: nodes.Macro, frame: Frame) -> None:
        """Write a macro as a function that returns plain text, memoised if it is pure."""
        self.macro_body(node, frame)
        function = f"memoized(macro_cache, {node.name!r}, macro)" if frame.toplevel and self._is_pure(node) else "macro"
        self.writeline(f"{frame.symbols.ref(node.name)} = {function}")

    def _is_pure(self, macro: nodes.Macro) -> bool:
        """Return whether a macro depends on scalar arguments only; compound data takes longer to hash than to render."""
        given, named = {each.name for each in macro.args}, list(macro.find_all(nodes.Name))
        looked_into: list[nodes.Getattr | nodes.Getitem] = [*macro.find_all(nodes.Getattr), *macro.find_all(nodes.Getitem)]
        if any(isinstance(each.node, nodes.Name) and each.node.name in given for each in looked_into):
            return False
        outside = {each.name for each in named} - {each.name for each in named if each.ctx != "load"} - given - LANGUAGE_CONSTANTS
        return all(name in self._macros and self._is_pure(self._macros[name]) for name in outside)

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Frame) -> None:
        """Write the body of a call block as a function that returns markup, and pass it to the callee as `caller`."""
        self.macro_body(node, frame)
        self.writeline("caller = macro")
        self.start_write(frame, node)
        self.visit_Call(node.call, frame, forward_caller=True)
        self.end_write(frame)

    def macro_body(self, node: nodes.Macro | nodes.CallBlock, frame: Frame) -> tuple[Frame, MacroRef]:
        self._in_call_block.append(isinstance(node, nodes.CallBlock))
        written = super().macro_body(node, frame)
        self._in_call_block.pop()
        return written

    def return_buffer_contents(self, frame: Frame, force_unescaped: bool = False) -> None:
        super().return_buffer_contents(frame, force_unescaped and not self._in_call_block[-1])

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        macro = self._macro(node)
        if macro is None:
            self.visit(node.node, frame)
            self._arguments([*node.args, *node.kwargs, *(["caller=caller"] if forward_caller else [])], frame)
        elif node is self._output_node:
            self._call(macro, node, frame, forward_caller)
        else:
            self.write("Markup(")
            self._call(macro, node, frame, forward_caller)
            self.write(")")

    def _call(self, macro: nodes.Macro, node: nodes.Call, frame: Frame, forward_caller: bool) -> None:
        """Write a call of a macro with positional arguments; those not given are `missing`."""
        names = [each.name for each in macro.args]
        given = {**dict(zip(names, node.args, strict=False)), **{each.key: each.value for each in node.kwargs}}
        if len(node.args) > len(names) or not given.keys() <= set(names):
            self.fail(f"macro {macro.name} takes no more than {', '.join(names)}", node.lineno)
        inside = ["caller" if forward_caller else "missing"] if find_undeclared(macro.body, ("caller",)) else []
        self.write(frame.symbols.ref(macro.name))
        self._arguments([*(given.get(name, "missing") for name in names), *inside], frame)

    def _arguments(self, given: Sequence[nodes.Node | str], frame: Frame) -> None:
        self.write("(")
        for each in given:
            self.write(each) if isinstance(each, str) else self.visit(each, frame)
            self.write(", ")
        self.write(")")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        self.write(f"(it[{node.attr!r}] if (it := ")
        self.visit(node.node, frame)
        self.write(f").__class__ is dict and {node.attr!r} in it else environment.getattr(it, {node.attr!r}))")

    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:
        self.visit(node.node, frame)
        self.write("[")
        self.visit(node.arg, frame)
        self.write("]")

    def visit_Test(self, node: nodes.Test, frame: Frame) -> None:
        if node.name == "none":
            self.write("(")
            self.visit(node.node, frame)
            self.write(" is None)")
        elif node.name == "defined" and isinstance(node.node, nodes.Name):
            ref = frame.symbols.ref(node.node.name)
            self.write(f"({ref} is not missing and not isinstance({ref}, Undefined))")
        else:
            super().visit_Test(node, frame)

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        self.write("join_text")
        self._arguments(node.nodes, frame)

    def _output_child_pre(self, node: nodes.Expr, _: Frame, __: CodeGenerator._FinalizeInfo) -> None:
        self._output_node = node
        self.write("(" if self._macro(node) else "to_text(")

    def _macro(self, node: nodes.Node) -> nodes.Macro | None:
        """Return the macro that a node calls, None if it calls none."""
        return self._macros.get(node.node.name) if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) else None
