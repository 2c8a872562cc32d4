"""Codes to read aloud. Tables and classes share one code space, so that no code leads to both."""

from __future__ import annotations

import secrets

import sqlalchemy as sql

from tablee.server.storage.schema import clubs, tables

LETTERS = "BCDFGHJKMNPQRSTVWXZ"  # no vowels, so that no code is a word; none that looks like a digit
LENGTH = 6  # older codes have five letters and stay valid


def unused_code(connection: sql.Connection, letters: str = LETTERS, length: int = LENGTH) -> str:
    """Return a random code that no table and no class has."""
    while True:
        code = "".join(secrets.choice(letters) for _ in range(length))
        taken = sql.union_all(*(sql.select(each.c.code).where(each.c.code == code) for each in (clubs, tables)))
        if connection.execute(taken).first() is None:
            return code


def normalize_code(typed: str) -> str:
    """Return a typed code in upper case, without spaces and punctuation."""
    return "".join(letter for letter in typed.upper() if letter.isalnum())[:LENGTH]
