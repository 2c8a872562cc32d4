"""Messages that update a client: changed fragments and state as JSON, compressed if long; each fragment is encoded once for all.

A compressed message is a raw deflate stream. It ends with the serial of the client's message that it answers.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from tablee.server.view.fragments import Fragment

MIN_COMPRESSED_LENGTH = 2000  # characters from which a message is compressed for clients that can inflate it
ENCODED_CACHE_SIZE = 1 << 8  # fragments that other clients may lack too
ZLIB_MEM_LEVEL = 5  # of 1 to 9: allocating more memory takes longer than compressing a short message


def encode(fragments: Sequence[Fragment], client_state: dict[str, Any]) -> str:
    """Return the JSON of a message without its end: the serial, which differs between clients, follows."""
    return f'{{"parts": [{", ".join(map(_encoded, fragments))}], "now": {json.dumps(client_state)}'


def encode_compressed(fragments: Sequence[Fragment], client_state: dict[str, Any]) -> str | bytes:
    """Return the JSON of a message without its serial; if long, as a deflate stream to which a stored block can be appended."""
    text = encode(fragments, client_state)
    if len(text) < MIN_COMPRESSED_LENGTH:
        return text
    compressor = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS, ZLIB_MEM_LEVEL)
    return compressor.compress(text.encode()) + compressor.flush(zlib.Z_FULL_FLUSH)


def with_serial(text: str, serial: int) -> str:
    return f'{text}, "serial": {serial}}}'


def compressed_with_serial(message: str | bytes, serial: int) -> str | bytes:
    return with_serial(message, serial) if isinstance(message, str) else message + _stored_block(with_serial("", serial))


def _encoded(fragment: Fragment) -> str:
    return _to_json(fragment) if fragment.is_uncached else _to_json_cached(fragment)


def _to_json(fragment: Fragment) -> str:
    return json.dumps({"id": fragment.id, "html": fragment.to_html()})


_to_json_cached = lru_cache(ENCODED_CACHE_SIZE)(_to_json)


def _stored_block(text: str) -> bytes:
    """Return the final block of a deflate stream, stored: header, length, its complement, and the text (RFC 1951, 3.2.4)."""
    data = text.encode()
    return b"\x01" + len(data).to_bytes(2, "little") + (0xFFFF - len(data)).to_bytes(2, "little") + data
