"""Narrator: events become entries of the log in words, in the reader's language and with the players' names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

from tablee.core.game import NATURE, Event, Game, Move, Seat
from tablee.core.i18n import Message, Translator, mark, msg
from tablee.core.match import Match
from tablee.core.narration import NarrationEntry
from tablee.server.table.models import (
    AGREE,
    ASK_BACK,
    BACK,
    CLAIM,
    DECLINE,
    DENIED,
    GRANTED,
    HANDED,
    HURRIED,
    OFFER,
    PAUSE,
    PROGRAM,
    RESUME,
    STAND_IN,
)
from tablee.server.table.seats import Seating

CACHE_SIZE = 1 << 12  # names, and lists of moves
BOT_NAMES = {  # the weakest first
    "random": mark("bot, plays at random"),
    "easy": mark("bot, easy"),
    "greedy": mark("bot, greedy (fairly easy)"),
    "medium": mark("bot, medium"),
    "hard": mark("bot, hard"),
}
ASIDES = {
    HURRIED: msg("has not finished thinking and plays at once"),
    ASK_BACK: msg("would like to undo a move"),
    AGREE: msg("agrees"),
    DECLINE: msg("would rather not"),
    STAND_IN: msg("is away: a bot plays on"),
    BACK: msg("is back"),
    OFFER: msg("is away: the seat may go to somebody else"),
    HANDED: msg("takes over the seat"),
    CLAIM: msg("would like to play on from another device"),
    GRANTED: msg("plays on from another device"),
    DENIED: msg("is not let in from another device"),
    PAUSE: msg("paused the game"),
    RESUME: msg("resumed the game"),
}
COLOUR_NAMES = (
    *(mark("red"), mark("blue"), mark("yellow"), mark("green"), mark("ink"), mark("violet"), mark("teal"), mark("orange")),
    *(mark("pink"), mark("olive"), mark("slate"), mark("brown")),
)


@dataclass(frozen=True)
class Narrator:
    translator: Translator
    seating: Seating

    def name(self, seat: int) -> str:
        stored, number = self.seating.seats[seat], seat + 1
        if stored.kind == PROGRAM:
            return self.translator(msg("{name} (bot)", name=stored.name or str(number)))
        if name := self.seating.names[seat]:
            return name
        return self.translator(msg("Bot {number}", number=number) if stored.kind == "bot" else msg("Player {number}", number=number))

    def render(self, sentence: Message) -> str:
        """Return a message in the reader's language, with names in place of seat marks such as <2>."""
        return _with_names(self.translator(sentence), self.name)

    def entries(
        self, position: int, actor: Seat, events: Sequence[Event], viewer: Seat | None, *, aside: bool = False
    ) -> list[NarrationEntry]:
        """Return the entries of events at a line of the game or, as an aside, before it."""
        return [self._entry(position, actor, event, message, aside) for event in events if (message := event.message_for(viewer))]

    def _entry(self, position: int, actor: Seat, event: Event, message: Message, aside: bool) -> NarrationEntry:
        seat = actor if event.seat is None else event.seat
        return NarrationEntry(
            position,
            aside,
            event.kind,
            seat=None if seat == NATURE else seat,
            name="" if seat == NATURE else self.name(seat),
            by_nature=actor == NATURE,
            sentence=self.render(message),
            brief=self.render(event.brief) if event.brief and event.sentence is message else "",
            points=event.points,
            parts=tuple((self.translator(what), points) for what, points in event.parts),
            place=event.place,
        )

    def move_text(self, match: Match, move: Move) -> str:
        """Return a move in the reader's language, or in notation where the game has no descriptions."""
        return self.render(match.game.describe(move)) if match.game.describe else match.game.show(move)

    def move_labels(self, game: Game, moves: Sequence[Move]) -> list[tuple[str, str]]:
        """Return moves in notation and in words; empty where the game has no descriptions. Cached, since lists recur."""
        names = tuple(self.name(seat) for seat in range(len(self.seating)))
        return _move_labels(game.show, game.describe, tuple(moves), self.translator.language, names) if game.describe else []

    def infinitive(self, trial: Match, seat: Seat, moves: Sequence[Move], viewer: Seat | None, omitted: Collection[Move] = ()) -> Message:
        """Return a seat's moves as one infinitive phrase, as far as the viewer may know them; play them all on `trial`.

        Moves without an event, which only end a step, are left out unless there are no others.
        """
        phrases = [phrase for move in moves if (phrase := self._infinitive(trial, seat, move, viewer)) and move not in omitted]
        shown = [phrase for phrase, is_visible in phrases if is_visible] or [phrases[0][0]]
        return reduce(lambda one, other: msg("{one}, then {other}", one=one, other=other), shown)

    def _infinitive(self, trial: Match, seat: Seat, move: Move, viewer: Seat | None) -> tuple[Message, bool]:
        """Return the infinitive, and whether the move has a visible event; quote the event of a secret or if there is no infinitive."""
        game, before = trial.game, trial.state
        events = trial.play(seat, move).events
        if game.infinitive and all(event.message_for(viewer) is event.sentence for event in events):
            return game.infinitive(before, seat, move), bool(events)
        message = next((message for event in events if (message := event.message_for(viewer))), None)
        return msg("play “{move}”", move=message or self.move_text(trial, move)), bool(message)


def _with_names(text: str, name: Callable[[int], str]) -> str:
    return re.sub(r"<(\d+)>", lambda found: name(int(found[1])), text) if "<" in text else text


@lru_cache(CACHE_SIZE)
def _move_labels(
    show: Callable[[Move], str], describe: Callable[[Move], Message], moves: tuple[Move, ...], language: str, names: tuple[str, ...]
) -> list[tuple[str, str]]:
    translator = Translator(language)
    return [(show(move), _with_names(translator(describe(move)), names.__getitem__)) for move in moves]


def aside_event(kind: str, seat: Seat) -> Event | None:
    """Return the event of a log line that is not a move, such as a pause or a claim; None if its kind has no message."""
    return Event(kind, ASIDES[kind], seat) if kind in ASIDES else None


@lru_cache(CACHE_SIZE)
def initial(name: str) -> str:
    """Return a letter for the player's token, or the number in `Player 3` and `Bot 3`."""
    number = re.search(r" (\d+)$", name)
    return number[1] if number else name[:1].upper()


def seat_colours(colours: Sequence[int]) -> str:
    """Return the declarations of the seats that chose another colour than their default, for an attribute `style`."""
    return " ".join(f"--seat-{seat}: var(--paint-{colour});" for seat, colour in enumerate(colours) if seat != colour)
