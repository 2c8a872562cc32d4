"""A player who hears the page: it has the accessibility tree and the keyboard, and learns the rest as it plays.

It knows no id, no attribute, no selector and no rule: only roles, names and states, and the platform's words, which are the same at every
table. It presses what it hears, remembers which buttons bring a turn on, and confirms. Where it is stuck, so is a blind person.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from playwright.sync_api import Error, Page

from tablee.core.i18n import Translator
from tests.browser.waiting import answered, until

LINE = re.compile(r"^( *)- (?:'((?:[^']|'')*)'|(\w+(?: \"(?:[^\"\\]|\\.)*\")?(?: \[[^\]]*\])*))(?::(?: (.*))?)?$")
NODE = re.compile(r'^(\w+)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)$')
GONE_MS = 10_000  # after this long, a button is gone
PRESSES_PER_TURN, PATIENCE = 100, 20  # after so many presses the player steps back and tries something else


@dataclass
class Node:
    """What a screen reader says of an element."""

    role: str
    name: str
    states: str
    text: str
    around: tuple[str, ...]  # the roles and names of the landmarks, groups and dialogs around it
    number: int  # among the elements of the same role and name

    @property
    def enabled(self) -> bool:
        return "[disabled]" not in self.states

    @property
    def aside(self) -> bool:
        """Tell whether it stands in a landmark that belongs to every page, or to what only tells more."""
        return any(each.startswith(("navigation", "complementary")) for each in self.around)

    @property
    def kind(self) -> str:
        """Return what its neighbours share: where it is, and its first word without figures."""
        words = re.sub(r"[\d\W]", " ", self.name).split()
        return " ".join([*self.around[-1:], *words[:1]])


def read(snapshot: str) -> list[Node]:
    """Return the nodes of an ARIA snapshot in reading order; a node's text includes that of the nodes inside it."""
    nodes, open_nodes, seen = list[Node](), list[tuple[int, Node]](), Counter[tuple[str, str]]()
    for line in snapshot.splitlines():
        if not (found := LINE.match(line)):  # the address of a link
            continue
        indent, (role, name, states) = len(found[1]), NODE.match((found[2] or "").replace("''", "'") or found[3]).groups()  # type: ignore[union-attr]
        name, text = re.sub(r"\\(.)", r"\1", name or ""), re.sub(r'^"|"$', "", found[4] or "")
        open_nodes = [each for each in open_nodes if each[0] < indent]
        for _, around in open_nodes:
            around.text = " ".join(filter(None, (around.text, name, text)))
        ancestors = tuple(f"{each.role} {each.name}" for _, each in open_nodes if each.name and each.role != "button")
        node = Node(role, name, states, text, ancestors, seen[role, name])
        nodes.append(node)
        seen[role, name] += 1
        open_nodes.append((indent, node))
    return nodes


