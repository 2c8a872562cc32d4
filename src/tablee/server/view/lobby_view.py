"""View of a lobby: its seats, link, options and settings, and what this visitor may do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup
from typing_extensions import TypedDict

from tablee.core.game import Option
from tablee.core.i18n import Translator
from tablee.server.lobby.lobby import Lobby, Visitor
from tablee.server.lobby.seats import CLOCKS, common_options, free_choices, free_colours, per_seat_options, seat_choices, why_cannot_start
from tablee.server.table.models import BOT, HUMAN, OPEN
from tablee.server.table.seats import Seating
from tablee.server.view.fragments import Fragment, FragmentRenderer
from tablee.server.view.narrator import Narrator, initial, seat_colours
from tablee.server.view.rendering import macro, templates


def qr_code(link: str, scale: int = 3) -> Markup:
    """Return a QR code as inline SVG without a size, so that it scales."""
    import segno  # noqa: PLC0415  a table in a tab has no link, and no need of it

    return Markup(segno.make(link, micro=False).svg_inline(scale=scale, border=2, omitsize=True))


def render_lobby(lobby: Lobby, visitor: Visitor, translator: Translator, link: str) -> Fragment:
    """Render the changing part of the lobby's page."""
    renderer, page = FragmentRenderer(translator, macro), templates().get_template("platform/lobby_live.html")
    context = _context(lobby, visitor, translator, link)
    colours = seat_colours(Seating(lobby.stored.seats).colours)
    return renderer.root("gathering", lambda: page.render(fragment=renderer.fragment, **context), class_="lobby", style=colours or None)


class LobbyState(TypedDict):
    """What scripts in the browser know of a lobby besides its page."""

    host: bool
    chairs: list[int]
    held: list[bool]
    seated: list[bool]


def client_state(visitor: Visitor) -> LobbyState:
    held, seated = [*visitor.valid_tokens], [*visitor.seated_tokens]
    return {"host": visitor.is_host, "chairs": [*visitor.seats], "held": held, "seated": seated}


def _context(lobby: Lobby, visitor: Visitor, translator: Translator, link: str) -> dict[str, Any]:
    stored, game = lobby.stored, lobby.game
    not_yet = why_cannot_start(stored, game)
    return {
        "_": translator,
        "lang": translator.language,
        "game": game,
        "table": stored.id,
        "code": stored.code,
        "link": link,
        "qr": link and qr_code(link),
        "visitor": visitor,
        "seats": [_seat_view(lobby, visitor, translator, number) for number in range(len(stored.seats))],
        "free": sum(seat.kind == OPEN for seat in stored.seats),
        "players": sum(seat.kind != OPEN for seat in stored.seats),
        "host_name": next(
            (_seat_name(lobby, translator, number) for number, seat in enumerate(stored.seats) if seat.token_hash == stored.host), ""
        ),
        "host_is_gone": lobby.host_is_gone,
        "not_yet": not_yet and not_yet.translate(translator),
        "seats_addable": game.seats[-1] - len(stored.seats),
        "options": [_option_view(option, stored.options, translator) for option in common_options(game)],
        "settings": stored.settings,
        "clocks": [(str(seconds), _clock_label(seconds, translator)) for seconds in CLOCKS],
        "has_company": sum(seat.kind != BOT for seat in stored.seats) > 1,  # whether there may be anybody to chat with
    }


class OptionView(NamedTuple):
    """Option of the game with the label of each value; values are text, as in the page."""

    key: str
    label: str
    values: Sequence[tuple[str, str]]
    chosen: str


def _option_view(option: Option, chosen: Mapping[str, Any], translator: Translator) -> OptionView:
    values = [(str(value), translator(option.names.get(value, str(value)))) for value in option.values]
    return OptionView(option.key, translator(option.label), values, str(chosen[option.key]))


def _clock_label(seconds: int, _: Translator) -> str:
    return _("{count} minute each", "{count} minutes each", count=seconds // 60) if seconds else _("none")


def _seat_view(lobby: Lobby, visitor: Visitor, translator: Translator, number: int) -> dict[str, Any]:
    stored, seat = lobby.stored, lobby.stored.seats[number]
    name, mine = _seat_name(lobby, translator, number), number in visitor.seats
    return {
        "number": number,
        "kind": seat.kind,
        "given": seat.name,
        "name": name,
        "initial": initial(name) if seat.kind == HUMAN else number + 1,
        "level": seat.level,
        "colour": seat.colour,
        "mine": mine,
        "is_host": seat.token_hash == stored.host,
        "away": seat.kind == HUMAN and not mine and not lobby.is_here(number),
        "free_colours": free_colours(stored, number) if mine else [],
        "choices": [_choice_view(lobby, option, number) for option in per_seat_options(lobby.game)],
        "can_customise": mine or (visitor.is_host and seat.kind == BOT),
    }


def _choice_view(lobby: Lobby, option: Option, number: int) -> dict[str, Any]:
    stored = lobby.stored
    return {"option": option, "value": seat_choices(stored, option)[number], "free": free_choices(stored, option, number)}


def _seat_name(lobby: Lobby, translator: Translator, number: int) -> str:
    return Narrator(translator, Seating(lobby.stored.seats)).name(number)
