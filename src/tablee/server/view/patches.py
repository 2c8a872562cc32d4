"""What a screen is told of a picture: as text, or packed where it is large. A part that many screens lack is put into words once for all.

A packed message is a raw deflate stream. It ends with the serial, which says which of its own words a screen is answered.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from tablee.server.view.fragments import Fragment

MIN_COMPRESSED_LENGTH = 2000  # characters from which a message is packed for screens that can unpack it
ENCODED_CACHE_SIZE = 1 << 8  # parts that others may lack too
ZLIB_MEM_LEVEL = 5  # how much memory a packer sets up, which takes longer than packing a few letters; of 1 to 9


def encode(parts: Sequence[Fragment], now: dict[str, Any]) -> str:
    """A message up to its serial."""
    return f'{{"parts": [{", ".join(map(_encoded, parts))}], "now": {json.dumps(now)}'


def encode_compressed(parts: Sequence[Fragment], now: dict[str, Any]) -> str | bytes:
    """The same, packed if that is worth it; more may follow."""
    text = encode(parts, now)
    if len(text) < MIN_COMPRESSED_LENGTH:
        return text
    packer = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS, ZLIB_MEM_LEVEL)
    return packer.compress(text.encode()) + packer.flush(zlib.Z_FULL_FLUSH)


def with_serial(text: str, serial: int) -> str:
    return f'{text}, "serial": {serial}}}'


def compressed_with_serial(message: str | bytes, serial: int) -> str | bytes:
    return with_serial(message, serial) if isinstance(message, str) else message + _stored_block(with_serial("", serial))


def _encoded(part: Fragment) -> str:
    return _to_json(part) if part.is_uncached else _to_json_cached(part)


def _to_json(part: Fragment) -> str:
    return json.dumps({"id": part.id, "html": part.to_html()})


_to_json_cached = lru_cache(ENCODED_CACHE_SIZE)(_to_json)


def _stored_block(text: str) -> bytes:
    """The end of such a stream, not packed: a last block, its length, the same the other way round, and the text (RFC 1951, 3.2.4)."""
    letters = text.encode()
    return b"\x01" + len(letters).to_bytes(2, "little") + (0xFFFF - len(letters)).to_bytes(2, "little") + letters
