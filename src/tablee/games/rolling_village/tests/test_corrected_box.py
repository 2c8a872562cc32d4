"""A corrected components.toml changes everything that depends on it: view, events, refusals, drawings and bots."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tablee.core.components import Components
from tablee.core.game import NATURE, Game
from tablee.core.i18n import Translator
from tablee.games.rolling_village import open_box
from tablee.games.rolling_village.box import ROWS
from tablee.games.rolling_village.loading import format_sums, load_pieces
from tablee.games.rolling_village.state import State
from tablee.games.rolling_village.tests.sample_sheets import ALONE, BOX, GAME, sheet
from tablee.games.rolling_village.turn import setup
from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.view.rendering import box_page
from tests.server.seeds import table_config

STANDARD = "avenues = [[3, 4], [5, 6], [7], [8, 9], [10, 11]]"
OTHER = "avenues = [[8, 6, 7], [9, 4], [5], [10], [11]]"
NAMES = ["6-8", "4, 9", "5", "10", "11"]
FIRST_AVENUE = "H . . H . .  . . . . . .  . . . . . .  . . . . . .  . . . . . ."


def corrected(*changes: tuple[str, str]) -> Components:
    text = GAME.components.text
    for right, other in changes:
        assert text.count(right) == 1
        text = text.replace(right, other)
    return Components.parse("mine.toml", text)


MINE = corrected((STANDARD, OTHER), ("any_avenue = [2, 12]", "any_avenue = [2, 3, 12]"))
MY_GAME: Game[State] = open_box(MINE)


def rolled(game: Game[State], *dice: int) -> State:
    """Return round 1, just rolled, of a sheet with projects on its first avenue."""
    state = setup(1, free_types=False)
    state.turn = 0
    state.marks[0] = sheet(FIRST_AVENUE)
    after: State = game.apply(state, NATURE, game.read(f"roll {dice[0]} {dice[1]}")).state
    return after


def refusal(game: Game[State], language: str) -> str:
    return game.refuse(rolled(game, 5, 2), ALONE, game.read("avenue A")).translate(Translator(language))


@pytest.mark.parametrize(
    ("sums", "name"), [([7], "7"), ([3, 4], "3-4"), ([6, 7, 8], "6-8"), ([3, 9], "3, 9"), ([2, 3, 4, 9], "2-4, 9"), ([], "-")]
)
def test_v9_an_avenue_is_called_by_its_sums(sums: list[int], name: str) -> None:
    assert format_sums(sums) == name


def test_v9_the_standard_avenues_keep_their_names_and_odds() -> None:
    assert load_pieces(GAME.components).avenues == ("3-4", "5-6", "7", "8-9", "10-11")
    assert [BOX.rolls_by_row[row] for row in range(ROWS)] == [5, 9, 6, 9, 5]


def test_v9_the_view_names_the_avenues_of_the_box() -> None:
    view = MY_GAME.view(MY_GAME.observe(rolled(MY_GAME, 5, 4), ALONE))
    assert view["avenues"] == NAMES
    assert view["avenue"] == "4, 9"
    assert MY_GAME.view(MY_GAME.observe(rolled(MY_GAME, 2, 1), ALONE))["avenue"] is None


def test_v9_a_score_is_told_by_the_name_on_the_sheet() -> None:
    state, sentences = rolled(MY_GAME, 5, 2), []
    for text in ("build forest 2A", "build forest 5B"):
        step = MY_GAME.apply(state, ALONE, MY_GAME.read(text))
        state, sentences = step.state, [str(event.sentence) for event in step.events]
    assert sentences == ["draws a Forest on 5B", "scores 5 points on avenue [6-8]"]
    assert MY_GAME.view(MY_GAME.observe(state, ALONE))["sheets"][0]["rounds"] == [{"avenue": "6-8", "points": 5}]


def test_v9_a_refusal_names_the_sums_of_the_box() -> None:
    assert refusal(GAME, "en") == "an avenue is picked only when the dice add up to 2 or 12 (V9)"
    assert refusal(MY_GAME, "en") == "an avenue is picked only when the dice add up to 2, 3 or 12 (V9)"
    assert refusal(MY_GAME, "fr") == "on ne choisit une avenue que si les dés font 2, 3 ou 12 (V9)"
    one = open_box(corrected((STANDARD, STANDARD.replace("[3, 4]", "[2, 3, 4]")), ("any_avenue = [2, 12]", "any_avenue = [12]")))
    assert refusal(one, "it") == "si sceglie un viale solo quando i dadi fanno 12 (V9)"
    none = open_box(corrected((STANDARD, STANDARD.replace("[3, 4]", "[2, 3, 4, 12]")), ("any_avenue = [2, 12]", "any_avenue = []")))
    assert refusal(none, "en") == "an avenue is never picked: the dice always name one (V9)"


def test_v1_the_drawing_and_the_box_page_name_them_too() -> None:
    wide = open_box(corrected((STANDARD, "avenues = [[3, 5, 7, 9, 11], [4], [6], [8], [10]]")))
    for game, names in ((MY_GAME, NAMES), (wide, ["3, 5, 7, 9, 11", "4", "6", "8", "10"])):
        _, *lines = game.text_board(rolled(game, 5, 2)).splitlines()
        assert [line.split("]")[0] + "]" for line in lines[2:]] == [f"{row} [{name}]" for row, name in zip("ABCDE", names, strict=True)]
        assert len({len(line) for line in lines}) == 1, "the columns stand below each other"
        assert re.findall(r'class="rv-avenue[^>]*>\[(.*?)\]', box_page(game, Translator("en"))) == names


def test_the_bot_knows_how_often_an_avenue_comes() -> None:
    """Two Houses on the first avenue count for more where 16 of 36 rolls name it than where 5 do."""
    assert [load_pieces(MINE).box.rolls_by_row[row] for row in range(ROWS)] == [16, 7, 4, 3, 2]
    both = (rolled(game, 6, 5) for game in (MY_GAME, GAME))
    mine, standard = (game.value(state, ALONE).points for game, state in zip((MY_GAME, GAME), both, strict=True))
    assert mine > standard + 1


def test_the_page_shows_the_avenues_of_the_box(tmp_path: Path) -> None:
    file, store = tmp_path / "mine.toml", Store.in_folder(tmp_path)
    file.write_text(MINE.text, encoding="utf-8")
    with TestClient(make_app(TableRegistry(store, {"rolling-village": file}, config=table_config()))) as client:
        made = client.post("/api/tables", json={"game": "rolling-village", "seats": [{"kind": "human"}]}).json()
        page = client.get(made["seats"][0]["link"].replace("#", "?")).text
    store.close()
    assert re.findall(r'<span class="sums"\s+title="(.*?)">\[\1\]', page) == NAMES
