"""Events become entries of a tale: in one reader's language, with the names of those who sit at the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tablee.core.game import NATURE, Event, Game, Move, Seat
from tablee.core.match import Match
from tablee.core.words import Say, Words, say
from tablee.server.kept.kinds import AGREE, ASK_BACK, BACK, CLAIM, DECLINE, DENIED, GRANTED, HANDED, HURRIED, OFFER, PAUSE, RESUME, STAND_IN
from tablee.server.tables.seating import Seating
from tablee.server.tables.tale import Entry

REMEMBERED = 1 << 12  # names, and lists of moves
ASIDES = {
    HURRIED: say("is not done thinking and plays at once"),
    ASK_BACK: say("would like to take back a move"),
    AGREE: say("agrees"),
    DECLINE: say("would rather not"),
    STAND_IN: say("is away: a bot plays on"),
    BACK: say("is back"),
    OFFER: say("is away: the seat may go to somebody else"),
    HANDED: say("takes over the seat"),
    CLAIM: say("would like to play on from another device"),
    GRANTED: say("plays on from another device"),
    DENIED: say("is not let in from another device"),
    PAUSE: say("pauses the game"),
    RESUME: say("goes on with the game"),
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

    def in_words(self, match: Match, seat: Seat, move: Move, eye: Seat | None) -> str:
        """What a move would be told as to this eye, were it played now."""
        return self._told_of(match.branch(), seat, move, eye) or self.spelled(match, move)

    def turn_in_words(self, match: Match, seat: Seat, turn: Sequence[Move]) -> str:
        """Moves of a seat, one after the other, as it would hear of them; what only ends a step goes without saying."""
        trial = match.branch()
        heard = [(self._told_of(trial, seat, move, seat), move) for move in turn]
        said = [self.spelled(match, move) if match.game.spell else words for words, move in heard if words]
        return ", ".join(said) or self.spelled(match, turn[0])

    def _told_of(self, trial: Match, seat: Seat, move: Move, eye: Seat | None) -> str:
        """What this eye would first hear of a move; it is played."""
        heard = (self.speak(said) for event in trial.play(seat, move).events if (said := event.heard_by(eye)))
        return next(heard, "")


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
