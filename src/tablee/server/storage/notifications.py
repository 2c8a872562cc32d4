"""Kinds of notifications between the processes at one database.

A notification is a hint to read the database; only presence and reactions, which are not stored, travel in it.
"""

from __future__ import annotations

TABLE_CHANGED = "table"  # ID VERSION: the length of its log; 0 where something else changed
LOBBY_CHANGED = "gathered"  # ID: a seat changed, or its game begins
TABLE_DELETED = "gone"  # ID
CLUB_CHANGED = "club"  # ID: its members, places or pause changed
PRESENCE = "here"  # ID:PACE:WHO,WHO ...: the people connected to each of these tables, lobbies and clubs
REACTION = "sign"  # ID SEAT REACTION
