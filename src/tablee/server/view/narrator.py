"""Events become entries of a tale: in one reader's language, with the names of those who sit at the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

from tablee.core.game import NATURE, Event, Game, Move, Seat
from tablee.core.i18n import Message, Translator, msg
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
from tablee.server.table.narration import NarrationEntry
from tablee.server.table.seats import Seating

CACHE_SIZE = 1 << 12  # names, and lists of moves
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


@dataclass(frozen=True)
class Narrator:
    words: Translator
    seating: Seating

    def name(self, seat: int) -> str:
        chair, number = self.seating.seats[seat], seat + 1
        if name := self.seating.names[seat]:
            return name
        return self.words(msg("Bot {number}", number=number) if chair.kind == "bot" else msg("Player {number}", number=number))

    def render(self, sentence: Message) -> str:
        """Rules speak of `seat 2`-style marks, <2>; people have names."""
        return _with_names(self.words(sentence), self.name)

    def entries(self, position: float, actor: Seat, events: Sequence[Event], viewer: Seat | None) -> list[NarrationEntry]:
        return [self._entry(position, actor, event, heard) for event in events if (heard := event.message_for(viewer))]

    def _entry(self, position: float, actor: Seat, event: Event, heard: Message) -> NarrationEntry:
        seat = actor if event.seat is None else event.seat
        return {
            "position": position,
            "seat": None if seat == NATURE else seat,
            "name": "" if seat == NATURE else self.name(seat),
            "by_nature": actor == NATURE,
            "kind": event.kind,
            "sentence": self.render(heard),
            "brief": self.render(event.brief) if event.brief and event.sentence is heard else "",
            "points": event.points,
            "parts": [(self.words(what), points) for what, points in event.parts],
            "place": event.place,
        }

    def move_text(self, match: Match, move: Move) -> str:
        """A move in this reader's words, or in notation where the game has none."""
        return self.render(match.game.describe(move)) if match.game.describe else match.game.show(move)

    def move_labels(self, game: Game, moves: Sequence[Move]) -> list[tuple[str, str]]:
        """Moves in notation and in this reader's words, where the game has such. The same are offered again and again."""
        names = tuple(self.name(seat) for seat in range(len(self.seating)))
        return _move_labels(game.show, game.describe, tuple(moves), self.words.language, names) if game.describe else []

    def infinitive(self, trial: Match, seat: Seat, moves: Sequence[Move], viewer: Seat | None, omitted: Collection[Move] = ()) -> Message:
        """Moves of a seat one after the other in the infinitive, as far as this eye may know; all are played on the trial. What only ends a
        step goes without saying where something else is said."""
        told = [deed for move in moves if (deed := self._infinitive(trial, seat, move, viewer)) and move not in omitted]
        said = [deed for deed, is_told in told if is_told] or [told[0][0]]
        return reduce(lambda one, other: msg("{one}, then {other}", one=one, other=other), said)

    def _infinitive(self, trial: Match, seat: Seat, move: Move, eye: Seat | None) -> tuple[Message, bool]:
        """The infinitive, and whether anything is told of the move; a room without infinitives, or a secret, is quoted as it is told."""
        game, before = trial.game, trial.state
        events = trial.play(seat, move).events
        if game.infinitive and all(event.message_for(eye) is event.sentence for event in events):
            return game.infinitive(before, seat, move), bool(events)
        heard = next((heard for event in events if (heard := event.message_for(eye))), None)
        return msg("play “{move}”", move=heard or self.move_text(trial, move)), bool(heard)


def _with_names(said: str, name: Callable[[int], str]) -> str:
    return re.sub(r"<(\d+)>", lambda found: name(int(found[1])), said) if "<" in said else said


@lru_cache(CACHE_SIZE)
def _move_labels(
    show: Callable[[Move], str], spell: Callable[[Move], Message], moves: tuple[Move, ...], language: str, names: tuple[str, ...]
) -> list[tuple[str, str]]:
    words = Translator(language)
    return [(show(move), _with_names(words(spell(move)), names.__getitem__)) for move in moves]


def aside_event(kind: str, seat: Seat) -> Event | None:
    """A line of the platform, where there are words for it."""
    return Event(kind, ASIDES[kind], seat) if kind in ASIDES else None


@lru_cache(CACHE_SIZE)
def initial(name: str) -> str:
    """A letter for the player's token; `Player 3` and `Bot 3` are told apart by their number."""
    number = re.search(r" (\d+)$", name)
    return number[1] if number else name[:1].upper()
