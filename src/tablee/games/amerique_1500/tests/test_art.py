"""Every piece of the box has a name and a drawing: well-formed, its own id, every colour in the light and the dark palette."""

from __future__ import annotations

import copy
import re
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tablee.core.components import Components, load
from tablee.core.i18n import LANGUAGES, Translator, messages
from tablee.games.amerique_1500 import art, names, open_box
from tablee.games.amerique_1500.art import goods, table, weaving
from tablee.games.amerique_1500.box_page import FACTS, RECONSTRUCTED, contents
from tablee.games.amerique_1500.societies import STORIES
from tablee.server.view.rendering import box_page

ROOM = Path(art.__file__).parents[1]
BOX = load(ROOM / "components.toml")
SHEET = art.sheet(BOX.data)
SYMBOLS = art.symbols(BOX.data)


def families(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """Return every piece of the box as (family, key)."""
    tables = (("card", "cards"), ("item", "items"), ("request", "requests"))
    return [(family, key) for family, table in tables for key in facts[table]]


def owners_box() -> Components:
    """Return a box to which an owner has added a card, an item and a dish."""
    facts = copy.deepcopy(BOX.data)
    facts["cards"]["black_bear"] = {"needs": True, "with": {"spear": "MMM"}}
    facts["items"]["drum<&>"] = {"kind": "tool", "cost": "W"}
    facts["requests"]["cake"] = {"quick": "GG", "full": "GGG"}
    return Components("mine.toml", BOX.text + "\n", facts)


@pytest.mark.parametrize(("family", "key"), families(BOX.data))
def test_every_thing_in_the_box_has_a_drawing_and_a_name_of_its_own(family: str, key: str) -> None:
    drawn = {"card": art.CARDS, "item": art.ITEMS, "request": art.REQUESTS}
    assert key in drawn[family]
    assert key in names.EVERY[family]
    assert f"{family}-{key}" in SYMBOLS


def test_goods_die_and_actions_are_drawn() -> None:
    wanted = [f"good-{good}{times}" for good in names.GOODS for times in ("", "-x3", "-x5")]
    wanted += [f"{thing}-{face}" for thing in ("die", "bonus") for face in BOX.data["die"]]
    wanted += [f"action-{action}" for action in names.ACTIONS]
    assert set(wanted) <= set(SYMBOLS)
    assert set(goods.SHAPES) == set(names.GOODS)


@pytest.mark.parametrize("society", BOX.data["societies"])
def test_every_society_has_its_signs_and_a_story(society: str) -> None:
    assert {f"{sign}-{society}" for sign in ("person", "land", "emblem", "disc", "pawn", "back")} <= set(SYMBOLS)
    assert f'id="border-{society}"' in SHEET
    assert 60 <= len(STORIES[society].story.split()) <= 90


def test_societies_are_told_apart_without_colour() -> None:
    """The rims and emblems differ in shape, whatever the colours are."""
    shapes = {re.sub(r"var\(--am-[\w-]+\)", "", weaving.disc(society)) for society in BOX.data["societies"]}
    assert len(shapes) == len(BOX.data["societies"])


def test_the_sheet_is_well_formed_and_no_id_stands_twice() -> None:
    ids = [each.get("id") for each in ElementTree.fromstring(SHEET).iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    assert set(SYMBOLS) <= set(ids)


def test_what_a_drawing_shows_inside_itself_is_on_the_sheet() -> None:
    shown = set(re.findall(r'href="#([^"]+)"', SHEET)) | set(re.findall(r"url\(#([^)]+)\)", SHEET))
    assert shown <= set(re.findall(r'id="([^"]+)"', SHEET))


def test_the_sheet_travels_light() -> None:
    assert len(SHEET.encode()) < 200_000


def test_every_colour_is_in_the_palette_by_day_and_at_dusk() -> None:
    css = (ROOM / "static" / "drawings" / "palette.css").read_text(encoding="utf-8")
    used = set(re.findall(r"var\(--am-([\w-]+)\)", SHEET))
    palette = dict(re.findall(r"--am-([\w-]+): ([^;]+);", css))
    assert used <= set(palette)
    assert {name for name in used if "light-dark(" not in palette[name]} <= {"shine"}


def test_what_an_owner_adds_is_drawn_with_its_name() -> None:
    symbols = art.symbols(owners_box().data)
    assert "Black bear" in symbols["card-black_bear"]
    assert "#good-M" in symbols["card-black_bear"]
    assert "Cake" in symbols["request-cake"]
    assert all(ElementTree.fromstring(text) is not None for text in symbols.values())


@pytest.mark.parametrize("language", ["fr", "it"])
def test_names_and_stories_are_translated(language: str) -> None:
    texts = [text for family in names.EVERY.values() for text in family.values()]
    texts += [text for story in STORIES.values() for text in (story.today, story.story, story.weave)]
    texts += [*names.DESCRIPTIONS.values(), *FACTS, *RECONSTRUCTED]
    translated = messages(language)
    assert [text for text in texts if (text,) not in translated] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_box_page_stands_alone_and_tells_fact_from_reconstruction(language: str) -> None:
    translator = Translator(language)
    page = box_page(open_box(BOX), translator)
    assert not re.search(r'(?:src|href)="(?!#)', page)
    assert page.count("mark known") >= 4
    assert page.count("mark rebuilt") >= 8
    assert translator("reconstruction") in page
    assert "mine.toml" not in page


def test_an_owners_box_says_whose_it_is() -> None:
    mine = owners_box()
    page = box_page(replace(open_box(BOX), components=mine, contents=partial(contents, mine)), Translator("en"))
    assert "its values come from mine.toml" in page
    assert "drum<&>" not in page


def test_the_same_box_gives_the_same_drawings_in_any_process() -> None:
    script = "import hashlib, sys; from tablee.games.amerique_1500 import art; from tablee.core.components import load; "
    script += "from pathlib import Path; print(hashlib.sha256(art.sheet(load(Path(sys.argv[1])).data).encode()).hexdigest())"
    runs = [
        subprocess.run(
            [sys.executable, "-c", script, str(ROOM / "components.toml")],
            env={"PYTHONHASHSEED": seed, "PATH": "", "HOME": str(Path.home()), "PYTHONPATH": str(ROOM.parents[2])},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]


@pytest.mark.parametrize("gift", [{"cards": 5}, {"food": 5}, {"goods": "GWS", "cards": 2}, {"goods": "W"}])
def test_a7_whatever_a_face_gives_is_drawn_whole(gift: dict[str, Any]) -> None:
    places = [float(x) for x in re.findall(r"translate\(([\d.]+) 2\)", table.bonus({"all": True, **gift}))]
    assert max(places) + table.THING <= 96


def test_the_cubes_carry_no_letter_of_any_language() -> None:
    assert not any("<text" in goods.cube(good) for good in goods.SHAPES)
    assert len({re.sub(r"good-.", "", goods.cube(good)) for good in goods.SHAPES}) == len(goods.SHAPES), "told apart without colour"
