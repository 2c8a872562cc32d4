"""Clubs and classes: one code, many members, many tables at once."""
