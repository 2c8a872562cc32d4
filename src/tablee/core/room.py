"""Defaults for a room that says little: `open_room` makes a `Game`, and derives what the room leaves out from its table of verbs.

    PLANT = Verb("plant", 0, CARDS.keys, told=mark("plants {what}"), label=mark("Plant {what}"), rule="O2")

is the notation of a kind of move, the sentence of its event, its label in a list of moves, and the rule that a refusal names. Whatever
a room needs to say better it passes to `open_room`, which hands it on to `Game`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from tablee.core.components import Components
from tablee.core.contract import OVER
from tablee.core.errors import IllegalMove
from tablee.core.game import NATURE, Event, Game, Move, Observation, S, Seat, View
from tablee.core.i18n import Message, msg
from tablee.core.kernel import Kernel
from tablee.core.notation import MoveKind, Notation
from tablee.core.struct import Grid, Struct
from tablee.core.tensors import Action

UNSEEN = "?"  # a secret operand, for those who may not know it
FINAL = "final"
UNUSED = "unused"


@dataclass(frozen=True)
class Verb(MoveKind):
    """A kind of move with its words, in which {what} is the title of its last operand.

    A verb with `public` is a secret: the others read that sentence. Its owner is the seat that plays it, like a card laid face down, which
    they read as `hide ?`, or the seat that its first operand names, if nature does, like a deal: `deal 0 ?`.
    """

    told: str = ""  # the sentence of its event, after a player's name; without one, the event is silent
    label: str = ""  # the move in a list of moves
    rule: str = ""  # its rule, which a refusal names
    refused: str = ""  # the reason of a refusal
    public: str = ""

    def owner(self, seat: Seat, move: Move) -> Seat | None:
        """Return the seat whose secret this move of a seat is."""
        if not self.public:
            return None
        return Seat(int(self.operands[move - self.first].split()[0])) if seat == NATURE else seat

    def show_to(self, seat: Seat, move: Move, viewer: Seat | None) -> str:
        owner = self.owner(seat, move)
        if owner is None or owner == viewer:
            return self.show(move)
        return f"{self.verb} {owner} {UNSEEN}" if seat == NATURE else f"{self.verb} {UNSEEN}"


@dataclass(frozen=True)
class Words:
    """What a room's verbs say about its moves; `title` returns the title of an operand."""

    notation: Notation
    title: Callable[[str], Message]

    def verb(self, move: Move) -> Verb:
        kind = self.notation.kind(move)
        assert isinstance(kind, Verb)
        return kind

    def say(self, text: str, move: Move) -> Message:
        operand = self.notation.show(move).rpartition(" ")[2]
        return msg(text, what=self.title(operand)) if "{what}" in text else msg(text)

    def label(self, move: Move) -> Message:
        verb = self.verb(move)
        return self.say(verb.label or verb.told, move)

    def event(self, seat: Seat, move: Move) -> tuple[Event, ...]:
        verb = self.verb(move)
        if not verb.told:
            return ()
        owner = verb.owner(seat, move)
        teller = owner if owner is not None else None if seat == NATURE else seat
        public = msg(verb.public) if verb.public else None
        return (Event(verb.verb, self.say(verb.told, move), teller, visible_to=owner, public_sentence=public),)

    def refuse(self, _state: object, _seat: Seat, move: Move) -> IllegalMove:
        verb = self.verb(move)
        reason = self.say(verb.refused, move) if verb.refused else msg("{move} is not possible now", move=self.notation.show(move))
        return IllegalMove(reason, verb.rule)


def open_room(
    kernel: ModuleType,
    components: Components,
    *,
    box: Struct,
    state: type[S],
    setup: Callable[..., S],
    verbs: Sequence[Verb],
    examples: str,
    titles: Callable[[str], Message] = msg,
    **said: Any,
) -> Game[S]:
    """Return the game of the package that `kernel` belongs to; `said` holds further fields of `Game`, such as its title and its seats.

    The package's folder names the game, as `my_game` does "my-game". The table as text and the view are made of the state's fields,
    and the page of the box shows `components.toml`.
    """
    folder = Path(str(sys.modules[kernel.__name__.rpartition(".")[0]].__file__)).parent
    words, opened = Words(Notation(verbs, examples), titles), Kernel(kernel, box, state)
    defaults: dict[str, Any] = {
        "key": folder.name.replace("_", "-"),
        "author": "",
        "rules": 1,
        "options": (),
        "setup": setup,
        "show": words.notation.show,
        "read": words.notation.read,
        "show_redacted": partial(_show_to, words) if any(verb.public for verb in verbs) else None,
        "events": partial(_events, words, opened),
        "refuse": words.refuse,
        "describe": words.label,
        "view": view_fields,
        "text_board": draw_fields,
        "contents": dict,
        "actions": actions_of(verbs),
        "turn_opening_kinds": frozenset(verb.verb for verb in verbs if verb.label),
    }
    return Game(**(defaults | said), components=components, folder=folder, kernel=opened)


def _show_to(words: Words, seat: Seat, move: Move, viewer: Seat | None) -> str:
    return words.verb(move).show_to(seat, move, viewer)


def _events(words: Words, kernel: Kernel[Any, S], before: S, seat: Seat, move: Move, after: S) -> tuple[Event, ...]:
    """Return the event of a move, with the points that it brought; at the end, everybody's points."""
    found = words.event(seat, move)
    if kernel.to_act(after) != OVER:
        return found
    points = [kernel.score(after, each) for each in range(after.seats)]
    return (
        *found,
        *(
            Event(FINAL, msg("ends with {points}", points=points[each]), Seat(each))
            for each in sorted(range(after.seats), key=points.__getitem__)
        ),
    )


def view_fields(seen: Observation[S]) -> View:
    """Return the fields of a redacted state as numbers and lists, a row for each seat."""
    found: View = {}
    for name in seen.state.fields:
        value = getattr(seen.state, name)
        found[name] = [row.tolist() for row in value] if isinstance(value, Grid) else value if isinstance(value, int) else value.tolist()
    return found


def draw_fields(state: S) -> str:
    """Return the fields of a state as lines of text."""
    width = max(map(len, state.fields))
    return "\n".join(f"{name:<{width}}  {value}" for name, value in view_fields(Observation(None, state)).items())


def actions_of(verbs: Sequence[Verb]) -> tuple[Action, ...]:
    """Return the actions of a learner: the moves of the verbs with a label, and between them numbers that no move has.

    Operands without a length, such as the cells of an endless board, are too many: then there are none.
    """
    found, end = list[Action](), 0
    for verb in sorted((verb for verb in verbs if verb.label), key=lambda verb: verb.first):
        if verb.first > end:
            found.append(Action(UNUSED, verb.first - end, "no move"))
        if not isinstance(verb.operands, Sized):
            return ()
        found.append(Action(verb.verb, len(verb.operands), f"`{verb.verb}`"))
        end = verb.first + len(verb.operands)
    return tuple(found)
