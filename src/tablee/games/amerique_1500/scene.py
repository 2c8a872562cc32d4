"""Template data that only the page needs: the drawings, and the view's goods and moves in display order; it knows no more than the view."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from tablee.core.components import Components
from tablee.core.html import Html
from tablee.core.i18n import Message, Translator, msg
from tablee.core.narration import NarrationEntry
from tablee.games.amerique_1500 import art
from tablee.games.amerique_1500.barter import LOCKS
from tablee.games.amerique_1500.box import GOODS
from tablee.games.amerique_1500.multipliers import FIVE, THREE
from tablee.games.amerique_1500.names import COUNTED, DESCRIPTIONS, name
from tablee.games.amerique_1500.notation import ACTIONS
from tablee.games.amerique_1500.societies import STORIES

STACKS = (FIVE, THREE, 1)  # A20
CACHE_SIZE = 1 << 12  # stocks and costs
CHOSEN = {"take": "gained", "spare": "gained", "give": "paid", "hand": "paid"}


def rolled(narration: Sequence[NarrationEntry]) -> int:
    """Return the position in the log of the last roll."""
    return next((entry.position for entry in reversed(narration) if entry.kind == "roll"), -1)


def gifts(view: Mapping[str, Any], draft: Sequence[str], me: int | None) -> list[str]:
    """Return the die's goods of this turn by seat, while the viewer may still have to throw the die (die.js)."""
    die, may_throw = view["die"], not draft and view["phase"] == "action" and me == view["active"]
    return [die["goods"] if die and may_throw and (die["all"] or each["seat"] == me) else "" for each in view["players"]]


def verbs(legal: Sequence[str]) -> set[str]:
    """Return what the legal moves do: their first words."""
    return {move.split()[0] for move in legal}


