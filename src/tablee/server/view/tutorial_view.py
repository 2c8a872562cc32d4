"""What a lesson says to the learner's screen: about the position with the draft on it, so that every tap is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.core.tutorial import LEARNER

if TYPE_CHECKING:
    from tablee.server.view.client_view import ClientView

CONFIRM_PROMPT = msg("Press Confirm: only then does it count.")


def tutorial_note(screen: ClientView, trial: Match) -> dict[str, Any] | None:
    """In the learner's own words and language; nothing where nobody learns."""
    taught = screen.table.lesson if screen.viewer == LEARNER else None
    over = not screen.table.match.to_act
    stand = taught.progress((screen.table.match if over else trial).lines()) if taught else None
    if taught is None or stand is None:
        return None
    words, step = screen.words, stand.step
    note = {"number": min(stand.number + 1, len(taught.steps)), "of": len(taught.steps), "seats": taught.seats, "learnt": []}
    if over:
        return note | {"says": words(step.says), "todo": "", "points": [], "learnt": [words(each) for each in taught.learnt]}
    if stand.asks:
        return note | {"says": words(step.says), "todo": words(step.todo), "points": step.points}
    done = taught.steps[stand.number - 1]  # what comes next comes with Confirm
    return note | {"number": stand.number, "says": words(done.ready), "todo": words(CONFIRM_PROMPT), "points": ("#confirm",)}
