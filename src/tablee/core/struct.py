"""Fixed-layout structs of integers, for the state of a game and for its box.

    class State(Struct):
        seats: int = field()
        dice: Array = array_field(2)
        marks: Grid = array_field(12, 4, bits=32)

Compiled rules see the memory as one NumPy record; Python sees it through memoryviews that return Python ints, so arithmetic is the same
compiled and interpreted. A number that overflows a narrow field is an error in Python, where every rule is tested too; machine code
truncates it: 200 in 8 bits becomes -56. A loop that waits for 200 there never ends, and `tablee simulate` hangs silently; run it with
`TABLEE_PLAIN=1` to find the line. Copying is one memcpy, equality is equality of bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, Self, TypeVar, cast, overload

import numpy as np

R = TypeVar("R", bound="Struct")
WORD_BYTES = 8


class Array:
    """Static type of an integer array; at run time it is a memoryview, and inside a compiled rule a NumPy array."""

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
        """Return the numbers as a list, which Python reads faster than a memoryview; not for compiled code."""
        raise NotImplementedError


def array_view(array: Any) -> Array:
    return cast(Array, memoryview(array))


class Grid:
    """Two-dimensional integer array: `grid[row, column]` is a number, `grid[row]` a writable row."""

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
    """Descriptor of one integer, a word of the struct."""

    def __init__(self) -> None:
        self.word = 0

    def __get__(self, struct: Struct | None, owner: type[Struct]) -> Any:
        return self if struct is None else struct.words[self.word]

    def __set__(self, struct: Struct, value: int) -> None:
        struct.words[self.word] = value


class _ArrayField:
    """Descriptor of an array; the struct caches the view on first access."""

    def __init__(self, shape: tuple[int, ...], bits: int) -> None:
        self.shape, self.bits, self.name = shape, bits, ""

    def __set_name__(self, owner: type[Struct], name: str) -> None:
        self.name = name

    def __get__(self, struct: Struct | None, owner: type[Struct]) -> Any:
        if struct is None:
            return self
        array = struct.native[self.name]
        struct.__dict__[self.name] = view = Grid(array) if array.ndim > 1 else array_view(array)
        return view


def field() -> Any:
    """Declare a field that holds one 64-bit integer."""
    return _Field()


def array_field(*shape: int, bits: int = 64) -> Any:
    """Declare a field that holds an array of integers of 8, 16, 32 or 64 bits."""
    return _ArrayField(shape, bits)


class Struct:
    """Struct of integers, initially zero, or a view of one in existing memory; `words` is all of it as 64-bit integers."""

    layout: ClassVar[np.dtype[Any]]
    scalar_fields: ClassVar[frozenset[str]]  # names of the fields that hold one integer
    block: Any
    native: Any  # the same memory as a 0-dimensional array: Numba unboxes it ten times as fast as a `numpy.record`
    words: Array

    def __init_subclass__(cls) -> None:
        fields = {
            name: field for each in reversed(cls.__mro__) for name, field in vars(each).items() if isinstance(field, _Field | _ArrayField)
        }
        cls.layout = _build_dtype(cls.__name__, fields)
        cls.scalar_fields = frozenset(name for name, field in fields.items() if isinstance(field, _Field))

    def __init__(self, block: Any = None) -> None:
        """Create a zeroed struct, or a view of `block`, an array of one struct."""
        block = np.zeros(1, self.layout) if block is None else block
        self.__dict__.update(block=block, native=block.reshape(()), words=array_view(block.view(np.int64)))

    def __setattr__(self, name: str, value: int) -> None:
        """Set an integer field; raise AttributeError for array fields, which are written element by element, and for unknown names."""
        if name not in self.scalar_fields:
            raise AttributeError(f"{type(self).__name__} has no number {name!r} to write to")
        object.__setattr__(self, name, value)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        return cls(np.frombuffer(bytearray(data), cls.layout))

    def copy(self) -> Self:
        """Return a copy, made word by word: NumPy's copy by fields would not copy the padding."""
        return type(self)(np.array(self.words).view(self.layout))

    def tobytes(self) -> bytes:
        return bytes(self.native.tobytes())

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.tobytes() == self.tobytes()

    def __hash__(self) -> int:
        return hash(self.tobytes())


def _build_dtype(name: str, fields: dict[str, _Field | _ArrayField]) -> np.dtype[Any]:
    """Return the dtype of these fields in order, each aligned to a word."""
    formats: list[Any] = []
    offsets: list[int] = []
    end = 0
    for field_name, field in fields.items():
        assert not hasattr(np.record, field_name), f"{name}.{field_name} hides a method of numpy.record: choose another name"
        shape, bits = (field.shape, field.bits) if isinstance(field, _ArrayField) else ((), 64)
        formats.append((f"i{bits // 8}", shape))
        offsets.append(end)
        if isinstance(field, _Field):
            field.word = end // WORD_BYTES
        end += -(-np.dtype(formats[-1]).itemsize // WORD_BYTES) * WORD_BYTES
    layout = {"names": list(fields), "formats": formats, "offsets": offsets, "itemsize": end}
    return np.dtype((np.record, np.dtype(cast(Any, layout), align=True)))


class StructArray(Generic[R]):
    """Array of structs of one type in one block of memory."""

    def __init__(self, kind: type[R], length: int) -> None:
        self.array: Any = np.zeros(length, kind.layout)
        self._kind = kind

    @classmethod
    def wrapping(cls, kind: type[R], array: Any) -> StructArray[R]:
        """Return a view of structs in existing memory."""
        view = cls(kind, 0)
        view.array = array
        return view

    def __getitem__(self, at: int) -> R:
        return self._kind(self.array[at : at + 1])

    def __len__(self) -> int:
        return len(self.array)


def int_array(length: int) -> Array:
    """Return a zeroed int64 array, as an output buffer for rules."""
    return array_view(np.zeros(length, np.int64))


def int_grid(rows: int, columns: int) -> Grid:
    """Return a zeroed int64 grid, as an output buffer for rules."""
    return Grid(np.zeros((rows, columns), np.int64))


def fill(array: Array, values: Sequence[int] | Array | int) -> None:
    """Write a sequence of the same length into an array, or one number into every element."""
    if not isinstance(values, int) and len(values) != len(array):
        raise ValueError(f"{len(values)} numbers for {len(array)} places")
    for place in range(len(array)):
        array[place] = values if isinstance(values, int) else values[place]


def to_native(argument: Any) -> Any:
    """Return the NumPy array or number that a compiled rule takes in place of this argument."""
    if type(argument) is int:
        return argument
    if isinstance(argument, Struct):
        return argument.native
    if isinstance(argument, memoryview):
        return np.asarray(argument)
    if isinstance(argument, Grid | StructArray):
        return argument.array
    return argument