def by_key(pieces: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    return {each["key"]: each for each in pieces}


def cards(view: Mapping[str, Any], gifts: Sequence[str]) -> list[tuple[str, str, int, int]]:
    """Return for each player's card the society, its name, the number of goods, and how many of them came from the die."""
    return [
        (each["society"], name("society", each["society"]), each["total"], len(gift))
        for each, gift in zip(view["players"], gifts, strict=True)
    ]


@lru_cache(CACHE_SIZE)
def counts(letters: str) -> tuple[tuple[str, int], ...]:
    return tuple([(letter, letters.count(letter)) for letter in GOODS if letter in letters])


@lru_cache(CACHE_SIZE)
def goods_text(translator: Translator, letters: str) -> str:
    """Return goods as text, for screen readers."""
    return translator.join_list(good_text(letter, count) for letter, count in counts(letters)) or translator(msg("nothing"))


def good_text(letter: str, count: int) -> Message:
    """Return a number of goods of one kind as a message."""
    return msg(*COUNTED[letter], count=count)


def stacks(count: int) -> list[int]:
    """Return how a number of goods is laid out, the largest multiplier cards first: 9 is 5 + 3 + 1 (A20)."""
    laid = []
    for stack in STACKS:
        laid += [stack] * (count // stack)
        count %= stack
    return laid


def marked(cost: str, stock: str) -> list[tuple[str, bool]]:
    """Return each good of a cost, and whether the stock has it."""
    return [(letter, number < stock.count(letter)) for letter in GOODS for number in range(cost.count(letter))]


def cost_marks(cost: str, stock: str, gift: str) -> list[tuple[str, str]]:
    """Return each good of a cost and its CSS class beside the stock; `gift` is the part of the stock from a die perhaps not yet thrown."""
    pairs = zip(marked(cost, stock), marked(cost, _without(stock, gift)), strict=True)
    return [(letter, "" if early else "brought" if there else "lacking") for (letter, there), (_, early) in pairs]


def _without(stock: str, gift: str) -> str:
    for letter in gift:
        stock = stock.replace(letter, "", 1)
    return stock


def lacking(cost: str, stock: str) -> str:
    return "".join(letter for letter, there in marked(cost, stock) if not there)


def chosen(draft: Sequence[str], verb: str) -> str:
    """Return the goods that the last moves of a draft choose one by one."""
    letters = ""
    for move in reversed(draft):
        if not move.startswith(f"{verb} "):
            break
        letters = move[-1] + letters
    return letters


def before_swaps(draft: Sequence[str], stock: str) -> str:
    """Return the goods from which the barter of this draft began."""
    stand = {letter: stock.count(letter) for letter in GOODS}
    for given, taken in (move.removeprefix("swap ").split(">") for move in draft if move.startswith("swap ")):
        stand[taken] -= 1
        for letter in given:
            stand[letter] += 1
    return "".join(letter * count for letter, count in stand.items())


def tray(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return the barter for the page's JavaScript: how many goods each seat gives for one, and which goods a good locks."""
    return {"goods": GOODS, "prices": [each["ratio"] for each in view["players"]], "shuts": LOCKS}


def weapons(tools: Mapping[str, str], board: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the items that would make a hunt card playable (R2); those of the own board, if it has any."""
    own = [item["key"] for item in board if item["key"] in tools]
    return own or list(tools)


def plan(draft: Sequence[str]) -> list[dict[str, str]]:
    """Return a draft as steps to draw: the drawing's family and key, and the goods that go out and come in."""
    steps: list[dict[str, str]] = []
    for move in draft:
        step = {"family": "", "key": "", "paid": "", "gained": ""} | _step(move)
        if steps and not step["family"] and not steps[-1]["family"]:
            steps[-1] |= {"paid": steps[-1]["paid"] + step["paid"], "gained": steps[-1]["gained"] + step["gained"]}
        elif move != "done":
            steps.append(step)
    return steps


def _step(move: str) -> dict[str, str]:
    verb, _, rest = move.partition(" ")
    if verb in ACTIONS:
        return {"family": "action", "key": verb}
    if verb in CHOSEN:
        return {CHOSEN[verb]: rest}
    if swap := re.fullmatch(r"(\w+)>(\w)", rest):
        return {"paid": swap[1], "gained": swap[2]}
    family = {"play": "card", "make": "item", "serve": "request"}.get(verb, "")
    return {"family": family, "key": rest.split(" ")[0]}


class SceneBuilder:
    """Builder of the scenes of one box; makes its drawings once. The parts of a page get it for what is the same in all views."""

    says, stories = DESCRIPTIONS, STORIES
    name, counts, goods_text = staticmethod(name), staticmethod(counts), staticmethod(goods_text)
    stacks, cost_marks, lacking, weapons = staticmethod(stacks), staticmethod(cost_marks), staticmethod(lacking), staticmethod(weapons)

    def __init__(self, components: Components) -> None:
        self._facts = components.data

    @cached_property
    def sheet(self) -> Html:
        return Html(art.sheet(self._facts))  # our own drawings; text of an owner is escaped where it is drawn

    def art(self) -> str:
        """Return the drawings as an SVG document, for the table's page."""
        return self.sheet

    def scene(self, view: dict[str, Any]) -> dict[str, Any]:
        return {
            "box": self,
            "sheet": self.sheet,
            "name": name,
            "says": DESCRIPTIONS,
            "asks": {each["seat"]: each for each in view["awaits"]},
            "societies": [each["society"] for each in view["players"]],
            "cards": cards,
            "servable": 0 if view["over"] else sum(each["servable"] for each in view["requests"]),
            "verbs": verbs,
            "by_key": by_key,
            "rolled": rolled,
            "gifts": gifts,
            "counts": counts,
            "goods_text": goods_text,
            "stacks": stacks,
            "chosen": chosen,
            "before_swaps": before_swaps,
            "plan": plan,
            "client": {"tray": tray(view)},
        }

    def helps(self, society: str, item: str) -> list[tuple[str, str]]:
        """Return the cards of a society's deck that give something with this tool, and what they give (A11)."""
        cards: Mapping[str, Any] = self._facts["cards"]
        deck = self._facts["societies"][society]["cards"]
        return [(card, cards[card]["with"][item]) for card in deck if item in cards[card].get("with", {})]
