"""Pages to read: the rules with one turn in pictures, and the opened box, in three languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tablee import games
from tablee.core import record
from tablee.core.i18n import LANGUAGES, Translator
from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.view.rendering import box_page
from tablee.server.view.rule_book import EXAMPLE_FILE, EXAMPLE_TEMPLATE
from tests.server.engine import open_store
from tests.server.seeds import table_config

pytestmark = pytest.mark.one_engine

ILLUSTRATED = [key for key in games.known() if (games.folder(key) / "templates" / EXAMPLE_TEMPLATE).exists()]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    store = open_store(tmp_path_factory.mktemp("data"))
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as client:
        yield client
    store.close()


@pytest.mark.parametrize("path", ["/rules/chess", "/box/chess", "/new/chess"])
def test_a_game_that_is_not_there_is_a_page_that_says_so(client: TestClient, path: str) -> None:
    for answer in (client.get(path, headers={"accept-language": "fr"}), *([client.post(path)] if path.startswith("/new") else [])):
        assert answer.status_code == 404
        assert '<header class="top">' in answer.text
        assert "chess" in answer.text
        assert "Amérique 1500" in answer.text


@pytest.mark.parametrize("key", games.known())
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_to_read_has_the_common_header(client: TestClient, key: str, language: str) -> None:
    for path in (f"/rules/{key}", f"/box/{key}"):
        page = client.get(path, headers={"accept-language": language})
        assert page.status_code == 200
        assert f'<html lang="{language}">' in page.text
        assert '<a class="brand" href="/">' in page.text
        assert [f"/language/{code}?back={path}" in page.text for code in LANGUAGES] == [True] * len(LANGUAGES)
        assert 'id="theme"' in page.text
        assert len(re.findall("<h1", page.text)) == 1


def test_every_built_in_room_shows_a_turn() -> None:
    assert set(ILLUSTRATED) == {key for key in games.known() if key not in games.example_rooms()}


@pytest.mark.parametrize("key", ILLUSTRATED)
def test_the_example_is_a_record_of_the_rooms_own_box(key: str) -> None:
    """Run `make examples` where this fails."""
    game = games.find(key)
    example = record.parse((game.folder / EXAMPLE_FILE).read_text(encoding="utf-8"))
    assert len(record.replay(game, example).log) == example["moments"][-1]
    assert example["moments"] == sorted(example["moments"])


@pytest.mark.parametrize("key", ILLUSTRATED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_begin_with_a_turn_in_pictures(client: TestClient, key: str, language: str) -> None:
    page = client.get(f"/rules/{key}", headers={"accept-language": language}).text
    before, _, after = page.partition('<article class="prose rules">')
    assert 3 <= before.count("<figcaption>") == before.count("<figure>") <= 5
    assert Translator(language)("One turn in pictures") in before
    assert "<figure>" not in after
    ids = re.findall(r' id="([^"]+)"', page)
    assert sorted(set(ids)) == sorted(ids)


def test_a_room_without_pictures_has_its_rules_all_the_same(client: TestClient) -> None:
    page = client.get("/rules/dice-race").text
    assert "<figure>" not in page
    assert "<strong>D1</strong>" in page


@pytest.mark.parametrize("key", games.known())
def test_no_file_name_and_no_option_key_stands_in_a_players_text(key: str) -> None:
    for file in games.folder(key).glob("RULES*.md"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"`|\.toml|[a-z_] = ", text), file


@pytest.mark.parametrize("key", games.known())
def test_the_box_page_alone_needs_no_server(key: str) -> None:
    page = box_page(games.find(key), Translator("en"))
    assert not re.search(r'(?:src|href)="(?!#)', page)
    assert "<script" not in page
    assert "<style>" in page


@pytest.mark.parametrize("key", games.known())
def test_the_box_page_alone_brings_its_colours(key: str) -> None:
    page = box_page(games.find(key), Translator("en"))
    assert {"--paper", "--ink", "--seat-0"} <= set(re.findall(r"(--[\w-]+):", page))


@pytest.mark.parametrize("key", games.known())
def test_the_box_page_prints_no_line_of_the_file(client: TestClient, key: str) -> None:
    shown = re.sub(r"<(style|svg).*?</\1>|<[^>]+>", " ", client.get(f"/box/{key}").text, flags=re.DOTALL)
    assert ".toml" not in shown
    assert not re.search(r"\w = [\[{\"]", shown)


def test_the_corrected_box_is_the_one_that_is_shown(tmp_path: Path) -> None:
    file, store = tmp_path / "mine.toml", open_store(tmp_path)
    file.write_text(games.find("rolling-village").components.text.replace("solo_target = 60", "solo_target = 61"), encoding="utf-8")
    with TestClient(make_app(TableRegistry(store, {"rolling-village": file}, config=table_config()))) as client:
        assert "<b>61</b>" in client.get("/box/rolling-village").text
        assert "<figcaption>" in client.get("/rules/rolling-village").text, "the example is of the room's own box"
    store.close()
