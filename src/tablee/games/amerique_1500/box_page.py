"""Template data of the box page, which separates what the booklet states from what is a reconstruction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablee.core.components import Components, load
from tablee.core.html import Html
from tablee.core.i18n import mark
from tablee.games.amerique_1500 import art
from tablee.games.amerique_1500.names import DESCRIPTIONS, name
from tablee.games.amerique_1500.societies import STORIES

FOLDER = Path(__file__).parent

FACTS = (
    mark("Four societies, 24 cards each, 96 in all."),
    mark("26 discs: 7 blue, 7 pink, 6 green and 6 white."),
    mark("8 request cards with two sides, 5 of them in play; everybody starts with 3 cards."),
    mark("The die: 1 to 3 for everybody, 4 to 6 for the active player."),
    mark("Basket, stone axe and harpoon: 3 goods instead of 1. Spear 3 meat, bow 1 meat, neither: no hunt."),
    mark("Bow and arrows cost 1 wood. The Incas can craft two dwellings, some societies two means of travel."),
    mark("The three special cards, and the special reserve of the co-operative game."),
)
RECONSTRUCTED = (
    mark("What each face of the die gives."),
    mark("The goods everybody starts with."),
    mark("Which cards lie in each deck, apart from the three special ones."),
    mark("Which items stand on each board, and what they cost, apart from the bow."),
    mark(
        "What an item costs tells in six goods what people worked with: bark, roots and fodder are gathering or crop, hides and sinew "
        "meat, whalebone wood. Snow is no good of this game: an igloo's stone is its lamp, its wood the sleeping platform."
    ),
    mark("The eight dishes and what they ask for."),
    mark("The hoe and its 3 crops."),
    mark("Which society plays which colour; the colours of crop, wood and stone; the things on the cubes and every drawing."),
)


def contents(components: Components) -> dict[str, Any]:
    facts = components.data
    return {
        "box": facts,
        "of_the_house": components.sha256 == load(FOLDER / "components.toml").sha256,
        "drawings": Html(art.sheet(facts)),  # our own drawings; text of an owner is escaped where it is drawn
        "societies": [_society(facts, key) for key in facts["societies"]],
        "known": FACTS,
        "rebuilt": RECONSTRUCTED,
        "says": DESCRIPTIONS,
        "name": name,
    }


def _society(facts: dict[str, Any], key: str) -> dict[str, Any]:
    """Return a society for its section of the page; `quick` says whether an item is on both sides of the board."""
    own = facts["societies"][key]
    board = [{"key": item, **facts["items"][item], "quick": item in own["quick"]} for item in own["full"]]
    return {"key": key, "start": own["start"], "board": board, "deck": own["cards"], "story": STORIES.get(key)}
