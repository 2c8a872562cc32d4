"""A coach's hint in words."""

from __future__ import annotations

from typing_extensions import TypedDict

from tablee.bots.coach import Advice
from tablee.core.game import Seat
from tablee.core.i18n import Translator, msg
from tablee.server.table.coaching import hint_reason
from tablee.server.table.table import Table
from tablee.server.view.narrator import Narrator


class HintView(TypedDict):
    move: str
    moves: list[str]
    sentence: str
    why: str


def hint_view(table: Table, advice: Advice, seat: Seat, translator: Translator) -> HintView:
    narrator, before = Narrator(translator, table.seating), table.match.at(advice.position)
    turn, best_now = (narrator.infinitive(before.branch(), seat, moves, seat) for moves in (advice.better, advice.played))
    moves = [table.game.show(move) for move in advice.better]
    sentence, why = narrator.render(msg("The coach would {deeds}.", deeds=turn)), narrator.render(hint_reason(advice, best_now))
    return {"move": moves[0], "moves": moves, "sentence": sentence, "why": why}
