"""The pages a person opens: start, new table, table, rules, box, credits. Server-rendered; a room brings its own templates."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Annotated, Any
from urllib.parse import parse_qsl

import segno
from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markdown_it import MarkdownIt
from markupsafe import Markup

from tablee import games
from tablee.core.errors import TableeError
from tablee.core.game import FIRST, Game, Option
from tablee.core.words import LANGUAGES, Words, note, say
from tablee.server.drawing.illustrated import one_turn
from tablee.server.drawing.narrating import Narrator
from tablee.server.drawing.pictures import picture_of
from tablee.server.drawing.rendering import asset, box_page, final_board, pictured, room_assets, templates
from tablee.server.drawing.screen import BOT_NAMES, Screen
from tablee.server.house import NotOver
from tablee.server.kept.archive import OlderRules
from tablee.server.kept.store import StoreError
from tablee.server.tables.reactions import SIGNS
from tablee.server.tables.seating import Seating, SeatWanted
from tablee.server.tables.table import Table
from tablee.server.web.api import AtTable, Reader, TableId, house_of
from tablee.server.web.language import COOKIE

HERE_OR_BY_LINK = {"here": note("on this screen"), "link": note("by a link I send")}
HINTS = {"yes": True, "no": False}  # as the host says; otherwise friends on other screens play without
OWN_NAMES = ("localhost", "127.0.0.1", "::1")

router = APIRouter(include_in_schema=False)


class NoSuchGame(TableeError):
    """Somebody followed an old or a mistyped link."""


def game_of(request: Request, key: str) -> Game:
    """The game that a page's address names."""
    if key not in games.known():
        titles = tuple(say(game.title) for game in house_of(request).games())
        raise NoSuchGame(say("there is no game {key!r}; there are: {known}", key=key, known=titles))
    return house_of(request).game(key)


Named = Annotated[Game, Depends(game_of)]


def page(request: Request, words: Words, template: str, **context: Any) -> HTMLResponse:
    html = templates().get_template(template).render(_=words, lang=words.language, path=request.url.path, **context)
    return HTMLResponse(html)


@router.get("/")
async def start(request: Request, words: Reader) -> HTMLResponse:
    return page(request, words, "platform/start.html", games=house_of(request).games())


@router.get("/favicon.ico")
def icon() -> Response:
    return RedirectResponse(asset("platform", "icon.svg"))


