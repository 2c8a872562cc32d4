"""What a screen shows of a table that gathers: the chairs, how to come, how it will be played, and what this guest may do about it."""

from __future__ import annotations

from typing import Any

import segno
from markupsafe import Markup

from tablee.core.game import Option
from tablee.core.i18n import Words
from tablee.server.lobby.lobby import Gathering, Guest
from tablee.server.lobby.seats import CLOCKS, choices, common_options, free_choices, free_colours, own_choices, why_not_yet
from tablee.server.storage.schema import BOT, HUMAN, OPEN
from tablee.server.table.seats import Seating
from tablee.server.view.client_view import BOT_NAMES
from tablee.server.view.fragments import Drawing, Part
from tablee.server.view.narrator import Narrator, initial
from tablee.server.view.rendering import templates
from tablee.server.view.seat_colours import paints


def qr_code(link: str, scale: int = 3) -> Markup:
    """One that grows with its place."""
    return Markup(segno.make(link, micro=False).svg_inline(scale=scale, border=2, omitsize=True))


def draw(gathering: Gathering, guest: Guest, words: Words, link: str) -> Part:
    """The part of the page that changes."""
    drawing, page = Drawing(f"{gathering.id} {words.language}"), templates().get_template("platform/lobby_live.html")
    context = _context(gathering, guest, words, link)
    colours = paints(Seating(gathering.kept.seats).colours)
    return drawing.top("gathering", lambda: page.render(part=drawing.part, **context), class_=f"gathering {colours}".strip())


def now(guest: Guest) -> dict[str, Any]:
    """What the browser's own code may know besides."""
    return {"host": guest.host, "chairs": guest.chairs, "held": guest.held, "seated": guest.seated}


def _context(gathering: Gathering, guest: Guest, words: Words, link: str) -> dict[str, Any]:
    kept, game = gathering.kept, gathering.game
    not_yet = why_not_yet(kept, game)
    return {
        "_": words,
        "lang": words.language,
        "game": game,
        "table": kept.id,
        "code": kept.code,
        "link": link,
        "qr": qr_code(link),
        "guest": guest,
        "chairs": [_chair(gathering, guest, words, number) for number in range(len(kept.seats))],
        "free": sum(chair.kind == OPEN for chair in kept.seats),
        "players": sum(chair.kind != OPEN for chair in kept.seats),
        "host_name": next((_name(gathering, words, each) for each, chair in enumerate(kept.seats) if chair.token_hash == kept.host), ""),
        "host_is_gone": gathering.host_is_gone,
        "not_yet": not_yet and not_yet.tell(words),
        "room": game.seats[-1] - len(kept.seats),
        "options": common_options(game),
        "chosen": kept.options,
        "settings": kept.settings,
        "clocks": CLOCKS,
        "levels": BOT_NAMES,
        "company": sum(chair.kind != BOT for chair in kept.seats) > 1,  # whether anybody may come to talk to
    }


def _chair(gathering: Gathering, guest: Guest, words: Words, number: int) -> dict[str, Any]:
    kept, chair = gathering.kept, gathering.kept.seats[number]
    name, mine = _name(gathering, words, number), number in guest.chairs
    return {
        "number": number,
        "kind": chair.kind,
        "given": chair.name,
        "name": name,
        "initial": initial(name) if chair.kind == HUMAN else number + 1,
        "level": chair.level,
        "colour": chair.colour,
        "mine": mine,
        "is_host": chair.token_hash == kept.host,
        "away": chair.kind == HUMAN and not mine and not gathering.is_here(number),
        "free_colours": free_colours(kept, number) if mine else [],
        "choices": [_choice(gathering, option, number) for option in own_choices(gathering.game)],
        "dresses": mine or (guest.host and chair.kind == BOT),
    }


def _choice(gathering: Gathering, option: Option, number: int) -> dict[str, Any]:
    kept = gathering.kept
    return {"option": option, "value": choices(kept, option)[number], "free": free_choices(kept, option, number)}


def _name(gathering: Gathering, words: Words, number: int) -> str:
    return Narrator(words, Seating(gathering.kept.seats)).name(number)
