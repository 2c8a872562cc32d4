"""Tournament ladder as an SVG: the best bot on top, a bar for its share of the wins, a whisker for the 95 % interval."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from tablee.core.game import Game
from tablee.core.i18n import Translator

LEFT, WIDE = 210, 340  # pixels: start of the bars, length of a share of 1
TOP, ROW = 96, 44


def ladder(found: Mapping[str, Any], game: Game, translator: Translator) -> str:
    """Return the ladder of a tournament's `standings` as an SVG that follows the reader's light or dark theme."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(Path(__file__).with_name("ladder.svg").read_text(encoding="utf-8"))
    rungs = [_rung(number, bot) for number, bot in enumerate(sorted(found["bots"], key=lambda bot: -bot["rating"]))]
    bottom = TOP + ROW * len(rungs)
    marks = [(share, LEFT + WIDE * share / 100) for share in (0, 25, 50, 75, 100)]
    return template.render(
        _=translator, found=found, title=translator(game.title), rungs=rungs, marks=marks, top=TOP, bottom=bottom, left=LEFT
    )


def _rung(number: int, bot: Mapping[str, Any]) -> dict[str, Any]:
    """Return a bot's figures with the coordinates of its bar."""
    low, share, high = (round(LEFT + WIDE * bot[name], 1) for name in ("low", "share", "high"))
    return {**bot, "y": TOP + ROW * number + ROW // 2, "from": low, "to": high, "length": max(1, round(share - LEFT, 1))}
