"""Codes that are read out, and ids that are not: tables that gather and classes share their codes, so that none leads to both."""

from __future__ import annotations

import secrets

import sqlalchemy as sql

from tablee.server.storage.schema import clubs, tables

LETTERS = "BCDFGHJKMNPQRSTVWXZ"  # no vowels, so that no code is a word; none that looks like a digit
LENGTH = 6  # those made before had five, and still lead where they led
ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def new_id() -> str:
    return _random_text(ID_LETTERS, 10)


def unused_code(connection: sql.Connection) -> str:
    """One that leads nowhere yet."""
    while True:
        code = _random_text(LETTERS, LENGTH)
        taken = sql.union_all(*(sql.select(each.c.code).where(each.c.code == code) for each in (clubs, tables)))
        if connection.execute(taken).first() is None:
            return code


def normalize_code(typed: str) -> str:
    """What people mean who type this, in whatever case and spacing."""
    return "".join(letter for letter in typed.upper() if letter.isalnum())[:LENGTH]


def _random_text(letters: str, count: int) -> str:
    return "".join(secrets.choice(letters) for _ in range(count))