@router.get("/language/{code}")
def choose_language(code: str, back: Annotated[str, Query()] = "/") -> Response:
    """`back` stays on this site: it must be a path."""
    answer = RedirectResponse(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/", 303)
    if code in LANGUAGES:
        answer.set_cookie(COOKIE, code, max_age=10**8, samesite="lax", httponly=True)
    return answer


@router.get("/new/{key}")
async def new_table(request: Request, words: Reader, game: Named) -> HTMLResponse:
    return page(request, words, "platform/new.html", error="", **_choices(game))


def _choices(game: Game) -> dict[str, Any]:
    chairs = HERE_OR_BY_LINK | {f"bot:{level}": name for level, name in BOT_NAMES.items()}
    offered = [option for option in game.options if option is not FIRST]
    own = [option for option in offered if option.each]
    sheets = room_assets(game.key)["sheets"] if any(option.pictures for option in own) else []
    return {"game": game, "chairs": chairs, "options": [option for option in offered if not option.each], "own": own, "sheets": sheets}


@router.post("/new/{key}")
async def make_table(request: Request, words: Reader, game: Named) -> Response:
    form = dict(parse_qsl((await request.body()).decode(errors="replace")))
    chairs = [(form.get(f"chair-{n}", ""), form.get(f"name-{n}", "")[:40].strip()) for n in range(game.seats[-1])]
    taken = [(chair, name) for chair, name in chairs if chair in HERE_OR_BY_LINK or chair.startswith("bot:")]
    options = {option.key: value for option in game.options for value in option.values if form.get(option.key) == str(value)}
    sits = [n for n, chair in enumerate(chairs) if chair in taken]
    try:
        options |= {option.key: option.seated(own) for option in game.options if (own := _own_choices(option, form, sits))}
        wanted = [SeatWanted("bot" if chair.startswith("bot:") else "human", name, chair.partition(":")[2]) for chair, name in taken]
        hints = HINTS.get(form.get("hints", ""), all(chair != "link" for chair, _ in taken))
        table, tokens = await house_of(request).create(game.key, options, wanted, hints)
    except TableeError as error:
        answer = page(request, words, "platform/new.html", error=error.tell(words), **_choices(game))
        answer.status_code = 503 if isinstance(error, StoreError) else 422
        return answer
    here = ".".join(str(token) for (chair, _), token in zip(taken, tokens, strict=True) if chair == "here")
    invited = ".".join(str(token) for (chair, _), token in zip(taken, tokens, strict=True) if chair == "link")
    query = "&".join(part for part in (here and f"k={here}", invited and f"i={invited}") if part)
    return RedirectResponse(f"/t/{table.id}?{query}", 303)


def _own_choices(option: Option, form: Mapping[str, str], sits: Sequence[int]) -> list[str]:
    """What the chairs that are taken chose for themselves, if they did."""
    return [form[name] for name in (f"{option.key}-{n}" for n in sits) if name in form] if option.each else []


@router.get("/t/{table}")
async def table_page(request: Request, words: Reader, table: TableId, k: str = "", i: str = "") -> HTMLResponse:
    """`k` holds the tokens of the seats on this screen, `i` those of the friends to invite."""
    try:
        return await _table_page(request, words, await house_of(request).table(table), k, i)
    except OlderRules as older:
        names = [Narrator(words, Seating(older.kept.seats)).name(seat) for seat in range(len(older.kept.seats))]
        told = {"game": older.game, "table": table, "names": names, "outcome": older.kept.outcome, "sentence": older.tell(words)}
        return page(request, words, "platform/older.html", **told)


async def _table_page(request: Request, words: Words, table: Table, k: str, i: str) -> HTMLResponse:
    screen = Screen(table, words, table.seating.of_tokens(k))
    async with house_of(request).easel.turn(touched=False):
        picture = picture_of(screen)
    return page(
        request,
        words,
        "platform/table.html",
        query=request.url.query,
        **room_assets(table.game.key),
        game=table.game,
        table=table.id,
        board=Markup(picture.part.whole()),
        now=picture.now,
        invited=invitations(request, screen, i),
        base=address_for_friends(request),
        seated=bool(screen.seats),
        company=bool(screen.seats) and len(table.seating.people - set(screen.seats)) > 0,
        signs=SIGNS,
        server_time=round(1000 * time.time()),
    )


@router.get("/t/{table}/picture.svg")
async def final_picture(request: Request, words: Reader, table: AtTable) -> Response:
    """The final board, to keep."""
    if table.match.to_act or not pictured(table.game.key):
        raise NotOver(say("the picture is drawn when the game is over"))
    async with house_of(request).easel.turn(touched=False):
        return Response(final_board(Screen(table, words).context()), media_type="image/svg+xml")


def invitations(request: Request, screen: Screen, tokens: str) -> list[dict[str, Any]]:
    """A link and a QR code for each friend still to come."""
    base, table = address_for_friends(request), screen.table
    links = [
        (seat, f"{base}/t/{table.id}?k={token}")
        for token in tokens.split(".")
        if token
        for seat in [table.seating.of_token(token)]
        if seat is not None
    ]
    return [
        {"name": screen.narrator.name(seat), "link": link, "qr": Markup(segno.make(link, micro=False).svg_inline(scale=3, border=2))}
        for seat, link in links
    ]


def address_for_friends(request: Request) -> str:
    """Where others find this server: a host that opened `localhost` invites to this computer's address on its network."""
    nearby: str | None = request.app.state.nearby
    return nearby if nearby and request.url.hostname in OWN_NAMES else str(request.base_url).rstrip("/")


@router.get("/rules/{key}")
def rules_page(request: Request, words: Reader, game: Named) -> HTMLResponse:
    """One turn in pictures, then the numbered rules; the text's first line is its title."""
    file = game.folder / f"RULES.{words.language}.md"
    text = (file if file.exists() else game.folder / "RULES.md").read_text(encoding="utf-8")
    rules = Markup(MarkdownIt().render(text.partition("\n")[2]))
    return page(request, words, "platform/rules.html", game=game, turn=one_turn(game.key, words.language), text=rules)


@router.get("/box/{key}")
def show_box(request: Request, words: Reader, game: Named) -> HTMLResponse:
    return HTMLResponse(box_page(game, words, request.url.path))


@router.get("/credits")
async def credits_page(request: Request, words: Reader) -> HTMLResponse:
    return page(request, words, "platform/credits.html", games=house_of(request).games())
