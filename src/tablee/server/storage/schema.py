"""Current schema of the database; `migrations.py` brings older data to it."""

from __future__ import annotations

import sqlalchemy as sql

from tablee.server.table.models import MOVE, PLAYING, SEED_BYTES

metadata = sql.MetaData()
schema_version = sql.Table("schema_version", metadata, sql.Column("version", sql.Integer, nullable=False))
boxes = sql.Table(
    "boxes",
    metadata,
    sql.Column("sha256", sql.String(64), primary_key=True),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("text", sql.Text, nullable=False),
)
tables = sql.Table(
    "tables",
    metadata,
    sql.Column("id", sql.String(16), primary_key=True),
    sql.Column("game", sql.String(64), nullable=False),
    sql.Column("rules", sql.Integer, nullable=False),
    sql.Column("box", sql.String(64), sql.ForeignKey("boxes.sha256"), nullable=False),
    sql.Column("options", sql.JSON, nullable=False),
    sql.Column("seed", sql.LargeBinary(SEED_BYTES), nullable=False),
    sql.Column("derivation", sql.Integer, nullable=False),  # how draws follow from the seed
    sql.Column("created", sql.DateTime(timezone=True), nullable=False),
    sql.Column("rematch", sql.String(16), nullable=False, server_default=""),  # the table where the same people play again
    sql.Column("outcome", sql.JSON(none_as_null=True)),  # scores and winners, once the game is over
    sql.Column("settings", sql.JSON, nullable=False, server_default="{}"),  # decisions of the host that are not rules of the game
    sql.Column("phase", sql.String(16), nullable=False, server_default=PLAYING),
    sql.Column("revision", sql.Integer, nullable=False, server_default="0"),  # number of changes in the lobby
    sql.Column("code", sql.String(8), nullable=False, server_default=""),  # what people type to find it, until its game is over
    sql.Column("host", sql.String(64), nullable=False, server_default=""),  # the hash of the host's token
    sql.Column("origin", sql.JSON(none_as_null=True)),  # the table that its first lines come from, and their number
    sql.Column("brought", sql.Boolean, nullable=False, server_default=sql.false()),  # whether it is an imported record
    sql.Column("ticking", sql.BigInteger, nullable=False, server_default="0"),  # start of the clocks, in ms of the wall clock; 0: stopped
    sql.Column("opened", sql.DateTime(timezone=True)),  # when it was last opened, to a day
    sql.Index("tables_by_code", "code"),
)
seats = sql.Table(
    "seats",
    metadata,
    sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("seat", sql.Integer, primary_key=True),
    sql.Column("kind", sql.String(16), nullable=False),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("colour", sql.Integer, nullable=False),
    sql.Column("level", sql.String(64), nullable=False),
    sql.Column("token_hash", sql.String(64), nullable=False),
    sql.Column("used", sql.Integer, nullable=False, server_default="0"),  # milliseconds, where there are clocks
    sql.Column("owner_hash", sql.String(64), nullable=False, server_default=""),  # hash of the token that reclaims a seat given away
    sql.Column("owner_name", sql.Text, nullable=False, server_default=""),
)
former_tokens = sql.Table(  # tokens whose seat has another owner now
    "former_tokens",
    metadata,
    sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("token_hash", sql.String(64), primary_key=True),
)
reviews = sql.Table(
    "reviews",
    metadata,
    sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("text", sql.Text, nullable=False),  # findings of the coach
)
log = sql.Table(
    "log",
    metadata,
    sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("position", sql.Integer, primary_key=True),
    sql.Column("line", sql.Text, nullable=False),
    sql.Column("client_id", sql.String(80)),
    sql.Column("kind", sql.String(16), nullable=False, server_default=MOVE),
)
leases = sql.Table(  # the process that computes the bots of a table, and until when
    "leases",
    metadata,
    sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("process", sql.String(16), nullable=False),
    sql.Column("until", sql.DateTime(timezone=True), nullable=False),
)
chat_messages = sql.Table(  # the newest of each table whose host allows the chat
    "chat_messages",
    metadata,
    sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("seat", sql.Integer, nullable=False),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("client_id", sql.String(80), nullable=False),
)
clubs = sql.Table(
    "clubs",  # classes and clubs: people who share a code, and their tables
    metadata,
    sql.Column("id", sql.String(16), primary_key=True),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("code", sql.String(8), nullable=False, unique=True),
    sql.Column("organiser", sql.String(64), nullable=False),  # the hash of a token
    sql.Column("admits", sql.Boolean, nullable=False),  # whether newcomers may join
    sql.Column("paused", sql.Boolean, nullable=False),
    sql.Column("round", sql.Integer, nullable=False),
    sql.Column("used", sql.Date, nullable=False),  # the last day of use
)
members = sql.Table(
    "members",
    metadata,
    sql.Column("club_id", sql.String(16), sql.ForeignKey("clubs.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("token_hash", sql.String(64), nullable=False),  # also of the member's seats
)
club_tables = sql.Table(
    "club_tables",
    metadata,
    sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("club_id", sql.String(16), sql.ForeignKey("clubs.id"), nullable=False, index=True),
    sql.Column("round", sql.Integer, nullable=False),
    sql.Column("number", sql.Integer, nullable=False),  # as people call the table; a rematch has the same
    sql.Column("made", sql.DateTime(timezone=True), nullable=False),
    sql.Column("finished", sql.DateTime(timezone=True)),
)
table_club = sql.func.coalesce(tables.c.settings["club"].as_string(), "")  # the club that owns a table, also one outside its rounds
