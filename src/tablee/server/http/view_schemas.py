"""JSON schemas of the rooms' views in the OpenAPI description, generated from the TypedDict that each room documents its view with."""

from __future__ import annotations

from collections.abc import Iterable
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from tablee.core.game import Doc, Game

NAMES = {int: "integer", str: "string", bool: "boolean", NoneType: "null"}


def describe_views(document: dict[str, Any], games: Iterable[Game]) -> None:
    """Add each game's view to an OpenAPI document, and say that a table's view is one of them."""
    schemas = document["components"]["schemas"]
    views = {f"View.{game.key}": {"title": f"The view of {game.title}", **schema_of(game.view_type)} for game in games}
    schemas |= views
    field = schemas["TableSeen"]["properties"]["view"]
    field.pop("type", None)
    field.pop("additionalProperties", None)
    field["anyOf"] = [{"$ref": f"#/components/schemas/{name}"} for name in views]


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the JSON schema of a type made of TypedDicts, lists, dictionaries with string keys, literals, numbers, strings and None."""
    if kind in NAMES:
        return {"type": NAMES[kind]}
    if is_typeddict(kind):
        fields = {name: schema_of(each) for name, each in get_type_hints(kind, include_extras=True).items()}
        required = sorted(kind.__required_keys__)
        return {"type": "object", "properties": fields, "required": required, "additionalProperties": False}
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        (doc,) = (each for each in args[1:] if isinstance(each, Doc))
        return schema_of(args[0]) | {"description": doc.documentation}
    if origin is Literal:
        return {"enum": list(args)}
    if origin is list:
        return {"type": "array", "items": schema_of(args[0])}
    if origin is tuple:
        return {"type": "array", "prefixItems": list(map(schema_of, args)), "items": False, "minItems": len(args)}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(args[1])}
    if origin in (Union, UnionType):
        return {"anyOf": list(map(schema_of, args))}
    return {"type": "object"}
