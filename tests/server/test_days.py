"""The game of a day: the same draws for everybody, and another day's or a rematch's are others."""

from __future__ import annotations

import hashlib
from urllib.parse import urlsplit

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

pytestmark = pytest.mark.one_engine


def begin(client: TestClient, day: str = "", game: str = "rolling-village") -> Response:
    return client.post(f"/alone/{game}", data={"name": "Ada", "day": day}, follow_redirects=False)


def seen(client: TestClient, begun: Response) -> tuple[str, str, str]:
    """Return the fingerprint, the opening roll and the link of a game that was begun."""
    link = begun.headers["location"]
    found = client.get(f"/api{urlsplit(link).path.replace('/t/', '/tables/')}").json()
    return found["commitment"], found["log"][0], link


def test_a_day_has_the_same_draws_for_everybody_and_other_days_have_others(client: TestClient) -> None:
    one, other, later, alone = (seen(client, begin(client, day)) for day in ("2026-11-20", "2026-11-20", "2026-11-21", ""))
    seed = hashlib.sha256(b"tablee rolling-village 2026-11-20").digest()
    assert one[0] == other[0] == hashlib.sha256(seed).hexdigest()
    assert one[1] == other[1]
    assert one[2] != other[2], "each has a seat of their own"
    assert len({one[0], later[0], alone[0]}) == 3


@pytest.mark.parametrize(
    ("game", "day", "status", "why"),
    [
        ("rolling-village", "2026-02-30", 404, "there is no day"),
        ("mayflower", "", 422, "is for 2 to 5 players"),
        ("mayflower", "2026-11-20", 404, "has no game of the day"),
    ],
)
def test_what_cannot_be_played_alone_or_on_that_day_is_refused_in_a_sentence(
    client: TestClient, game: str, day: str, status: int, why: str
) -> None:
    answer = begin(client, day, game)
    assert answer.status_code == status
    assert why in answer.text
