"""Fixed-layout structs of integers, for the state of a game and for its box.

    class State(Struct):
        seats: int = field()
        dice: Array = array_field(2)
        marks: Grid = array_field(12, 4, bits=32)

Python sees the memory through memoryviews that return Python ints, so arithmetic is the same compiled and interpreted. Compiled rules see
it as one NumPy record; where NumPy is not installed, everything else works the same. A number that overflows a narrow field is an error in
Python, where every rule is tested too; machine code truncates it: 200 in 8 bits becomes -56. A loop that waits for 200 there never ends,
and `tablee simulate` hangs silently; run it with `TABLEE_PLAIN=1` to find the line. Copying is one memcpy, equality is equality of bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import prod
from struct import calcsize
from typing import Any, ClassVar, Generic, Literal, Self, TypeVar, cast, overload

from tablee.core.optional_numpy import np

R = TypeVar("R", bound="Struct")
WORD_BYTES = 8
WORDS_FIELD = "words"  # field of every layout: the same memory again, by which compiled rules copy and compare
FormatCode = Literal["b", "h", "i", "l", "q"]  # of a memoryview
WORD: FormatCode = "l" if calcsize("l") == WORD_BYTES else "q"  # as NumPy on this system
CODES: dict[int, FormatCode] = {8: "b", 16: "h", 32: "i", 64: WORD}


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


def as_words(memory: bytearray) -> Array:
    return cast(Array, memoryview(memory).cast(WORD))


class Grid:
    """Two-dimensional integer array: `grid[row, column]` is a number, `grid[row]` a writable row."""

    def __init__(self, memory: Any, shape: tuple[int, ...] = ()) -> None:
        """Create a view of a NumPy array, or of an `Array` that has this shape, row by row."""
        self._memory, self._shape = memory, shape

    @cached_property
    def array(self) -> Any:
        """Return the NumPy array."""
        return np.asarray(self._memory).reshape(self._shape) if self._shape else self._memory

    @cached_property
    def rows(self) -> list[Array]:
        if not self._shape:
            return [array_view(row) for row in self._memory]
        count, columns = self._shape
        return [self._memory[row * columns : (row + 1) * columns] for row in range(count)]

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
        return self._shape[0] if self._shape else len(self._memory)


class _Field:
    """Descriptor of one integer, a word of the struct."""

    def __init__(self) -> None:
        self.shape: tuple[int, ...] = ()
        self.bits, self.size, self.word = 8 * WORD_BYTES, WORD_BYTES, 0

    def __get__(self, struct: Struct | None, owner: type[Struct]) -> object:
        return self if struct is None else struct.words[self.word]

    def __set__(self, struct: Struct, value: int) -> None:
        struct.words[self.word] = value


class _ArrayField:
    """Descriptor of an array; the struct caches the view on first access."""

    def __init__(self, shape: tuple[int, ...], bits: int) -> None:
        self.shape, self.bits, self.name, self.word = shape, bits, "", 0
        self.size = prod(shape) * bits // 8  # bytes

    def __set_name__(self, owner: type[Struct], name: str) -> None:
        self.name = name

    def __get__(self, struct: Struct | None, owner: type[Struct]) -> object:
        if struct is None:
            return self
        memory = cast(memoryview, struct.words[self.word : self.word + words_of(self.size)])
        if self.bits < 8 * WORD_BYTES:
            memory = memory.cast("B")[: self.size].cast(CODES[self.bits])
        struct.__dict__[self.name] = view = Grid(memory, self.shape) if len(self.shape) > 1 else memory
        return view


class _Native:
    """Descriptor of the NumPy array of a struct; the struct caches it on first access."""

    def __get__(self, struct: Struct | None, owner: type[Struct]) -> Any:
        if struct is None:
            return self
        struct.__dict__["native"] = array = np.frombuffer(struct.words, struct.layout).reshape(())
        return array


def field() -> Any:
    """Declare a field that holds one 64-bit integer."""
    return _Field()


def array_field(*shape: int, bits: int = 64) -> Any:
    """Declare a field that holds an array of integers of 8, 16, 32 or 64 bits."""
    return _ArrayField(shape, bits)


class Struct:
    """Struct of integers, initially zero, or a view of one in existing memory; `words` is all of it as 64-bit integers."""

    layout: ClassVar[Any]  # as a NumPy dtype; None without NumPy
    word_count: ClassVar[int]
    fields: ClassVar[Mapping[str, _Field | _ArrayField]]  # in the order of their memory
    scalar_fields: ClassVar[frozenset[str]]  # names of the fields that hold one integer
    native = _Native()  # the same memory as a 0-dimensional array: Numba unboxes it ten times as fast as a `numpy.record`
    words: Array

    def __init_subclass__(cls) -> None:
        fields = {
            name: field for each in reversed(cls.__mro__) for name, field in vars(each).items() if isinstance(field, _Field | _ArrayField)
        }
        hidden = fields.keys() & (vars(Struct).keys() | Struct.__annotations__.keys())
        assert not hidden, f"{cls.__name__}: fields hide attributes of every struct: {', '.join(hidden)}"
        cls.fields, cls.word_count = fields, _place(fields)
        cls.layout = _build_dtype(cls.__name__, fields, cls.word_count) if np else None
        cls.scalar_fields = frozenset(name for name, field in fields.items() if isinstance(field, _Field))

    def __init__(self, memory: Any = None) -> None:
        """Create a zeroed struct, or a view of `memory`: an `Array` of its words, or a NumPy array of one struct."""
        if memory is None:
            memory = as_words(bytearray(WORD_BYTES * self.word_count))
        self.__dict__["words"] = memory if type(memory) is memoryview else array_view(memory.view(np.int64))

    @property
    def block(self) -> Any:
        """Return the struct as a NumPy array of one struct."""
        return self.native.reshape(1)

    def __setattr__(self, name: str, value: int) -> None:
        """Set an integer field; raise AttributeError for array fields, which are written element by element, and for unknown names."""
        if name not in self.scalar_fields:
            raise AttributeError(f"{type(self).__name__} has no number {name!r} to write to")
        object.__setattr__(self, name, value)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        if len(data) != WORD_BYTES * cls.word_count:
            raise ValueError(f"{len(data)} bytes for {cls.__name__}, which has {WORD_BYTES * cls.word_count}")
        return cls(as_words(bytearray(data)))

    def copy(self) -> Self:
        return type(self)(as_words(bytearray(cast(memoryview, self.words))))

    def tobytes(self) -> bytes:
        return cast(memoryview, self.words).tobytes()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.tobytes(),)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.tobytes() == self.tobytes()

    def __hash__(self) -> int:
        return hash(self.tobytes())


def words_of(size: int) -> int:
    """Return the number of words that this many bytes take."""
    return -(-size // WORD_BYTES)


def _place(fields: dict[str, _Field | _ArrayField]) -> int:
    """Place these fields one after another, each at the beginning of a word; return the words that they take."""
    end = 0
    for each in fields.values():
        each.word = end
        end += words_of(each.size)
    return end


def _build_dtype(name: str, fields: dict[str, _Field | _ArrayField], word_count: int) -> Any:
    """Return the dtype of these fields."""
    for field_name in fields:
        assert not hasattr(np.record, field_name), f"{name}.{field_name} hides a method of numpy.record: choose another name"
    formats = [(f"i{each.bits // 8}", each.shape) for each in fields.values()]
    offsets = [WORD_BYTES * each.word for each in fields.values()]
    layout = {
        "names": [*fields, WORDS_FIELD],
        "formats": [*formats, (f"i{WORD_BYTES}", (word_count,))],
        "offsets": [*offsets, 0],
        "itemsize": WORD_BYTES * word_count,
    }
    return np.dtype((np.record, np.dtype(layout, align=True)))


class StructArray(Generic[R]):
    """Array of structs of one type in one block of memory."""

    def __init__(self, kind: type[R], length: int) -> None:
        self._wrap(kind, np.zeros(length, kind.layout) if np else as_words(bytearray(WORD_BYTES * kind.word_count * length)))

    def _wrap(self, kind: type[R], array: Any) -> None:
        self._kind, self.array = kind, array
        self.words: Any = array_view(array.view(np.int64)) if np else array

    @classmethod
    def wrapping(cls, kind: type[R], array: Any) -> StructArray[R]:
        """Return a view of structs in existing memory, a NumPy array."""
        view = cls.__new__(cls)
        view._wrap(kind, array)
        return view

    def __getitem__(self, at: int) -> R:
        return self._kind(self.words[at * self._kind.word_count : (at + 1) * self._kind.word_count])

    def __len__(self) -> int:
        return len(self.words) // self._kind.word_count


def int_array(length: int) -> Array:
    """Return a zeroed int64 array, as an output buffer for rules."""
    return as_words(bytearray(WORD_BYTES * length))


def int_grid(rows: int, columns: int) -> Grid:
    """Return a zeroed int64 grid, as an output buffer for rules."""
    return Grid(int_array(rows * columns), (rows, columns))


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
    if isinstance(argument, tuple):
        return type(argument)(*map(to_native, argument))  # a named tuple
    return argument