class Listener:
    """One person at one page, in one language."""

    def __init__(self, page: Page, language: str = "en", seed: int = 1) -> None:
        self.page, self.language = page, language
        self._heard = list[Node]()
        self.announced, self._spoken = list[str](), list[str]()  # by live regions; what stands there is announced once
        self._rng, self._tries, self._gains = random.Random(seed), Counter[str](), Counter[str]()

    def word(self, text: str) -> str:
        """Return one of the platform's texts in this person's language, with the plain spaces of a snapshot."""
        return " ".join(Translator(self.language)(text).split())

    def hear(self) -> list[Node]:
        """Return the page as it is now, and note what was announced."""
        nodes = self._heard = read(self.page.aria_snapshot())
        spoken = [node.text for node in nodes if node.role in ("status", "alert") and node.text]
        self.announced += [text for text in spoken if text not in self._spoken]
        self._spoken = spoken
        return nodes

    def find(self, role: str, word: str, nodes: Sequence[Node] = ()) -> Node | None:
        """Return the first enabled node with this role and one of the platform's words as its name."""
        return next((node for node in nodes or self.hear() if (node.role, node.name) == (role, self.word(word)) and node.enabled), None)

    def await_node(self, role: str, word: str) -> Node:
        found = until(self.page, partial(self.find, role, word))
        assert found
        return found

    def question(self) -> str:
        """Return what the page asks or tells now."""
        return asked(self.hear())

    def press(self, node: Node, key: str = "Enter") -> list[Node]:
        """Press a key on a button; return the page once it has answered."""
        button = self.page.get_by_role(node.role, name=node.name, exact=True).nth(node.number)  # type: ignore[arg-type]
        with suppress(Error):  # the button is gone, because others have moved
            button.press(key, timeout=GONE_MS)
        answered(self.page)
        return self.hear()

    def type(self, field: str, text: str) -> None:
        """Type a text into a field, and press Enter."""
        self.await_node("textbox", field)
        box = self.page.get_by_role("textbox", name=self.word(field), exact=True)
        box.press_sequentially(text)
        box.press("Enter")

    def choose(self, field: str, option: str) -> None:
        """Choose from a list by typing the beginning of an option."""
        self.page.get_by_role("combobox", name=self.word(field), exact=True).press_sequentially(self.word(option))

    def await_text(self, pattern: str) -> str:
        """Wait until the page says something like this, and return it."""
        return until(self.page, lambda: re.search(pattern, " ".join(node.text for node in self.hear()) + " "))[0]  # type: ignore[index]

    def play(self) -> None:
        """Play until the game is over."""
        while self.take_turn():
            pass

    def take_turn(self) -> bool:
        """Wait for one's turn, and play it; return False once the game is over."""
        if not self._await_turn():
            return False
        self._press_and_confirm()
        return True

    def learn(self) -> None:
        """Play a lesson: press what the note names, in the order in which it is named."""
        note, presses = "", Counter[tuple[str, int]]()
        while self._await_turn():
            nodes = self.hear()
            note, before = self._note(nodes), note
            if note != before:
                presses.clear()
            named = mentioned(self._choices(nodes), note)
            assert named, f"{note!r} names nothing that can be pressed"
            step = min(named, key=lambda node: presses[node.name, node.number])
            presses[step.name, step.number] += 1
            assert presses.total() < PRESSES_PER_TURN, f"nothing that {note!r} names helps: {presses}"
            self._try(step)

    def _note(self, nodes: Sequence[Node]) -> str:
        """Return the last sentence of the lesson's note: what to do now."""
        lesson = f"region {self.word('Your first game')}"
        return next((node.text for node in reversed(nodes) if node.role == "paragraph" and lesson in node.around), "")

    def _await_turn(self) -> bool:
        """Wait for one's turn or for the end; tell whether there is a turn to play."""
        return until(self.page, lambda: self._turn(self.hear())) == "turn"

    def _turn(self, nodes: Sequence[Node]) -> str:
        if self.find("heading", "The game is over", nodes):
            return "over"
        return "turn" if self.find("heading", "It is your turn", nodes) else ""

    def _press_and_confirm(self) -> None:
        nodes, tried = self.hear(), set[tuple[str, int]]()
        question = asked(nodes)
        for number in range(1, PRESSES_PER_TURN + 1):
            if self._turn(nodes) != "turn":
                return
            if confirm := self.find("button", "Confirm", nodes):
                self.press(confirm)
                return
            back = self.find("button", "Undo step", nodes)
            choices = [node for node in self._choices(nodes) if (node.name, node.number) not in tried]
            step = back if not choices or (back and number % PATIENCE == 0) else max(choices, key=self._promise)
            assert step, f"nothing more to press; tried {sorted(tried)} in\n{nodes}"
            nodes = self._try(step)
            tried = tried | {(step.name, step.number)} if asked(nodes) == question else set()
            question = asked(nodes)
        raise AssertionError(f"no turn in {PRESSES_PER_TURN} presses: {question}")

    def _choices(self, nodes: Sequence[Node]) -> list[Node]:
        platform = {self.word(each) for each in ("Hint", "Undo step", "Undo move", "Ask to undo")}
        return [node for node in nodes if node.role == "button" and node.enabled and node.name not in platform and not node.aside]

    def _promise(self, node: Node) -> tuple[float, float]:
        """Return the share of presses of this kind that brought the turn on (1 for what is new), and a random number."""
        return (self._gains[node.kind] + 1) / (self._tries[node.kind] + 1), self._rng.random()

    def _try(self, step: Node) -> list[Node]:
        """Press a button, close what it only opens, and remember whether it brought the turn on."""
        before = asked(self._heard)
        nodes = self.press(step)
        if opened := any(node.role == "dialog" for node in nodes):
            self.page.keyboard.press("Escape")
            nodes = self.hear()
        self._tries[step.kind] += 1
        self._gains[step.kind] += not opened and asked(nodes) != before
        return nodes


def asked(nodes: Sequence[Node]) -> str:
    """Return what the page asks: the status in the region where it says so."""
    return " ".join(node.text for node in nodes if node.role == "status" and len(node.around) > 1)


def mentioned(buttons: Sequence[Node], sentence: str) -> list[Node]:
    """Return the buttons whose names begin with words of the sentence, in the order of these words.

    Of buttons that begin alike, the longest match comes first, then the one in whose group the sentence has just said to look.
    """
    words, found = stems(sentence), list[tuple[int, int, int, int]]()
    for number, button in enumerate(buttons):
        name, group = stems(button.name), set(stems((button.around or ("",))[-1]))
        lengths = [common(name, words[at:]) for at in range(len(words))]
        if best := max(lengths, default=0):
            at = lengths.index(best)
            nearest = max((place for place in range(at) if words[place] in group), default=-1)
            found.append((at, -best, -nearest, number))
    return [buttons[number] for *_, number in sorted(found)]


def stems(text: str) -> list[str]:
    """Return the words of a text without their endings; single letters keep their case, or every "a" would be row A."""
    return [word if len(word) == 1 else word[:5].casefold() for word in re.findall(r"\w+", text)]


def common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words two texts have in common at their beginnings."""
    return next((length for length, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
