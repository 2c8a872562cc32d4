"""A struct is one block of memory: Python integers outside, machine words inside."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablee.core.jit import copy
from tablee.core.struct import Array, Grid, Struct, StructArray, array_field, field, fill, int_array, int_grid, to_native


class Card(Struct):
    value: int = field()
    corners: Array = array_field(4)
    grid: Grid = array_field(2, 3)


class Narrow(Struct):
    count: int = field()
    small: Array = array_field(3, bits=8)
    middle: Grid = array_field(2, 2, bits=16)


class Wider(Narrow):
    more: Array = array_field(5)


def test_a_struct_is_one_block_of_64_bit_numbers() -> None:
    assert Card.layout.itemsize == 8 * (1 + 4 + 6)
    card = Card()
    card.value, card.corners[2], card.grid[1, 2] = 7, 5, 9
    assert struct.unpack("=11q", card.tobytes()) == (7, 0, 0, 5, 0, 0, 0, 0, 0, 0, 9)


def test_narrow_fields_take_less_space_and_each_begins_at_a_word() -> None:
    assert Narrow.layout.itemsize == 8 * (1 + 1 + 1)
    narrow = Narrow()
    narrow.small[1], narrow.middle[1, 1] = -3, 300
    assert struct.unpack("=q8b4h", narrow.tobytes()) == (0, 0, -3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 300)


@given(st.integers(-(10**6), 10**6))
def test_a_number_that_does_not_fit_its_field_is_refused(number: int) -> None:
    narrow = Narrow()
    if -128 <= number < 128:
        narrow.small[0] = number
        assert narrow.small[0] == number
    else:
        with pytest.raises(ValueError, match="invalid value"):
            narrow.small[0] = number
    assert type(narrow.small[0]) is int


def test_a_copy_is_apart_and_equality_is_equality_of_bytes() -> None:
    card = Card()
    other = card.copy()
    assert other == card
    assert hash(other) == hash(card)
    other.corners[0] = 1
    assert card.corners[0] == 0
    assert other != card


def test_a_struct_copies_into_another_that_begins_alike() -> None:
    one, other = Narrow(), Wider()
    one.count, one.middle[0, 1], other.more[4] = 7, 8, 9
    copy(one, other)
    assert (other.count, other.middle[0, 1], other.more[4]) == (7, 8, 9)


@pytest.mark.parametrize("name", ["word_count", "layout", "copy"])
def test_a_field_cannot_hide_what_every_struct_has(name: str) -> None:
    with pytest.raises(AssertionError, match=name):
        type("Hiding", (Struct,), {name: field()})


def test_only_numbers_are_written_by_name() -> None:
    """An array is written element by element, and a misspelt name is no new field."""
    card, other = Card(), Card()
    for wrong in ("corners", "grid", "valeu"):
        with pytest.raises(AttributeError, match=f"Card has no number '{wrong}'"):
            setattr(card, wrong, other.corners)
    for rows in ([1, 2], [1, 2, 3, 4]):
        with pytest.raises(ValueError, match="numbers for 3 places"):
            card.grid[0] = rows
    assert card == other


@given(st.binary(min_size=88, max_size=88))
def test_a_struct_can_be_made_from_its_bytes(data: bytes) -> None:
    card = Card.from_bytes(data)
    assert card.tobytes() == data
    card.value = 1
    assert card.words[0] == 1


def test_a_struct_array_is_one_block() -> None:
    row = StructArray(Card, 2)
    row[1].value = 3
    assert [row[number].value for number in range(len(row))] == [0, 3]
    copy(row[1], row[0])
    assert to_native(row)["value"].tolist() == [3, 3]


def test_a_row_of_a_grid_can_be_written_to() -> None:
    card = Card()
    card.grid[1] = [4, 5, 6]
    card.grid[1][0] += 1
    assert [list(row) for row in card.grid] == [[0, 0, 0], [5, 5, 6]]


def test_room_for_numbers_is_filled_by_many_or_by_one() -> None:
    room = int_array(3)
    fill(room, [1, 2, 3])
    assert list(room) == [1, 2, 3]
    fill(room, -1)
    assert list(room) == [-1, -1, -1]
    assert to_native(int_grid(2, 5)).shape == (2, 5)


def test_a_field_does_not_hide_a_method_of_the_struct() -> None:
    with pytest.raises(AssertionError, match="hides a method"):

        class Wrong(Struct):
            sum: int = field()
