"""Blind people play: a player with nothing but the accessibility tree and the keyboard finishes games, lessons, a review and a class."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest

from tablee import games
from tablee.core import tutorial
from tests.browser.by_ear import Listener
from tests.browser.table import BrowserTable, LateGame, OpenTable, Screens
from tests.browser.test_pages import is_english
from tests.browser.waiting import until
from tests.rounds import rounds

PERSON, BOTS = "Player {number}", "Bot {number}"

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

LEFT = 60  # lines of the log
LOCALES = {"en": "en-GB", "fr": "fr-FR"}
ROOMS = list(games.known())
TAUGHT = [room for room in ROOMS if tutorial.load_tutorial(games.folder(room))]


def in_both_languages(rooms: list[str], first: str) -> list[tuple[str, str]]:
    """Return the rooms with a language each, by turns; with TABLEE_ROUNDS=many each room in both."""
    languages = [first, *(each for each in LOCALES if each != first)]
    turns = [(room, languages[number % 2]) for number, room in enumerate(rooms)]
    return rounds(few=turns, many=[(room, language) for room in rooms for language in languages])


def screen(language: str) -> dict[str, Any]:
    return {"locale": LOCALES[language]}


def check_language(listener: Listener) -> None:
    """Check that a French person hears no English."""
    heard = {text for node in listener.hear() for text in (node.name, node.text)} | set(listener.announced)
    assert listener.language == "en" or not [text for text in heard if is_english(text, listener.language)]


def points_said(name: str, listener: Listener) -> set[int]:
    """Return the numbers in what is said of a player, in the list of players or in the table of results."""
    said = [node.text for node in listener.hear() if node.role in ("listitem", "row") and node.text.startswith(f"{name} ")]
    return {int(number) for text in said for number in re.findall(r"\d+", text)}


def opened(screens: Screens, room: str, seats: int) -> BrowserTable:
    """Open a game; one of many turns is near its end, because its lesson has been played by ear from the beginning."""
    if room in rounds(few=("amerique-1500", "mayflower"), many=()):
        return LateGame(screens, room, seats, left=LEFT)
    first = {"first": 0} if any(option.key == "first" for option in games.find(room).options) else {}
    return BrowserTable(screens, room, ["", *["greedy"] * (seats - 1)], first)


@pytest.mark.parametrize(("room", "language"), in_both_languages(ROOMS, "en"))
def test_a_game_is_played_to_its_end_by_ear(screens: Screens, room: str, language: str) -> None:
    seats = min(games.find(room).seats[-1], 5)  # the more bots, the fewer turns
    table = opened(screens, room, seats)
    listener = Listener(table.sit(0, **screen(language)), language)
    listener.play()
    seen = table.see(0)
    assert seen["status"] == "over"
    name, *others = (listener.word(PERSON if not seat else BOTS).format(number=seat + 1) for seat in range(seats))
    assert seen["scores"][0] in points_said(name, listener)
    assert [name for name in others if not any(name in text for text in listener.announced)] == []
    check_language(listener)


@pytest.mark.parametrize(("room", "language"), in_both_languages(TAUGHT, "fr"))
def test_a_lesson_is_finished_by_ear(screens: Screens, room: str, language: str) -> None:
    listener = Listener(screens.show("/", **screen(language)), language)
    offered = {listener.word("First time? Learn by playing, 5 minutes"), games.find(room).title}
    listener.press(next(node for node in listener.hear() if all(words in node.name for words in offered)))
    listener.learn()
    assert listener.find("button", "Now a real game, against an easy bot")
    check_language(listener)


@pytest.mark.parametrize("language", rounds(few=["fr"], many=list(LOCALES)))
def test_a_finished_game_is_looked_back_at_by_ear(open_table: OpenTable, language: str) -> None:
    table = open_table("rolling-village", ["Ada", "greedy"]).finish()
    listener = Listener(table.sit(0, **screen(language)), language)
    listener.press(listener.await_node("button", "Look back"))
    listener.press(listener.await_node("slider", "Turn of the game"), "Home")
    told = list[str]()
    for _ in range(11):
        told.append(listener.question())
        listener.press(listener.await_node("button", "Next turn"))
    assert len(set(told)) == len(told), "every turn is told"
    listener.press(listener.await_node("button", "Close"))
    assert listener.find("button", "Look back")
    check_language(listener)


def join_class(screens: Screens, language: str, code: str, name: str) -> Listener:
    """Come to the start page, type the code and a first name."""
    pupil = Listener(screens.show("/", **screen(language)), language)
    pupil.type("I have a code", code)
    pupil.type("Your first name", name)
    until(pupil.page, lambda: any(name in node.name for node in pupil.hear() if node.role == "heading"))
    return pupil


def is_same_on_the_overview(organiser: Listener, name: str, pupil: Listener) -> bool:
    """Tell whether the organiser hears the points that the pupil hears."""
    points = re.findall(r"\d+", organiser.await_text(rf"\b{name} \D*\d+"))
    return int(points[0]) in points_said(name, pupil)


@pytest.mark.parametrize("language", rounds(few=["fr"], many=list(LOCALES)))
def test_a_class_plays_a_round_by_ear(screens: Screens, language: str) -> None:
    organiser = Listener(screens.show("/", **screen(language)), language)
    organiser.press(organiser.await_node("link", "Gather a class"))
    organiser.type("Name of the class", "5B")
    code = organiser.await_text(r"\b[A-Z]{6}\b")
    pupils = [join_class(screens, language, code, name) for name in ("Ann", "Bo")]
    organiser.choose("Game", "Rolling Village")
    organiser.choose("Fill empty seats with", "nobody")
    organiser.press(organiser.await_node("button", "Seat everyone at random"))
    for pupil in pupils * 10:  # the set-up and nine rounds, each by both
        pupil.take_turn()
    for name, pupil in zip(("Ann", "Bo"), pupils, strict=True):
        assert pupil.await_node("heading", "The game is over")
        until(pupil.page, partial(is_same_on_the_overview, organiser, name, pupil))
        check_language(pupil)
    check_language(organiser)
    screens.close()
