"""What a screen is told of a picture: as text, or packed where it is large. A part that many screens lack is put into words once for all.

A packed message is a raw deflate stream. It ends with the serial, which says which of its own words a screen is answered.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from tablee.server.view.fragments import Part

LARGE = 2000  # characters from which a message is packed for screens that can unpack it
RECENT = 1 << 8  # parts that others may lack too
SMALL = 5  # how much memory a packer sets up, which takes longer than packing a few letters; of 1 to 9


def said(parts: Sequence[Part], now: dict[str, Any]) -> str:
    """A message up to its serial."""
    return f'{{"parts": [{", ".join(map(_told, parts))}], "now": {json.dumps(now)}'


def packed(parts: Sequence[Part], now: dict[str, Any]) -> str | bytes:
    """The same, packed if that is worth it; more may follow."""
    text = said(parts, now)
    if len(text) < LARGE:
        return text
    packer = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS, SMALL)
    return packer.compress(text.encode()) + packer.flush(zlib.Z_FULL_FLUSH)


def closed(text: str, serial: int) -> str:
    return f'{text}, "serial": {serial}}}'


def closed_packed(message: str | bytes, serial: int) -> str | bytes:
    return closed(message, serial) if isinstance(message, str) else message + _as_it_is(closed("", serial))


def _told(part: Part) -> str:
    return _in_words(part) if part.loose else _in_words_for_many(part)


def _in_words(part: Part) -> str:
    return json.dumps({"id": part.name, "html": part.whole()})


_in_words_for_many = lru_cache(RECENT)(_in_words)


def _as_it_is(text: str) -> bytes:
    """The end of such a stream, not packed: a last block, its length, the same the other way round, and the text (RFC 1951, 3.2.4)."""
    letters = text.encode()
    return b"\x01" + len(letters).to_bytes(2, "little") + (0xFFFF - len(letters)).to_bytes(2, "little") + letters
