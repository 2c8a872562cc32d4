"""What a screen shows of a table that gathers: the chairs, how to come, how it will be played, and what this guest may do about it."""

from __future__ import annotations

from typing import Any

import segno
from markupsafe import Markup

from tablee.core.game import Option
from tablee.core.i18n import Translator
from tablee.server.lobby.lobby import Lobby, Visitor
from tablee.server.lobby.seats import CLOCKS, common_options, free_choices, free_colours, per_seat_options, seat_choices, why_cannot_start
from tablee.server.storage.schema import BOT, HUMAN, OPEN
from tablee.server.table.seats import Seating
from tablee.server.view.client_view import BOT_NAMES
from tablee.server.view.fragments import Fragment, FragmentRenderer
from tablee.server.view.narrator import Narrator, initial
from tablee.server.view.rendering import templates
from tablee.server.view.seat_colours import colour_classes


def qr_code(link: str, scale: int = 3) -> Markup:
    """One that grows with its place."""
    return Markup(segno.make(link, micro=False).svg_inline(scale=scale, border=2, omitsize=True))


def render_lobby(gathering: Lobby, guest: Visitor, words: Translator, link: str) -> Fragment:
    """The part of the page that changes."""
    drawing, page = FragmentRenderer(f"{gathering.id} {words.language}"), templates().get_template("platform/lobby_live.html")
    context = _context(gathering, guest, words, link)
    colours = colour_classes(Seating(gathering.stored.seats).colours)
    return drawing.root("gathering", lambda: page.render(fragment=drawing.fragment, **context), class_=f"lobby {colours}".strip())


def client_state(guest: Visitor) -> dict[str, Any]:
    """What the browser's own code may know besides."""
    return {"host": guest.is_host, "chairs": guest.seats, "held": guest.valid_tokens, "seated": guest.seated_tokens}


def _context(gathering: Lobby, guest: Visitor, words: Translator, link: str) -> dict[str, Any]:
    kept, game = gathering.stored, gathering.game
    not_yet = why_cannot_start(kept, game)
    return {
        "_": words,
        "lang": words.language,
        "game": game,
        "table": kept.id,
        "code": kept.code,
        "link": link,
        "qr": qr_code(link),
        "visitor": guest,
        "seats": [_seat_view(gathering, guest, words, number) for number in range(len(kept.seats))],
        "free": sum(chair.kind == OPEN for chair in kept.seats),
        "players": sum(chair.kind != OPEN for chair in kept.seats),
        "host_name": next(
            (_seat_name(gathering, words, each) for each, chair in enumerate(kept.seats) if chair.token_hash == kept.host), ""
        ),
        "host_is_gone": gathering.host_is_gone,
        "not_yet": not_yet and not_yet.translate(words),
        "room": game.seats[-1] - len(kept.seats),
        "options": common_options(game),
        "chosen": kept.options,
        "settings": kept.settings,
        "clocks": CLOCKS,
        "levels": BOT_NAMES,
        "has_company": sum(chair.kind != BOT for chair in kept.seats) > 1,  # whether anybody may come to talk to
    }


def _seat_view(gathering: Lobby, guest: Visitor, words: Translator, number: int) -> dict[str, Any]:
    kept, chair = gathering.stored, gathering.stored.seats[number]
    name, mine = _seat_name(gathering, words, number), number in guest.seats
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
        "choices": [_choice_view(gathering, option, number) for option in per_seat_options(gathering.game)],
        "can_customise": mine or (guest.is_host and chair.kind == BOT),
    }


def _choice_view(gathering: Lobby, option: Option, number: int) -> dict[str, Any]:
    kept = gathering.stored
    return {"option": option, "value": seat_choices(kept, option)[number], "free": free_choices(kept, option, number)}


def _seat_name(gathering: Lobby, words: Translator, number: int) -> str:
    return Narrator(words, Seating(gathering.stored.seats)).name(number)
