"""The ladder of a tournament as a picture: the best bot on top, the bar its share of the wins, the whisker its 95 % interval."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from tablee.core.game import Game
from tablee.core.i18n import Translator

LEFT, WIDE = 210, 340  # where the bars begin, and how long a share of 1 is
TOP, ROW = 96, 44


def ladder(found: Mapping[str, Any], game: Game, words: Translator) -> str:
    """An SVG, light or dark as its reader likes it, of what `standings` found."""
    pictures = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = pictures.from_string(Path(__file__).with_name("ladder.svg").read_text(encoding="utf-8"))
    rungs = [_rung(number, bot) for number, bot in enumerate(sorted(found["bots"], key=lambda bot: -bot["rating"]))]
    bottom = TOP + ROW * len(rungs)
    marks = [(share, LEFT + WIDE * share / 100) for share in (0, 25, 50, 75, 100)]
    return template.render(_=words, found=found, title=words(game.title), rungs=rungs, marks=marks, top=TOP, bottom=bottom, left=LEFT)


def _rung(number: int, bot: Mapping[str, Any]) -> dict[str, Any]:
    """Where one bot's bar lies."""
    low, share, high = (round(LEFT + WIDE * bot[name], 1) for name in ("low", "share", "high"))
    return {**bot, "y": TOP + ROW * number + ROW // 2, "from": low, "to": high, "length": max(1, round(share - LEFT, 1))}
