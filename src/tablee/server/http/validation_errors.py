"""What is wrong with a request's shape, as one sentence in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablee.core.i18n import Say, note, say

REASONS = {
    "missing": note("it is missing"),
    "extra_forbidden": note("nothing of this name belongs here"),
    "string_type": note("it must be a text"),
    "string_unicode": note("it must be a text"),
    "string_too_short": note("it must not be empty"),
    "int_type": note("it must be a whole number"),
    "int_parsing": note("it must be a whole number"),
    "int_parsing_size": note("it must be a whole number"),
    "greater_than_equal": note("it must be at least {ge}"),
    "less_than_equal": note("it must be at most {le}"),
    "bool_type": note("it must be a text, a whole number, or true or false"),
    "list_type": note("it must be a list"),
    "dict_type": note("it must be an object"),
    "model_attributes_type": note("it must be an object"),
    "union_tag_not_found": note("its kind must be one of: {expected_tags}"),
    "union_tag_invalid": note("its kind must be one of: {expected_tags}"),
}
COUNTED = {
    "string_too_long": ("max_length", note("it may have at most {count} character", "it may have at most {count} characters")),
    "too_short": ("min_length", note("it must have at least {count} entry", "it must have at least {count} entries")),
    "too_long": ("max_length", note("it may have at most {count} entry", "it may have at most {count} entries")),
}
INNER = ("body", "query", "bool", "int", "str", "human", "bot", "one", "several")  # how pydantic names the ways it tried


def explain(fault: Mapping[str, Any]) -> Say:
    """`fault` is the first of pydantic's errors."""
    where = ".".join(str(part) for part in fault["loc"] if part not in INNER) or "body"
    return say("{where}: {reason}", where=where, reason=_reason(fault))


def _reason(fault: Mapping[str, Any]) -> Say | str:
    kind, context = fault["type"], {"expected_tags": "'human', 'bot'"} | fault.get("ctx", {})
    if kind in COUNTED:
        limit, sentence = COUNTED[kind]
        return say(*sentence, count=context[limit])
    return say(REASONS[kind], **context) if kind in REASONS else str(fault["msg"])
