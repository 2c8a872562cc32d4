"""Types of the messages between a page's scripts and the server; `make types` writes them to static/messages.d.ts.

What a page sends is validated by its own models. What it is sent has types where it is made; the tests hold whole messages to those here.
"""

from __future__ import annotations

from typing import Any, NotRequired

from pydantic import ConfigDict, TypeAdapter, with_config
from typing_extensions import TypedDict

from tablee.server.http.websocket import LobbyAction, LobbyHello, SocketMessage
from tablee.server.view.assets import SERVER_FOLDER
from tablee.server.view.fragments import Patch
from tablee.server.view.lobby_view import LobbyState
from tablee.server.view.rendering import ClientState

DECLARATIONS = SERVER_FOLDER / "static" / "messages.d.ts"
STRICT = ConfigDict(extra="forbid")


@with_config(STRICT)
class TableMessage(TypedDict):
    """A view of a table, the answer to a turn, or an error; only a view that is shown already has neither parts nor state."""

    parts: NotRequired[list[Patch]]
    now: NotRequired[ClientState]
    serial: NotRequired[int]
    turn: NotRequired[str]
    status: NotRequired[int]
    body: NotRequired[Answer]
    error: NotRequired[str]
    told_of: NotRequired[int]


@with_config(STRICT)
class Answer(TypedDict):
    """The body that answers a turn."""

    version: NotRequired[int]
    error: NotRequired[str]
    rule: NotRequired[str | None]
    sentence: NotRequired[str]
    link: NotRequired[str]
    kindly: NotRequired[bool]


@with_config(STRICT)
class LobbyMessage(TypedDict):
    """A view of a lobby, the news that its game has begun, or an error."""

    parts: NotRequired[list[Patch]]
    now: NotRequired[LobbyState]
    build: NotRequired[str]
    begun: NotRequired[bool]
    error: NotRequired[str]


SENT = (SocketMessage, LobbyHello, LobbyAction)
RECEIVED = (TableMessage, LobbyMessage)


def typescript() -> str:
    """Return the declarations of all messages."""
    schemas = [TypeAdapter(each).json_schema(mode="validation", ref_template="{model}") for each in (*SENT, *RECEIVED)]
    named = {name: schema for each in schemas for name, schema in each.pop("$defs", {}).items()}
    named |= {each["title"]: each for each in schemas}
    lines = ["// Written by `make types` from the server's own types (release/page_messages.py).", ""]
    for name in sorted(named):
        lines += [f"export interface {name} {{", *_fields(named[name]), "}", ""]
    return "\n".join(lines).rstrip() + "\n"


def _fields(schema: dict[str, Any]) -> list[str]:
    required = schema.get("required", ())
    return [f"  {name}{'' if name in required else '?'}: {_type(each)};" for name, each in schema["properties"].items()]


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"])
    if options := schema.get("anyOf", schema.get("oneOf")):
        return " | ".join(map(_type, options))
    if "enum" in schema:
        return " | ".join(f'"{each}"' for each in schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return f"[{', '.join(map(_type, schema['prefixItems']))}]" if "prefixItems" in schema else f"{_type(schema['items'])}[]"
    if kind == "object":
        return f"Record<string, {_type(schema['additionalProperties'])}>"
    return {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null", None: "unknown"}[kind]


if __name__ == "__main__":
    DECLARATIONS.write_text(typescript(), encoding="utf-8")
