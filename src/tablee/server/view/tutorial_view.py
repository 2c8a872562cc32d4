"""View of a tutorial: its note on the position with the draft played, so that every tap gets a response."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.core.tutorial import LEARNER

if TYPE_CHECKING:
    from tablee.server.view.client_view import ClientView

CONFIRM_PROMPT = msg("Press Confirm: only then does it count.")


def tutorial_note(client_view: ClientView, trial: Match) -> dict[str, Any] | None:
    """Return the note in the learner's language; None for other viewers and outside tutorials."""
    tutorial = client_view.table.tutorial if client_view.viewer == LEARNER else None
    over = not client_view.table.match.to_act
    progress = tutorial.progress((client_view.table.match if over else trial).lines()) if tutorial else None
    if tutorial is None or progress is None:
        return None
    translator, step = client_view.translator, progress.step
    note = {"number": min(progress.number + 1, len(tutorial.steps)), "of": len(tutorial.steps), "seats": tutorial.seats, "learnt": []}
    if over:
        return note | {"says": translator(step.says), "todo": "", "points": [], "learnt": [translator(each) for each in tutorial.learnt]}
    if progress.asks:
        return note | {"says": translator(step.says), "todo": translator(step.todo), "points": step.points}
    done = tutorial.steps[progress.number - 1]  # the next step starts with Confirm
    return note | {"number": progress.number, "says": translator(done.ready), "todo": translator(CONFIRM_PROMPT), "points": ("#confirm",)}
