"""Messages for malformed requests: pydantic's first error as one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablee.core.i18n import Message, mark, msg

REASONS = {
    "missing": mark("it is missing"),
    "extra_forbidden": mark("nothing of this name belongs here"),
    "string_type": mark("it must be a text"),
    "string_unicode": mark("it must be a text"),
    "string_too_short": mark("it must not be empty"),
    "int_type": mark("it must be a whole number"),
    "int_parsing": mark("it must be a whole number"),
    "int_parsing_size": mark("it must be a whole number"),
    "greater_than_equal": mark("it must be at least {ge}"),
    "less_than_equal": mark("it must be at most {le}"),
    "bool_type": mark("it must be a text, a whole number, or true or false"),
    "list_type": mark("it must be a list"),
    "dict_type": mark("it must be an object"),
    "model_attributes_type": mark("it must be an object"),
    "union_tag_not_found": mark("its kind must be one of: {expected_tags}"),
    "union_tag_invalid": mark("its kind must be one of: {expected_tags}"),
}
COUNTED_REASONS = {
    "string_too_long": ("max_length", mark("it may have at most {count} character", "it may have at most {count} characters")),
    "too_short": ("min_length", mark("it must have at least {count} entry", "it must have at least {count} entries")),
    "too_long": ("max_length", mark("it may have at most {count} entry", "it may have at most {count} entries")),
}
SKIPPED_LOCATIONS = ("body", "query", "bool", "int", "str", "human", "bot", "one", "several")  # pydantic's names of what it parsed as


def validation_message(error: Mapping[str, Any]) -> Message:
    """Return the message of one of pydantic's errors."""
    where = ".".join(str(part) for part in error["loc"] if part not in SKIPPED_LOCATIONS) or "body"
    return msg("{where}: {reason}", where=where, reason=_reason(error))


def _reason(error: Mapping[str, Any]) -> Message | str:
    kind, context = error["type"], {"expected_tags": "'human', 'bot'"} | error.get("ctx", {})
    if kind in COUNTED_REASONS:
        limit, sentence = COUNTED_REASONS[kind]
        return msg(*sentence, count=context[limit])
    return msg(REASONS[kind], **context) if kind in REASONS else str(error["msg"])
