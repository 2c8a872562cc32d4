"""View of a tutorial: its note on the position with the draft played, so that every tap gets a response."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.core.tutorial import LEARNER

if TYPE_CHECKING:
    from tablee.server.view.client_view import ClientView

CONFIRM_PROMPT = msg("Press Confirm: only then does it count.")


@dataclass(frozen=True, slots=True)
class TutorialNote:
    number: int  # of the step
    of: int
    seats: int
    says: str
    todo: str = ""
    points: Sequence[str] = ()  # CSS selectors of what to look at
    learnt: Sequence[str] = ()


def tutorial_note(client_view: ClientView, trial: Match) -> TutorialNote | None:
    """Return the note in the learner's language; None for other viewers and outside tutorials."""
    tutorial = client_view.table.tutorial if client_view.viewer == LEARNER else None
    over = not client_view.table.match.to_act
    progress = tutorial.progress((client_view.table.match if over else trial).lines()) if tutorial else None
    if tutorial is None or progress is None:
        return None
    translator, step, steps = client_view.translator, progress.step, len(tutorial.steps)
    number = min(progress.number + 1, steps)
    if over:
        learnt = [translator(each) for each in tutorial.learnt]
        return TutorialNote(number, steps, tutorial.seats, translator(step.says), learnt=learnt)
    if progress.asks:
        return TutorialNote(number, steps, tutorial.seats, translator(step.says), translator(step.todo), step.points)
    done = tutorial.steps[progress.number - 1]  # the next step starts with Confirm
    return TutorialNote(progress.number, steps, tutorial.seats, translator(done.ready), translator(CONFIRM_PROMPT), points=("#confirm",))
