"""WebAssembly object file to module: an object of LLVM that refers to nothing outside is a module but for its exports.

An object imports its memory, its stack pointer and what it does not define. Its own symbols stand in its section `linking`
(https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md), its addresses count from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

CUSTOM, EXPORT = 0, 7  # kinds of section; others follow in ascending order, but for the data count
HEADER_BYTES, VERSION_BYTES = 8, 1
SYMBOL_TABLE, FUNCTION, DATA, SECTION = 8, 0, 1, 3
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40


class Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def byte(self) -> int:
        self.place += 1
        return self.data[self.place - 1]

    def number(self) -> int:
        """Return the next unsigned integer (LEB128)."""
        byte = self.byte()
        return byte if byte < 0x80 else byte - 0x80 + (self.number() << 7)

    def part(self) -> bytes:
        """Return the next bytes, which their number precedes."""
        size = self.number()
        self.place += size
        return self.data[self.place - size : self.place]

    @property
    def left(self) -> bytes:
        return self.data[self.place :]


def to_module(obj: bytes, symbols: Mapping[str, str]) -> bytes:
    """Return the module of an object, which exports these symbols by the names that they are mapped from."""
    parts = list(_parts(obj[HEADER_BYTES:]))
    indices = dict(_functions(next(body for kind, body in parts if kind == CUSTOM and Reader(body).part() == b"linking")))
    exports = [_sized(name.encode()) + bytes([FUNCTION]) + _number(indices[symbol]) for name, symbol in symbols.items()]
    found = [(kind, body) for kind, body in parts if kind != CUSTOM]
    place = next(place for place, (kind, _) in enumerate(found) if kind > EXPORT)
    found.insert(place, (EXPORT, _number(len(exports)) + b"".join(exports)))
    return obj[:HEADER_BYTES] + b"".join(bytes([kind]) + _sized(body) for kind, body in found)


def _parts(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield sections or subsections: their kinds and bodies."""
    reader = Reader(data)
    while reader.left:
        yield reader.byte(), reader.part()


def _functions(linking: bytes) -> Iterator[tuple[str, int]]:
    """Yield the functions that an object defines: their symbols and indices."""
    section = Reader(linking)
    section.part()  # its name
    table = Reader(next(body for kind, body in _parts(section.left[VERSION_BYTES:]) if kind == SYMBOL_TABLE))
    for _ in range(table.number()):
        kind, flags = table.byte(), table.number()
        if kind == DATA:
            table.part()
            _skip(table, 0 if flags & UNDEFINED else 3)
        elif kind == SECTION:
            _skip(table, 1)
        else:
            index = table.number()
            name = table.part() if not flags & UNDEFINED or flags & EXPLICIT_NAME else b""
            if kind == FUNCTION and not flags & UNDEFINED:
                yield name.decode(), index


def _skip(reader: Reader, numbers: int) -> None:
    for _ in range(numbers):
        reader.number()


def _number(number: int) -> bytes:
    """Return an unsigned integer as LEB128."""
    return bytes([number]) if number < 0x80 else bytes([number & 0x7F | 0x80]) + _number(number >> 7)


def _sized(data: bytes) -> bytes:
    return _number(len(data)) + data
