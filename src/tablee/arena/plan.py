"""Plan of a simulation: the game with its box, the bots, the options and the seed.

A plan is pickled as text, so a worker on any machine plays the same games.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from tablee import bots, games
from tablee.core.components import Components
from tablee.core.errors import TableeError
from tablee.core.game import Game, Options, S, choose_options
from tablee.core.i18n import msg

FORMAT = "tablee-plan/1"


@dataclass(frozen=True)
class Plan:
    game: str
    rules: int
    box: tuple[str, str] = field(repr=False)  # name and text of the components file
    seats: int
    bots: tuple[str, ...]  # a bot's name for each seat
    options: Options
    seed: int

    @classmethod
    def of(cls, game: Game[S], seats: int, names: Sequence[str], options: Mapping[str, Any], seed: int) -> Plan:
        """Validate and create a plan with a bot for each seat; options not given take the game's defaults."""
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
        """Parse and validate a plan, so that one that cannot be played here fails before the first game."""
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
        """Return the game with this plan's box."""
        return games.open_box(self.game, Components.parse(*self.box))

    @property
    def levels(self) -> list[int] | None:
        """Return the bots' level numbers, or None if the kernel cannot play one of them."""
        known = [bots.KERNEL_LEVELS[name].number for name in self.bots if name in bots.KERNEL_LEVELS]
        return known if len(known) == self.seats else None

    @cached_property
    def start(self) -> Any:
        """Return the initial state of every game."""
        return self.opened.setup(self.seats, self.options)
