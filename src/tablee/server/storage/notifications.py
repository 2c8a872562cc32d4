"""What the processes at one database tell each other, a word or two each: nothing is handed over that the database does not say, but for
who is here and quick signs, which are kept nowhere.
"""

from __future__ import annotations

TABLE_CHANGED = "table"  # ID VERSION: its log is so long now; 0 where something else changed
LOBBY_CHANGED = "gathered"  # ID: somebody sat down, or its game begins
TABLE_DELETED = "gone"  # ID: the table is not kept any more
CLUB_CHANGED = "club"  # ID: its members, places or pause changed
PRESENCE = "here"  # ID:PACE:WHO,WHO ...: who has a screen there, at each of these tables, gatherings and clubs
REACTION = "sign"  # ID SEAT SIGN
