"""Events become entries of a tale: in one reader's language, with the names of those who sit at the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

from tablee.core.game import NATURE, Event, Game, Move, Seat
from tablee.core.i18n import Say, Words, say
from tablee.core.match import Match
from tablee.server.storage.line_kinds import (
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
    RESUME,
    STAND_IN,
)
from tablee.server.table.narration import Entry
from tablee.server.table.seats import Seating

REMEMBERED = 1 << 12  # names, and lists of moves
ASIDES = {
    HURRIED: say("has not finished thinking and plays at once"),
    ASK_BACK: say("would like to undo a move"),
    AGREE: say("agrees"),
    DECLINE: say("would rather not"),
    STAND_IN: say("is away: a bot plays on"),
    BACK: say("is back"),
    OFFER: say("is away: the seat may go to somebody else"),
    HANDED: say("takes over the seat"),
    CLAIM: say("would like to play on from another device"),
    GRANTED: say("plays on from another device"),
    DENIED: say("is not let in from another device"),
    PAUSE: say("paused the game"),
    RESUME: say("resumed the game"),
}


@dataclass(frozen=True)
class Narrator:
    words: Words
    seating: Seating

    def name(self, seat: int) -> str:
        chair, number = self.seating.chairs[seat], seat + 1
        if name := self.seating.names[seat]:
            return name
        return self.words(say("Bot {number}", number=number) if chair.kind == "bot" else say("Player {number}", number=number))

    def speak(self, sentence: Say) -> str:
        """Rules speak of `seat 2`-style marks, <2>; people have names."""
        return _named(self.words(sentence), self.name)

    def told(self, position: float, actor: Seat, events: Sequence[Event], eye: Seat | None) -> list[Entry]:
        return [self._entry(position, actor, event, heard) for event in events if (heard := event.heard_by(eye))]

    def _entry(self, position: float, actor: Seat, event: Event, heard: Say) -> Entry:
        seat = actor if event.seat is None else event.seat
        return {
            "position": position,
            "seat": None if seat == NATURE else seat,
            "name": "" if seat == NATURE else self.name(seat),
            "by_nature": actor == NATURE,
            "kind": event.kind,
            "sentence": self.speak(heard),
            "brief": self.speak(event.brief) if event.brief and event.sentence is heard else "",
            "points": event.points,
            "parts": [(self.words(what), points) for what, points in event.parts],
            "place": event.place,
        }

    def spelled(self, match: Match, move: Move) -> str:
        """A move in this reader's words, or in notation where the game has none."""
        return self.speak(match.game.spell(move)) if match.game.spell else match.game.show(move)

    def offered(self, game: Game, moves: Sequence[Move]) -> list[tuple[str, str]]:
        """Moves in notation and in this reader's words, where the game has such. The same are offered again and again."""
        names = tuple(self.name(seat) for seat in range(len(self.seating)))
        return _offered(game.show, game.spell, tuple(moves), self.words.language, names) if game.spell else []

    def to_play(self, trial: Match, seat: Seat, moves: Sequence[Move], eye: Seat | None, unsaid: Collection[Move] = ()) -> Say:
        """Moves of a seat one after the other in the infinitive, as far as this eye may know; all are played on the trial. What only ends a
        step goes without saying where something else is said."""
        told = [deed for move in moves if (deed := self._to_play(trial, seat, move, eye)) and move not in unsaid]
        said = [deed for deed, is_told in told if is_told] or [told[0][0]]
        return reduce(lambda one, other: say("{one}, then {other}", one=one, other=other), said)

    def _to_play(self, trial: Match, seat: Seat, move: Move, eye: Seat | None) -> tuple[Say, bool]:
        """The infinitive, and whether anything is told of the move; a room without infinitives, or a secret, is quoted as it is told."""
        game, before = trial.game, trial.state
        events = trial.play(seat, move).events
        if game.infinitive and all(event.heard_by(eye) is event.sentence for event in events):
            return game.infinitive(before, seat, move), bool(events)
        heard = next((heard for event in events if (heard := event.heard_by(eye))), None)
        return say("play “{move}”", move=heard or self.spelled(trial, move)), bool(heard)


def _named(said: str, name: Callable[[int], str]) -> str:
    return re.sub(r"<(\d+)>", lambda found: name(int(found[1])), said) if "<" in said else said


@lru_cache(REMEMBERED)
def _offered(
    show: Callable[[Move], str], spell: Callable[[Move], Say], moves: tuple[Move, ...], language: str, names: tuple[str, ...]
) -> list[tuple[str, str]]:
    words = Words(language)
    return [(show(move), _named(words(spell(move)), names.__getitem__)) for move in moves]


def aside(kind: str, seat: Seat) -> Event | None:
    """A line of the platform, where there are words for it."""
    return Event(kind, ASIDES[kind], seat) if kind in ASIDES else None


@lru_cache(REMEMBERED)
def initial(name: str) -> str:
    """A letter for the player's token; `Player 3` and `Bot 3` are told apart by their number."""
    number = re.search(r" (\d+)$", name)
    return number[1] if number else name[:1].upper()
