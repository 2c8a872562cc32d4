"""Every draw of a finished game in words, with its possible outcomes."""

from __future__ import annotations

from typing_extensions import TypedDict

from tablee.core import record
from tablee.core.fairness import commitment
from tablee.core.i18n import Translator, msg
from tablee.core.match import Match
from tablee.server.table.new_tables import NotOver
from tablee.server.table.table import Table
from tablee.server.view.narrator import Narrator


class DrawView(TypedDict):
    line: int
    before: int
    outcomes: list[tuple[str, int]]
    drawn: str
    words: str


class DrawsView(TypedDict):
    commitment: str
    seed: str
    version: int
    taken_over: int
    draws: list[DrawView]


def draws_view(table: Table, translator: Translator) -> DrawsView:
    match = table.match
    if not table.done:
        raise NotOver(msg("the draws can be checked when the game is over"))
    if not match.seed:
        raise NotOver(msg("the record does not hold its secret number, so its draws cannot be checked"))
    narrator = Narrator(translator, table.seating)
    return {
        "commitment": commitment(match.seed),
        "seed": match.seed.hex(),
        "version": match.derivation,
        "taken_over": match.origin.lines if match.origin else 0,
        "draws": [_draw_view(match, narrator, each) for each in record.draws(match)],
    }


def _draw_view(match: Match, narrator: Narrator, draw: record.Draw) -> DrawView:
    """Return one draw with the sentence that its owner read: a finished game has no secrets."""
    show = match.game.show
    sentences = [narrator.render(event.sentence) for event in match.events[draw.position]]
    outcomes = [(show(move), weight) for move, weight in draw.odds]
    words = ". ".join(sentences[:1])
    return {"line": draw.position + 1, "before": draw.before, "outcomes": outcomes, "drawn": show(draw.move), "words": words}
