"""What the processes at one database tell each other, a word or two each: nothing is handed over that the database does not say, but for
who is here and quick signs, which are kept nowhere.
"""

from __future__ import annotations

TABLE = "table"  # ID VERSION: its log is so long now; 0 where something else changed
GATHERED = "gathered"  # ID: somebody sat down, or its game begins
GONE = "gone"  # ID: the table is not kept any more
CLUB = "club"  # ID: its members, places or pause changed
HERE = "here"  # ID:PACE:WHO,WHO ...: who has a screen there, at each of these tables, gatherings and clubs
SIGN = "sign"  # ID SEAT SIGN
