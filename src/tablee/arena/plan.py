"""A plan says which games are played, the box included. It travels as text, so that a worker anywhere plays the very same games."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from tablee import bots, games
from tablee.core.components import Components
from tablee.core.errors import TableeError
from tablee.core.game import Game, Options, choose_options
from tablee.core.i18n import msg

FORMAT = "tablee-plan/1"


@dataclass(frozen=True)
class Plan:
    game: str
    rules: int
    box: tuple[str, str] = field(repr=False)  # the name and the text of its components
    seats: int
    bots: tuple[str, ...]  # the name of one for each seat
    options: Options
    seed: int

    @classmethod
    def of(cls, game: Game, seats: int, names: Sequence[str], options: Mapping[str, Any], seed: int) -> Plan:
        """A bot for each seat; options that are not named are the game's own."""
        chosen = choose_options(game, seats, options)
        if len(names) != seats:
            raise TableeError(msg("one bot is needed for each seat: {seats}, not {levels}", levels=len(names), seats=seats))
        for name in names:
            bots.find(name)
        if type(seed) is not int:
            raise TableeError(msg("a seed is a whole number, not {seed!r}", seed=seed))
        return cls(game.key, game.rules, (game.components.name, game.components.text), seats, tuple(names), chosen, seed)

    def dump(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return Plan.parse, (self.dump(),)

    @classmethod
    def parse(cls, text: str) -> Plan:
        """The plan that somebody sent; what cannot be played here is said before anything is."""
        try:
            found = json.loads(text)
            if found.pop("format") != FORMAT:
                raise ValueError
            plan = cls(**{**found, "box": tuple(found["box"]), "bots": tuple(found["bots"])})
            game = plan.opened
        except (ValueError, TypeError, KeyError, AttributeError):
            raise TableeError(msg("this is not a plan of format {format}", format=FORMAT)) from None
        if game.rules != plan.rules:
            raise TableeError(msg("this plan is for rules {theirs}; these are rules {ours}", theirs=plan.rules, ours=game.rules))
        return cls.of(game, plan.seats, plan.bots, plan.options, plan.seed)

    @cached_property
    def opened(self) -> Game:
        """The game with this plan's box."""
        return games.open_box(self.game, Components.parse(*self.box))

    @property
    def levels(self) -> list[int] | None:
        """What the kernel calls these bots, if it knows them all."""
        known = [bots.LEVELS[name].number for name in self.bots if name in bots.LEVELS]
        return known if len(known) == self.seats else None

    @cached_property
    def start(self) -> Any:
        """The state that every game begins with."""
        return self.opened.setup(self.seats, self.options)
