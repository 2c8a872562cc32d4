"""Template compiler: a compiled page renders as Jinja does, whatever a room's templates contain."""

from __future__ import annotations

from typing import Any

import pytest
from jinja2 import DictLoader, Environment, TemplateAssertionError
from markupsafe import Markup

from tablee.core.i18n import Translator
from tablee.server.view.rendering import JINJA_SETTINGS, TablePageEnvironment

pytestmark = pytest.mark.one_engine

ROOM = """{% from "platform/tools.html" import box with context %}
{% for each in seats %}{% block card scoped %}{{ each.name }}{% endblock %}{% endfor %}
{% block ready %}{{ _("Confirm") }}{% endblock %}"""
TOOLS = """{% set edge = "|" %}
{% macro box(title, more="") %}{% set inside = caller %}[{{ edge }}{{ title }}{{ more }}: {{ inside() }}{{ edge }}]{% endmacro %}
{% macro twice(title) %}{{ title }}{{ title }}{{ edge }}{% endmacro %}
{% macro name(title) %}{{ twice(title) }} {{ number }}{% endmacro %}"""
PAGES = {  # the top of a room's file, and its block `ready`
    "a block of the room, and what it stands for": ("", "{{ super() }}! {{ super() }}"),
    "a block inside a loop sees it": ("{% block card %}<{{ each.name }} {{ each.seat }}>{% endblock %}", ""),
    "what the room's own file sets": ("{% set best = seats[0] %}", "{{ best.name }}"),
    "a macro with an inside": ("", "{% call box('<a>') %}<b>{{ seats[1].name }}</b>{% endcall %}"),
    "an imported file by its name": ("{% import 'platform/tools.html' as tools with context %}", "{{ tools.name('&') }}"),
    "a name that means something else here": (
        "{% from 'platform/tools.html' import twice %}{% macro own(twice) %}{{ twice }}{% endmacro %}",
        "{{ own('x') }}{{ twice('y') ~ '<' }}{{ own(twice('<')) }}",
    ),
    "an included file keeps what it sets": ("", "{% set x = 1 %}{% include 'room/part.html' %}{{ x }}"),
    "what is safe, and what is not": ("", "{{ safe }}{{ '<' }}{{ 'a' ~ safe }}{{ unsafe }}{{ unsafe ~ safe }}{{ none }}{{ 1.5 }}"),
    "what is there, and what is not": ("", "{{ nothing is defined }}{{ seats is defined }}{{ seats[0].last is none }}"),
    "data has its methods": ("", "{% for key, value in seats[0].items() %}{{ key }}{{ value }}{% endfor %}"),
    "true is not one": ("{% macro say(what) %}{{ what }}{% endmacro %}", "{{ say(1) }}{{ say(true) }}{{ say(1.0) }}"),
    "a macro in its place": ("", "{% macro here(x) %}<{{ x }}>{% endmacro %}{{ here('&') }}"),
}


@pytest.mark.parametrize(("top", "ready"), PAGES.values(), ids=PAGES.keys())
def test_it_says_what_jinja_says(top: str, ready: str) -> None:
    page = f'{{% extends "platform/room.html" %}}{top}{{% block ready %}}{ready}{{% endblock %}}'
    files = {"room/table.html": page, "room/part.html": "{% set x = 2 %}{{ x }}{{ number }}"}
    loader = DictLoader({**files, "platform/room.html": ROOM, "platform/tools.html": TOOLS})
    seats = [{"seat": 0, "name": "A & B", "last": None}, {"seat": 1, "name": Markup("<i>C</i>"), "last": 3}]
    given: dict[str, Any] = {"_": Translator("fr"), "seats": seats, "number": 7, "safe": Markup("<u>"), "unsafe": "<script>"}
    environment = TablePageEnvironment(Translator("fr"), loader=loader, **JINJA_SETTINGS)
    rendered = Environment(loader=loader, **JINJA_SETTINGS).get_template("room/table.html").render(given)
    assert environment.render_page("room", given) == rendered == environment.render_page("room", given)
    assert not rendered.isspace()


def test_a_page_that_does_not_name_its_files_outright_is_refused() -> None:
    loader = DictLoader({"room/table.html": "{% include name %}"})
    with pytest.raises(TemplateAssertionError, match="names its files outright"):
        TablePageEnvironment(Translator("en"), loader=loader, **JINJA_SETTINGS).render_page("room", {"name": "other.html"})
