"""Template data besides the view: tasks of the dice, projects that a cell may take, and a round's score before it is confirmed."""

from __future__ import annotations

from typing import Any

from tablee.core.i18n import Translator
from tablee.core.narration import NarrationEntry
from tablee.games.rolling_village.scene import (
    duty_message,
    offers_label,
    park_points,
    points_of_thirds,
    scene,
    scored_rounds,
    strip,
    tasks,
    visible_cells,
)
from tablee.games.rolling_village.state import State
from tablee.games.rolling_village.tests.sample_sheets import ALONE, GAME, build, position

EMPTY = ". . . . . . " * 5
TWO_HOUSES = "H . . . . .  . H . . . .  . . . . . .  . . . . . .  . . . . . ."


def view(state: State) -> dict[str, Any]:
    return GAME.view(GAME.observe(state, ALONE))


def asked(state: State) -> list[tuple[Any, ...]]:
    return [(task["do"], task.get("type"), task.get("column"), task["done"]) for task in tasks(view(state), ALONE)]


def test_v5_each_die_asks_for_its_project_in_the_other_dies_column() -> None:
    state = position(EMPTY, 1, (4, 2))
    assert asked(state) == [("build", "house", 2, False), ("build", "forest", 4, False)]
    assert asked(build(state, "build forest 4A")) == [("build", "house", 2, False), ("build", "forest", 4, True)]


def test_v6_a_double_asks_for_a_park_and_the_pencil_must_be_chosen() -> None:
    state = position(EMPTY, 2, (3, 3))
    assert asked(state) == [("build", "lake", 3, False), ("park", None, None, False)]
    assert scene(view(state))["pencils"] == ["lake", "park"]


def test_v8_v9_the_bonus_and_the_free_avenue_are_asked_for_too() -> None:
    assert [task[0] for task in asked(position(EMPTY, 3, (6, 6)))] == ["build", "park", "bonus", "avenue"]


def test_no_pencil_is_chosen_where_every_cell_takes_one_project() -> None:
    shown = scene(view(position(EMPTY, 1, (4, 2))))
    assert shown["pencils"] == []
    assert set(shown["cells"]["2C"]) == {"house"}
    assert set(shown["cells"]["4C"]) == {"forest"}


def test_v9_what_the_round_earns_is_shown_as_it_is_drawn() -> None:
    state = position(TWO_HOUSES, 1, (4, 2))
    assert view(state)["sheets"][0]["earning"] == {"house": 1}
    drawn = build(state, "build house 2A", "build forest 4B")
    assert view(drawn)["sheets"][0]["earning"] == {"house": 4}
    assert view(drawn)["sheets"][0]["counted"] == ["1A", "2A", "2B", "4B"]
    assert view(drawn)["sheets"][0]["rounds"] == [{"avenue": "5-6", "points": 4}]


def test_a_task_is_said_in_the_readers_language() -> None:
    first, second = tasks(view(position(EMPTY, 2, (3, 3))), ALONE)
    assert Translator("fr")(duty_message(first)) == "un Lac dans la colonne 3"
    assert Translator("it")(duty_message(second)).startswith("un Parco")


def test_a_pencil_has_one_key_whatever_is_offered() -> None:
    for dice in ((3, 3), (2, 2)):
        assert scene(view(position(EMPTY, 2, dice)))["key_of"] == {"house": 1, "forest": 2, "lake": 3, "park": 4}


def test_a_cell_says_what_it_takes_and_only_the_gains_there_are() -> None:
    assert str(offers_label({"house": 0, "forest": 0, "lake": 0})) == "takes House, Forest or Lake"
    assert str(offers_label({"house": 3, "lake": 0})) == "takes House +3 or Lake"
    assert Translator("fr")(offers_label({"park": 0})) == "accepte Parc"


def entry(kind: str, seat: int, place: str) -> NarrationEntry:
    return NarrationEntry(0, aside=False, kind=kind, seat=seat, place=place, parts=(("House", 1),))


def test_of_another_village_the_reader_sees_what_was_told_of_it() -> None:
    seen = view(position(TWO_HOUSES, 1, (4, 2), seats=2))
    entries = [entry("build", 1, "1A"), entry("build", 0, "2B")]
    assert visible_cells(seen, entries, me=0)[1] == {"1A": "house"}
    assert visible_cells(seen, entries, me=0)[0] == {"1A": "house", "2B": "house"}, (
        "one's own village is whole, and what is tried shows too"
    )


def test_v9_a_round_is_explained_by_what_was_told_of_it() -> None:
    drawn = view(build(position(TWO_HOUSES, 1, (4, 2)), "build house 2A", "build forest 4B"))
    assert scored_rounds(drawn, [entry("score", 0, "B"), entry("score", 1, "B")])[0] == [
        {"avenue": "5-6", "points": 4, "parts": (("House", 1),)}
    ]
    assert scored_rounds(drawn, [])[0] == []


def test_a_spectator_is_asked_nothing_and_has_done_nothing() -> None:
    watched = GAME.view(GAME.observe(position(EMPTY, 1, (4, 2)), None))
    assert [task["done"] for task in tasks(watched, None)] == [False, False]


def test_v11_the_strip_sums_each_third_and_shows_what_is_scored() -> None:
    seen = view(position(EMPTY, 1, (4, 2)))
    seen["sheets"][ALONE] |= {"rounds": [{"avenue": "5-6", "points": points} for points in (4, 0, 3, 5)]}
    rounds = strip(seen | {"round": 5}, ALONE)
    assert [each["number"] for each in rounds if each["ends"]] == [3, 6, 9]
    assert [each["number"] for each in rounds if each["now"]] == [5]
    assert [each["so_far"] for each in rounds] == [4, 4, 7, 12, None, None, None, None, None]
    assert points_of_thirds(seen, ALONE) == [7, 5, 0]


def test_parks_are_worth_nothing_until_one_counts() -> None:
    seen = view(position(EMPTY, 1, (4, 2)))
    assert park_points(seen, ALONE) is None
    assert park_points(seen | {"over": True}, ALONE) == 0
    seen["sheets"][ALONE] |= {"park_points": 20}
    assert park_points(seen, ALONE) == 20
