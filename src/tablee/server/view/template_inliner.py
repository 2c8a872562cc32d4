"""Inlining of templates: the files that a page extends, includes and imports become one, and constant messages are translated.

This is done once per language. Imported names get their file's name as a prefix, so that no two files clash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from jinja2 import Environment, TemplateAssertionError, nodes
from jinja2.visitor import NodeTransformer, NodeVisitor

from tablee.core.i18n import Translator

NameMap = Mapping[str, str]  # a file's names, such as `draw.die`, and their names in the whole page


def inline_templates(env: Environment, tree: nodes.Template, translator: Translator) -> nodes.Template:
    """Return the same template without references to other files."""
    page = _Page(env, translator)
    body = page.body_of(tree)
    whole = nodes.Template([*page.shared_definitions, *body], lineno=1)
    whole.set_environment(env)
    return whole


class _Page:
    def __init__(self, env: Environment, translator: Translator) -> None:
        self.env, self.translator = env, translator
        self.shared_definitions: list[nodes.Node] = []  # macros and variables of imported files
        self._imported: dict[str, dict[str, str]] = {}  # by file: its names and their names in the page

    def parsed(self, name: str) -> nodes.Template:
        if self.env.loader is None:
            raise LookupError(name)
        source, filename, _ = self.env.loader.get_source(self.env, name)
        return self.env._parse(source, name, filename)

    def body_of(self, tree: nodes.Template, names: NameMap | None = None) -> list[nodes.Node]:
        """Return a file's body with its ancestors and imports inlined; the most derived block wins and may call `super()`."""
        chain = [*self._ancestry(tree)]
        all_names = {**(names or {}), **{name: whole for file in reversed(chain) for name, whole in self._imports(file)}}
        for file in chain:
            _FileInliner(self, all_names).visit(file)
        if len(chain) == 1:
            return tree.body
        blocks: dict[str, list[nodes.Block]] = {}
        for file in chain:
            for block in file.find_all(nodes.Block):
                blocks.setdefault(block.name, []).append(block)
        own = [each for file in chain[:-1] for each in file.body if not isinstance(each, nodes.Extends | nodes.Block | nodes.Output)]
        return [*own, *_BlockInliner(blocks).visit(chain[-1]).body]

    def _ancestry(self, tree: nodes.Template) -> Iterator[nodes.Template]:
        """Yield the file, the one that it extends, and so on."""
        yield tree
        for above in tree.body:
            if isinstance(above, nodes.Extends):
                yield from self._ancestry(self.parsed(_template_name(above)))

    def _imports(self, tree: nodes.Template) -> Iterator[tuple[str, str]]:
        """Yield each imported name: as the file calls it, and as the whole page does."""
        for each in tree.find_all(nodes.Import):
            yield from ((f"{each.target}.{name}", whole) for name, whole in self._import(_template_name(each)).items())
        for some in tree.find_all(nodes.FromImport):
            names = self._import(_template_name(some))
            for name in some.names:
                own, here = name if isinstance(name, tuple) else (name, name)
                yield here, names[own]

    def _import(self, file: str) -> dict[str, str]:
        if file not in self._imported:
            tree, prefix = self.parsed(file), re.sub(r"\W", "_", file)
            self._imported[file] = names = {name: f"{prefix}__{name}" for name in _exported_names(tree)}
            for each in self.body_of(tree, names):
                if isinstance(each, nodes.Macro):
                    each.name = names[each.name]
                if isinstance(each, nodes.Macro | nodes.Assign):
                    self.shared_definitions.append(each)
        return self._imported[file]


def _template_name(node: nodes.Extends | nodes.Include | nodes.Import | nodes.FromImport) -> str:
    if not isinstance(node.template, nodes.Const):
        raise TemplateAssertionError("the page of a table names its files outright", node.lineno)
    return str(node.template.value)


def _exported_names(tree: nodes.Template) -> list[str]:
    """Return the names that other files may import."""
    macros = [each.name for each in tree.body if isinstance(each, nodes.Macro)]
    return macros + [each.target.name for each in tree.body if isinstance(each, nodes.Assign) and isinstance(each.target, nodes.Name)]


