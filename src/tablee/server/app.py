"""ASGI application: API, pages and WebSockets behind middleware that answers bad input in one sentence."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from tablee import games
from tablee.core.errors import TableeError
from tablee.core.match import Match
from tablee.server.club.club import ClubRegistry
from tablee.server.cluster import PeerSync
from tablee.server.housekeeping import INTERVAL, Housekeeping
from tablee.server.http import (
    api,
    club_organiser,
    clubs,
    finished_games,
    operations,
    pages,
    start_pages,
    static_files,
    table_actions,
    websocket,
)
from tablee.server.http import develop as develop_pages
from tablee.server.http.middleware.body_limit import BodyLimit
from tablee.server.http.middleware.errors import ErrorHandler
from tablee.server.http.middleware.headers import ResponseHeaders
from tablee.server.http.middleware.host_origin import HostOriginCheck
from tablee.server.http.middleware.limits import Limits
from tablee.server.http.middleware.rate_limit import RateLimit
from tablee.server.http.refusals import on_http_error, on_tablee_error, on_validation_error
from tablee.server.http.static_files import OFFLINE_PATH, OfflineSite
from tablee.server.http.view_schemas import describe_views
from tablee.server.lobby.lobby import LobbyRegistry
from tablee.server.ops import metrics
from tablee.server.registry import TableRegistry
from tablee.server.view import rendering
from tablee.server.view.assets import static_folder
from tablee.server.view.rendered_view import RenderQueue

DEFAULT_LIMITS = Limits()
TITLE = "Tablée"


def make_app(
    registry: TableRegistry,
    lan_url: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    metrics_enabled: bool = False,
    retention: int = 0,
    housekeeping_interval: float = INTERVAL,
    site: Path | None = None,
    develop: bool = False,
) -> FastAPI:
    """Return the application; `lan_url` is this server's URL for others on the same network, and `retention` is in days.

    `site` is the folder of a site that plays without this server; with `develop`, authors see the state of tables.
    """
    rendering.templates()  # read now, so that a later change on disk does not matter
    rendering.build_hash()
    app = Application(title=TITLE, version="1", openapi_url="/api/openapi.json", docs_url=None, redoc_url=None, lifespan=_lifespan)
    clubs_open, lobbies_open = ClubRegistry(registry), LobbyRegistry(registry.store, registry.game, registry.config)
    peers = PeerSync(registry, lobbies_open, clubs_open)
    app.state.registry, app.state.lobbies, app.state.clubs, app.state.peers = registry, lobbies_open, clubs_open, peers
    app.state.housekeeping = Housekeeping(registry, lobbies_open, peers, retention, housekeeping_interval)
    app.state.limits, app.state.render_queue = limits, RenderQueue()
    app.state.has_site, app.state.develop = site is not None, develop
    app.state.lan_url, app.state.overviews, app.state.page_cache = lan_url, WeakKeyDictionary(), {}
    app.state.page_locks = defaultdict[tuple[str, str], Lock](Lock)  # by page
    for router in (
        api.router,
        finished_games.router,
        table_actions.router,
        operations.router,
        websocket.router,
        start_pages.router,
        pages.router,
        static_files.router,
        clubs.router,
        club_organiser.router,
        *([operations.metrics_router] if metrics_enabled else []),
        *([develop_pages.router] if develop else []),
    ):
        app.router.routes.extend(router.routes)  # `include_router` would rebuild each route during a first request
    for key in ("platform", *games.known()):
        if static_folder(key).exists():
            app.mount(f"/static/{key}", StaticFiles(directory=static_folder(key)))
    if site is not None:
        app.mount(OFFLINE_PATH, OfflineSite(site))
    app.add_exception_handler(TableeError, on_tablee_error)
    app.add_exception_handler(RequestValidationError, on_validation_error)
    app.add_exception_handler(HTTPException, on_http_error)
    _add_middleware(app, limits, metrics_enabled)
    return app


def prewarm_pages(registry: TableRegistry) -> None:
    """Render the scene that every table of a game begins with, and compile all templates."""
    for game in registry.games():
        state = Match(game, game.seats[0]).state
        list(game.scene(game.view(game.observe(state, None))).values())
    rendering.compile_templates()


class Application(FastAPI):
    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document, with the view of every game."""
        if self.openapi_schema is None:
            describe_views(super().openapi(), self.state.registry.games())
        return super().openapi()


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    endless = (metrics.measure_loop_delay(), app.state.clubs.delete_unused_daily(), app.state.housekeeping.run())
    tasks = [asyncio.create_task(work) for work in endless]
    async with app.state.registry.running(app.state.peers.connected()):
        yield
        for task in tasks:
            task.cancel()


def _add_middleware(app: FastAPI, limits: Limits, metrics_enabled: bool) -> None:
    """Add the middleware from the innermost to the outermost."""
    app.add_middleware(GZipMiddleware, minimum_size=600, compresslevel=4)
    app.add_middleware(RateLimit, limits)
    app.add_middleware(BodyLimit)
    app.add_middleware(HostOriginCheck, limits)
    app.add_middleware(ErrorHandler)
    app.add_middleware(ResponseHeaders)
    if metrics_enabled:
        metrics.enable()
        app.add_middleware(operations.MetricsMiddleware)
