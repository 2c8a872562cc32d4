"""The state of a game, and what lies in its box, are fixed-size records of whole numbers. A record is declared as a class:

    class State(Record):
        seats: int = cell()
        dice: Array = cells(2)
        marks: Grid = cells(12, 4, bits=32)

Compiled rules see the memory as one record; everybody else looks through windows that show Python's own whole numbers, so arithmetic means
the same compiled and interpreted. A number that does not fit a narrow cell is an error in Python, where every rule is tested too;
machine code cuts it off: 200 in a cell of 8 bits is -56 from then on. A loop that waits for 200 there never ends, and `tablee simulate`
hangs without a word; `TABLEE_PLAIN=1` names the line. Copying is one memcpy, equality is equality of bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, Self, TypeVar, cast, overload

import numpy as np

R = TypeVar("R", bound="Struct")
WORD_BYTES = 8  # bytes


class Array:
    """The typed face of a row of numbers; what really travels is a memoryview, and inside a compiled rule a NumPy array."""

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> Array: ...
    def __getitem__(self, at: int | slice) -> int | Array:
        raise NotImplementedError

    def __setitem__(self, at: int | slice, value: Any) -> None:
        raise NotImplementedError

    def __iter__(self) -> Iterator[int]:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def tolist(self) -> list[int]:
        """For Python alone, which reads a list more quickly than a window."""
        raise NotImplementedError


def array_view(array: Any) -> Array:
    return cast(Array, memoryview(array))


class Grid:
    """Rows of numbers: `grid[row, column]` is a number, `grid[row]` a row that can be written to."""

    def __init__(self, array: Any) -> None:
        self.array = array

    @cached_property
    def rows(self) -> list[Array]:
        return [array_view(row) for row in self.array]

    @overload
    def __getitem__(self, at: tuple[int, int]) -> int: ...
    @overload
    def __getitem__(self, at: int) -> Array: ...
    def __getitem__(self, at: int | tuple[int, int]) -> int | Array:
        return self.rows[at[0]][at[1]] if type(at) is tuple else self.rows[cast(int, at)]

    def __setitem__(self, at: int | tuple[int, int], value: Any) -> None:
        if type(at) is tuple:
            self.rows[at[0]][at[1]] = value
        else:
            fill(self.rows[cast(int, at)], value)

    def __iter__(self) -> Iterator[Array]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.array)


class _Field:
    """One number, a word of the record."""

    def __init__(self) -> None:
        self.word = 0

    def __get__(self, record: Struct | None, owner: type[Struct]) -> Any:
        return self if record is None else record.words[self.word]

    def __set__(self, record: Struct, value: int) -> None:
        record.words[self.word] = value


class _ArrayField:
    """An array of numbers; the record keeps the window on it once somebody has looked."""

    def __init__(self, shape: tuple[int, ...], bits: int) -> None:
        self.shape, self.bits, self.name = shape, bits, ""

    def __set_name__(self, owner: type[Struct], name: str) -> None:
        self.name = name

    def __get__(self, record: Struct | None, owner: type[Struct]) -> Any:
        if record is None:
            return self
        array = record.native[self.name]
        record.__dict__[self.name] = seen = Grid(array) if array.ndim > 1 else array_view(array)
        return seen


def field() -> Any:
    """A field that holds one number."""
    return _Field()


def array_field(*shape: int, bits: int = 64) -> Any:
    """A field that holds a row or rows of numbers of 8, 16, 32 or 64 bits."""
    return _ArrayField(shape, bits)


class Struct:
    """A record of whole numbers, all zero at first; or a window on one that lies in somebody else's memory. `words` is all of it."""

    layout: ClassVar[np.dtype[Any]]
    scalar_fields: ClassVar[frozenset[str]]  # the fields that hold one number
    block: Any
    native: Any  # the same memory as an array without dimensions: Numba takes that over ten times as quickly as a `numpy.record`
    words: Array

    def __init_subclass__(cls) -> None:
        fields = {
            name: field for each in reversed(cls.__mro__) for name, field in vars(each).items() if isinstance(field, _Field | _ArrayField)
        }
        cls.layout = _build_dtype(cls.__name__, fields)
        cls.scalar_fields = frozenset(name for name, field in fields.items() if isinstance(field, _Field))

    def __init__(self, block: Any = None) -> None:
        """`block` is an array of one such record."""
        block = np.zeros(1, self.layout) if block is None else block
        self.__dict__.update(block=block, native=block.reshape(()), words=array_view(block.view(np.int64)))

    def __setattr__(self, name: str, value: int) -> None:
        """An array is written to in its places; anything else that is not a number of the record is a slip of the pen."""
        if name not in self.scalar_fields:
            raise AttributeError(f"{type(self).__name__} has no number {name!r} to write to")
        object.__setattr__(self, name, value)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        return cls(np.frombuffer(bytearray(data), cls.layout))

    def copy(self) -> Self:
        """Word by word: a copy by fields would leave the gaps between narrow ones as it finds them."""
        return type(self)(np.array(self.words).view(self.layout))

    def tobytes(self) -> bytes:
        return bytes(self.native.tobytes())

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.tobytes() == self.tobytes()

    def __hash__(self) -> int:
        return hash(self.tobytes())


def _build_dtype(name: str, fields: dict[str, _Field | _ArrayField]) -> np.dtype[Any]:
    """One field after the other, each beginning at a word."""
    formats: list[Any] = []
    places: list[int] = []
    end = 0
    for field_name, field in fields.items():
        assert not hasattr(np.record, field_name), f"{name}.{field_name} hides a method of numpy.record: choose another name"
        shape, bits = (field.shape, field.bits) if isinstance(field, _ArrayField) else ((), 64)
        formats.append((f"i{bits // 8}", shape))
        places.append(end)
        if isinstance(field, _Field):
            field.word = end // WORD_BYTES
        end += -(-np.dtype(formats[-1]).itemsize // WORD_BYTES) * WORD_BYTES
    whole = {"names": list(fields), "formats": formats, "offsets": places, "itemsize": end}
    return np.dtype((np.record, np.dtype(cast(Any, whole), align=True)))


class StructArray(Generic[R]):
    """Room for several records of one kind in one block."""

    def __init__(self, kind: type[R], length: int) -> None:
        self.array: Any = np.zeros(length, kind.layout)
        self._kind = kind

    @classmethod
    def wrapping(cls, kind: type[R], array: Any) -> StructArray[R]:
        """A window on records that lie in somebody else's memory."""
        row = cls(kind, 0)
        row.array = array
        return row

    def __getitem__(self, at: int) -> R:
        return self._kind(self.array[at : at + 1])

    def __len__(self) -> int:
        return len(self.array)


def int_array(length: int) -> Array:
    """Room for so many numbers, to be written to by a rule."""
    return array_view(np.zeros(length, np.int64))


def int_grid(rows: int, columns: int) -> Grid:
    return Grid(np.zeros((rows, columns), np.int64))


def fill(array: Array, values: Sequence[int] | Array | int) -> None:
    """Writes these numbers, as many as there is room for, or one number everywhere."""
    if not isinstance(values, int) and len(values) != len(array):
        raise ValueError(f"{len(values)} numbers for {len(array)} places")
    for place in range(len(array)):
        array[place] = values if isinstance(values, int) else values[place]


def to_native(argument: Any) -> Any:
    """What a compiled rule is given in place of a window."""
    if type(argument) is int:
        return argument
    if isinstance(argument, Struct):
        return argument.native
    if isinstance(argument, memoryview):
        return np.asarray(argument)
    if isinstance(argument, Grid | StructArray):
        return argument.array
    return argument