class _FileInliner(NodeTransformer):
    """Transformer of one file into a piece of the page."""

    def __init__(self, page: _Page, names: NameMap) -> None:
        self._page, self._names = page, names

    def visit_Template(self, node: nodes.Template) -> nodes.Node:
        top = {name for name in _exported_names(node) if name in self._names}
        return self._in_scope(node, top)

    def visit_Macro(self, node: nodes.Macro) -> nodes.Node:
        return self._in_scope(node, set())

    def _in_scope(self, node: nodes.Node, exported: set[str]) -> nodes.Node:
        """Visit a node in which local assignments shadow imported names, except those in `exported`."""
        outside, own = self._names, _assigned_names(node) - exported
        self._names = {name: whole for name, whole in outside.items() if name.partition(".")[0] not in own}
        self.generic_visit(node)
        self._names = outside
        return node

    def visit_Import(self, _: nodes.Import) -> None:
        """Drop the import: its definitions are inlined."""

    def visit_FromImport(self, _: nodes.FromImport) -> None:
        """Drop the import: its definitions are inlined."""

    def visit_Include(self, node: nodes.Include) -> nodes.Node:
        return nodes.Scope(self._page.body_of(self._page.parsed(_template_name(node)), self._names), lineno=node.lineno)

    def visit_Name(self, node: nodes.Name) -> nodes.Node:
        node.name = self._names.get(node.name, node.name)
        return node

    def visit_Getattr(self, node: nodes.Getattr) -> nodes.Node:
        whole = self._names.get(f"{node.node.name}.{node.attr}") if isinstance(node.node, nodes.Name) else None
        return nodes.Name(whole, "load", lineno=node.lineno) if whole else self.generic_visit(node)

    def visit_Call(self, node: nodes.Call) -> nodes.Node:
        """Translate a constant message."""
        self.generic_visit(node)
        is_message = isinstance(node.node, nodes.Name) and node.node.name == "_" and len(node.args) == 1 and not node.kwargs
        if is_message and isinstance(text := node.args[0], nodes.Const) and isinstance(text.value, str):
            return nodes.Const(self._page.translator(text.value), lineno=node.lineno)
        return node


class _AssignedNames(NodeVisitor):
    def __init__(self) -> None:
        self.found: set[str] = set()

    def visit_Name(self, node: nodes.Name) -> None:
        if node.ctx != "load":
            self.found.add(node.name)

    def visit_Macro(self, _: nodes.Macro) -> None:
        """Skip a macro, which has its own scope."""


def _assigned_names(node: nodes.Node) -> set[str]:
    """Return the names assigned in a file outside its macros, or in a macro."""
    visitor = _AssignedNames()
    for each in node.iter_child_nodes():
        visitor.visit(each)
    return visitor.found


class _BlockInliner(NodeTransformer):
    """Transformer that replaces each block by its content."""

    def __init__(self, blocks: Mapping[str, list[nodes.Block]], above: list[nodes.Block] | None = None) -> None:
        self._blocks, self._overridden = blocks, above or []

    def visit_Block(self, node: nodes.Block) -> nodes.Node:
        return self._inlined(self._blocks[node.name])

    def _inlined(self, chain: list[nodes.Block]) -> nodes.Node:
        newest, *older = chain
        _BlockInliner(self._blocks, older).generic_visit(newest)
        return nodes.Scope(newest.body, lineno=newest.lineno)

    def visit_Output(self, node: nodes.Output) -> nodes.Node | list[nodes.Node]:
        """Replace `super()` by the content of the overridden block."""
        pieces: list[nodes.Node] = []
        for each in node.nodes:
            if isinstance(each, nodes.Call) and isinstance(each.node, nodes.Name) and each.node.name == "super":
                pieces.append(self._inlined(self._overridden))
            elif pieces and isinstance(pieces[-1], nodes.Output):
                pieces[-1].nodes.append(each)
            else:
                pieces.append(nodes.Output([each], lineno=node.lineno))
        return pieces
