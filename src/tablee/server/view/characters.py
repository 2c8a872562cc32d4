"""Bots as characters: the bot of each level has a name, the same in every language, and a sentence about how it plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tablee.core.i18n import mark


class Character(NamedTuple):
    name: str
    plays: str


CHARACTERS: Mapping[str, Character] = {  # templates/faces.html draws them
    "random": Character("Pip", mark("Makes any move that the rules allow, without looking.")),
    "easy": Character("Lou", mark("Overlooks half of the moves, and makes the best of the others.")),
    "greedy": Character("Max", mark("Takes what is best right now, and never thinks of the next turn.")),
    "medium": Character("Nora", mark("Tries out how the game could go on, and has learned from many games.")),
    "hard": Character("Vera", mark("Plays like Nora, but thinks a whole second about each move.")),
}
