"""`tablee serve` hands out the site that `tablee site` has built, and offers it only where it is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store

pytestmark = pytest.mark.one_engine


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, text in {"index.html": "start", "files.js": "", "static/site/worker.js": "work", "en/index.html": "page"}.items():
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text(text)
    return tmp_path / "site"


def test_the_site_lies_at_offline_with_its_own_policies(store: Store, site: Path) -> None:
    with TestClient(make_app(TableRegistry(store), site=site)) as client:
        page, worker = client.get("/offline/"), client.get("/offline/static/site/worker.js")
        assert (page.text, worker.text, client.get("/offline/en/index.html").text) == ("start", "work", "page")
        assert "script-src 'self' 'wasm-unsafe-eval'" in worker.headers["content-security-policy"]
        assert "wasm" not in page.headers["content-security-policy"]
        assert page.headers["cache-control"] == "no-cache"
        assert client.get("/offline/../tablee.db").status_code == 404


@pytest.mark.parametrize("there", [True, False])
def test_the_start_page_offers_it_where_it_is_there(there: bool, store: Store, site: Path) -> None:
    with TestClient(make_app(TableRegistry(store), site=site if there else None)) as client:
        assert ('href="/offline/"' in client.get("/").text) == there
        assert client.get("/offline/").status_code == (200 if there else 404)
