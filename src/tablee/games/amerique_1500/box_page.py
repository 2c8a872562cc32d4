"""Everything that lies in the box on one page that needs no other file; it says what the booklet tells and what is a reconstruction."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from tablee.core.components import Components, load
from tablee.core.words import Words, note
from tablee.games.amerique_1500 import art
from tablee.games.amerique_1500.names import DESCRIPTIONS, name
from tablee.games.amerique_1500.societies import STORIES

FOLDER = Path(__file__).parent

FACTS = (
    note("Four societies, 24 cards each, 96 in all."),
    note("26 discs: 7 blue, 7 pink, 6 green and 6 white."),
    note("8 request cards with two sides, 5 of them in play; everybody starts with 3 cards."),
    note("The die: 1 to 3 for everybody, 4 to 6 for the active player."),
    note("Basket, stone axe and harpoon: 3 goods instead of 1. Spear 3 meat, bow 1 meat, neither: no hunt."),
    note("Bow and arrows cost 1 wood. The Incas can craft two dwellings, some societies two means of travel."),
    note("The three special cards, and the special reserve of the co-operative game."),
)
RECONSTRUCTED = (
    note("What each face of the die gives."),
    note("The goods everybody starts with."),
    note("Which cards lie in each deck, apart from the three special ones."),
    note("Which items stand on each board, and what they cost, apart from the bow."),
    note("The eight dishes and what they ask for."),
    note("The hoe and its 3 crops."),
    note("Which society plays which colour; the colours of crop, wood and stone; the letters on the cubes and every drawing."),
)


def picture(components: Components, language: str = "en") -> str:
    facts = components.facts
    return _template().render(
        _=Words(language),
        language=language,
        box=facts,
        file=components.name,
        hash=components.sha256[:12],
        of_the_house=components.sha256 == load(FOLDER / "components.toml").sha256,
        sheet=Markup(art.sheet(facts)),  # noqa: S704  drawn by us; what an owner writes is escaped where it is drawn
        palette=Markup((FOLDER / "static" / "amerique-1500.css").read_text(encoding="utf-8")),  # noqa: S704  our own file
        societies=[_society(facts, key) for key in facts["societies"]],
        known=FACTS,
        rebuilt=RECONSTRUCTED,
        says=DESCRIPTIONS,
    )


@cache
def _template() -> Template:
    house = Environment(loader=FileSystemLoader(FOLDER / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    house.globals["name"] = name
    return house.get_template("box.html")


def _society(facts: dict[str, Any], key: str) -> dict[str, Any]:
    """A society as its corner of the page shows it: `quick` says whether an item stands on both sides of the board."""
    own = facts["societies"][key]
    board = [{"key": item, **facts["items"][item], "quick": item in own["quick"]} for item in own["full"]]
    return {"key": key, "start": own["start"], "board": board, "deck": own["cards"], "story": STORIES.get(key)}
