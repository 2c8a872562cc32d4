"""The art of a box: its address follows from its content, browsers keep it, and pages without it are small."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from tablee import games
from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tests.server.engine import open_store
from tests.server.seeds import table_config
from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine

WITH_ART = [key for key in games.known() if games.find(key).art]
MAX_PAGE_BYTES = {"mayflower": 150_000, "amerique-1500": 70_000}  # of the first page, uncompressed
CORRECTION = ('towns = ["N+"]', 'towns = ["N"]')  # tiles without their shield


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def client(store: Store) -> Iterator[TestClient]:
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as client:
        yield client


def page_of(client: TestClient, key: str) -> str:
    return str(client.get(f"/t/{TableClient(client, game=key).made['table']}").text)


def art_of(page: str) -> str:
    """Return the address of a page's art."""
    found = re.search(r'data-art="([^"]+)"', page)
    assert found
    return found[1]


def test_both_drawn_games_have_art() -> None:
    assert set(MAX_PAGE_BYTES) <= set(WITH_ART)


@pytest.mark.parametrize("key", WITH_ART)
def test_the_address_of_the_art_follows_from_its_content(client: TestClient, key: str) -> None:
    address = art_of(page_of(client, key))
    answer = client.get(address)
    assert answer.status_code == 200
    assert Path(address).stem == hashlib.sha256(answer.content).hexdigest()[:16]
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert ElementTree.fromstring(answer.text).tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize("key", WITH_ART)
def test_a_page_holds_or_fetches_everything_that_it_draws(client: TestClient, key: str) -> None:
    page = page_of(client, key)
    drawn = page + client.get(art_of(page)).text
    used = set(re.findall(r'<use href="#([^"]+)"', drawn))
    assert used or key not in MAX_PAGE_BYTES  # a small game may begin without a drawing
    assert used <= set(re.findall(r"""\bid=["']([^"']+)["']""", drawn))


@pytest.mark.parametrize("key", MAX_PAGE_BYTES)
def test_the_first_page_is_small(client: TestClient, key: str) -> None:
    assert len(page_of(client, key).encode()) <= MAX_PAGE_BYTES[key]


def test_a_game_without_art_has_no_place_for_it(client: TestClient) -> None:
    assert games.find("rolling-village").art is None
    assert not re.search('id="art"|/art/|src="[^"]*art\\.js', page_of(client, "rolling-village"))


@pytest.mark.parametrize("path", ["mayflower/{box}/0000000000000000", "mayflower/0000/{stamp}", "rolling-village/{box}/{stamp}"])
def test_art_of_another_version_is_not_there(client: TestClient, path: str) -> None:
    box, stamp = art_of(page_of(client, "mayflower")).removesuffix(".svg").split("/")[-2:]
    answer = client.get(f"/art/{path.format(box=box, stamp=stamp)}.svg", headers={"accept": "application/json"})
    assert answer.status_code == 404
    assert answer.headers["cache-control"] == "no-store"
    assert "load the page again" in answer.text


def test_a_corrected_box_has_its_own_art_and_an_older_table_keeps_its_own(store: Store, tmp_path: Path) -> None:
    corrected = tmp_path / "corrected.toml"
    corrected.write_text(games.find("mayflower").components.text.replace(*CORRECTION), encoding="utf-8")
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as before:
        table = TableClient(before, game="mayflower").made["table"]
        old = art_of(before.get(f"/t/{table}").text)
        drawn = before.get(old).text
    with TestClient(make_app(TableRegistry(store, boxes={"mayflower": corrected}, config=table_config()))) as after:
        new = art_of(page_of(after, "mayflower"))
        assert Path(new).stem != Path(old).stem
        assert after.get(new).text != drawn
        assert art_of(after.get(f"/t/{table}").text) == old
        assert after.get(old).text == drawn
