"""Actions of visitors and hosts in a lobby."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from tablee.server.lobby import seats
from tablee.server.lobby.lobby import Lobby
from tablee.server.table.models import StoredTable


@dataclass(frozen=True)
class LobbyRequest:
    """One action of a visitor or a host."""

    do: str
    keys: str = ""  # tokens of the visitor's seats
    chair: int = 0
    token: str = ""  # made by the client that sits down, so that a repetition counts once
    name: str = ""
    colour: int = -1
    what: str = ""  # key of an option or a setting
    value: str = ""  # its new value; or a bot's level


LobbyChange = Callable[[StoredTable], StoredTable]
OWN_SEAT_ACTIONS = ("name", "colour", "choose")  # allowed to the owner of the seat only


def change_for(lobby: Lobby, action: LobbyRequest, token: str) -> LobbyChange:
    game, number, name = lobby.game, action.chair, action.name
    changes: dict[str, LobbyChange] = {
        "sit": lambda stored: seats.take_seat(
            stored, game, number, name, action.colour, lobby.seat_hash_for(lobby.visitor(action.keys), token)
        ),
        "leave": lambda stored: seats.vacate(stored, number),
        "name": lambda stored: seats.rename_seat(stored, number, name),
        "colour": lambda stored: seats.set_colour(stored, number, action.colour),
        "choose": lambda stored: seats.set_choice(stored, game, number, action.what, action.value),
        "bot": lambda stored: seats.seat_bot(stored, number, action.value),
        "more": lambda stored: seats.add_seat(stored, game),
        "away": lambda stored: seats.remove_seat(stored, game, number),
        "up": lambda stored: seats.move_seat(stored, game, number, -1),
        "down": lambda stored: seats.move_seat(stored, game, number, 1),
        "option": lambda stored: seats.set_option(stored, game, action.what, action.value),
        "setting": lambda stored: seats.set_setting(stored, action.what, action.value),
        "host": lambda stored: lobby.become_host(stored, lobby.visitor(action.keys)),
    }
    return changes[action.do]


async def apply_action(lobby: Lobby, action: LobbyRequest) -> str | None:
    """Apply one action; return the seat's token to a visitor who sits down."""
    token = action.token or secrets.token_urlsafe(16)
    change = lobby.as_game if action.do == "start" else change_for(lobby, action, token)

    def checked_change(stored: StoredTable) -> StoredTable:
        """Check permission when the change is applied: seats may have moved since the request."""
        check_allowed(lobby, action)
        return change(stored)

    await lobby.change(checked_change)
    return token if lobby.is_seat_token(token) else None


def check_allowed(lobby: Lobby, action: LobbyRequest) -> None:
    visitor, number = lobby.visitor(action.keys), action.chair
    if action.do in OWN_SEAT_ACTIONS or (action.do == "leave" and number in visitor.seats):
        lobby.check_owns_seat(visitor, number)
    elif action.do == "sit":
        lobby.check_seat_free(visitor, number)
    elif action.do != "host":  # `become_host` checks permission itself
        lobby.check_host(visitor)
    if action.do == "bot":
        lobby.check_owns_seat(visitor, number)
