"""What the people at a table ask, say and are told: undo requests, absent players, claims and pauses, the chat, and a tutorial's note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from tablee.core.game import Seat
from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.core.tutorial import LEARNER
from tablee.server.table.chat import MAX_LENGTH
from tablee.server.table.log import Claim
from tablee.server.table.models import ChatMessage
from tablee.server.view.narration import NarrationSlice
from tablee.server.view.narrator import initial

if TYPE_CHECKING:
    from tablee.server.view.client_view import ClientView

CONFIRM_PROMPT = msg("Press Confirm: only then does it count.")
LINES_PER_BUNDLE = 20  # messages per fragment: a new one resends its bundle only


@dataclass(frozen=True, slots=True)
class SeatNotice:
    """A seat whose player is absent, or where somebody else plays."""

    seat: Seat
    name: str
    owner: str
    late: bool  # whether its clock has run out
    wanted: tuple[str, ...]  # the players who want to give the seat to somebody else
    can_be_given: bool


@dataclass(frozen=True, slots=True)
class ClaimNotice:
    """A claim to a seat from another device."""

    seat: Seat
    number: int
    name: str
    answers: bool  # whether this client is asked
    waiting: tuple[str, ...]  # the players who are asked


@dataclass(frozen=True, slots=True)
class UndoNotice:
    """A request to undo the last turn of a seat."""

    name: str
    what: str  # the turn in words, as far as this client may know it
    mine: Seat | None  # the own seat that asks
    answers: Seat | None  # the own seat that is asked
    waiting: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Notices:
    request: UndoNotice | None = None
    absent: tuple[SeatNotice, ...] = ()
    stand_ins: tuple[SeatNotice, ...] = ()
    given_away: tuple[SeatNotice, ...] = ()
    claims: tuple[ClaimNotice, ...] = ()
    claimable: tuple[SeatNotice, ...] = ()
    paused: bool = False
    club_paused: bool = False


def notices(client_view: ClientView, narration: NarrationSlice) -> Notices:
    """Return the notices for a client; only players get requests and offers."""
    table = client_view.table
    if client_view.is_looking_back or not client_view.to_act:
        return Notices()
    absent = table.absent_players
    return Notices(
        request=None if table.paused else _request(client_view, narration),
        absent=_seat_notices(client_view, _absent_seats(client_view)),
        stand_ins=_seat_notices(client_view, [seat for seat in client_view.seats if table.seating.has_stand_in(seat)]),
        given_away=_seat_notices(client_view, client_view.given_away),
        claims=tuple(_claim(client_view, seat, claim) for seat in absent.claimable if (claim := absent.claim_of(seat))),
        claimable=_seat_notices(client_view, [seat for seat in absent.claimable if not client_view.seats and not absent.claim_of(seat)]),
        paused=table.log.paused,
        club_paused=table.club_paused,
    )


def _absent_seats(client_view: ClientView) -> list[Seat]:
    """Return the seats to report as absent: none during a pause, and none with a claim, which has its own notice."""
    table = client_view.table
    if table.paused or not client_view.seats:
        return []
    return [seat for seat in table.absent_players.seats if seat not in client_view.seats and not table.absent_players.claim_of(seat)]


def _seat_notices(client_view: ClientView, seats: Sequence[Seat]) -> tuple[SeatNotice, ...]:
    return tuple(_seat_notice(client_view, seat) for seat in seats)


def _seat_notice(client_view: ClientView, seat: Seat) -> SeatNotice:
    name, table = client_view.narrator.name(seat), client_view.table
    return SeatNotice(
        seat,
        name,
        owner=table.seating.seats[seat].owner_name or name,
        late=table.clock.is_out_of_time(seat),
        wanted=tuple(client_view.narrator.name(each) for each in sorted(table.log.handover_offers.get(seat, ()))),
        can_be_given=table.absent_players.can_be_handed_over(seat),
    )


def _claim(client_view: ClientView, seat: Seat, claim: Claim) -> ClaimNotice:
    asked, narrator = client_view.table.absent_players.players_to_answer(seat), client_view.narrator
    answers = any(each in client_view.seats for each in asked)
    return ClaimNotice(seat, claim.number, narrator.name(seat), answers, tuple(map(narrator.name, asked)))


def _request(client_view: ClientView, narration: NarrationSlice) -> UndoNotice | None:
    waiting = client_view.table.undo_requests.pending
    if waiting is None or not client_view.seats:
        return None
    asks, to_answer = waiting
    return UndoNotice(
        client_view.narrator.name(asks),
        what=_last_turn_text(client_view, asks, narration),
        mine=asks if asks in client_view.seats else None,
        answers=next((seat for seat in to_answer if seat in client_view.seats), None),
        waiting=tuple(map(client_view.narrator.name, to_answer)),
    )


def _last_turn_text(client_view: ClientView, seat: Seat, narration: NarrationSlice) -> str:
    """Return the seat's last turn in words, as far as this client may know it."""
    own = [position for position, line in enumerate(client_view.match.log) if line.seat == seat]
    turn = own[-client_view.table.log.last_turn_length(seat) :]
    return ", ".join(
        entry.brief or entry.sentence for entry in narration.entries if entry.position in turn and entry.seat == seat and not entry.aside
    )


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


@dataclass(frozen=True, slots=True)
class ChatMessageView:
    number: int
    seat: int
    name: str
    initial: str
    text: str
    mine: bool


@dataclass(frozen=True, slots=True)
class ChatView:
    bundles: Sequence[tuple[int, Sequence[ChatMessageView]]]  # with their numbers
    can_write: bool
    max_length: int = MAX_LENGTH


def chat_view(client_view: ClientView) -> ChatView | None:
    """Return the chat's messages in bundles, None for a table without chat."""
    chat = client_view.table.chat
    if not chat.open:
        return None
    bundles = groupby(chat.messages, lambda message: message.number // LINES_PER_BUNDLE)
    return ChatView(
        [(number, [_message_view(client_view, message) for message in bundle]) for number, bundle in bundles], bool(client_view.seats)
    )


def _message_view(client_view: ClientView, message: ChatMessage) -> ChatMessageView:
    name = message.name or client_view.translator(msg("Player {number}", number=message.seat + 1))
    return ChatMessageView(message.number, message.seat, name, initial(name), message.text, message.seat in client_view.seats)
