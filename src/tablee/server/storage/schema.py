"""The tables of the database, as they are now. How older ones become these: `migrations.py`."""

from __future__ import annotations

import sqlalchemy as sql

from tablee.server.storage.line_kinds import MOVE

IN_LOBBY, PLAYING = "gathering", "playing"  # the phases of a table's life; over is a game with an outcome
OPEN, HUMAN, BOT = "open", "human", "bot"  # the kinds of chairs
SEED_BYTES = 32

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
    sql.Column("settings", sql.JSON, nullable=False, server_default="{}"),  # what the host decided that is no rule of the game
    sql.Column("phase", sql.String(16), nullable=False, server_default=PLAYING),
    sql.Column("revision", sql.Integer, nullable=False, server_default="0"),  # how often it was changed while it gathered
    sql.Column("code", sql.String(8), nullable=False, server_default=""),  # what people type to find it, until its game is over
    sql.Column("host", sql.String(64), nullable=False, server_default=""),  # the hash of the host's token
    sql.Column("origin", sql.JSON(none_as_null=True)),  # how many lines were taken over from another game, and from which table
    sql.Column("brought", sql.Boolean, nullable=False, server_default=sql.false()),  # whether it is a record that somebody brought
    sql.Column("ticking", sql.BigInteger, nullable=False, server_default="0"),  # since when clocks run, in ms of the wall; 0: they stand
    sql.Column("opened", sql.DateTime(timezone=True)),  # when somebody last wanted to see it, to a day
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
    sql.Column("owner_hash", sql.String(64), nullable=False, server_default=""),  # who may take back a seat that was given away
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
    sql.Column("text", sql.Text, nullable=False),  # what the coach found
)
checkpoints = sql.Table(
    "checkpoints",
    metadata,
    sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("position", sql.Integer, nullable=False),
    sql.Column("made_by", sql.String(64), nullable=False),
    sql.Column("state", sql.LargeBinary, nullable=False),
    sql.Column("rest", sql.LargeBinary, nullable=False),
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
leases = sql.Table(  # which process thinks for the bots of a table, and until when nobody else does
    "leases",
    metadata,
    sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("process", sql.String(16), nullable=False),
    sql.Column("until", sql.DateTime(timezone=True), nullable=False),
)
chat_messages = sql.Table(  # what people say at a table where they may
    "sayings",
    metadata,
    sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("seat", sql.Integer, nullable=False),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("client_id", sql.String(80), nullable=False),
)
clubs = sql.Table(
    "clubs",  # a class or a club: people who know one code, and the tables at which they sit
    metadata,
    sql.Column("id", sql.String(16), primary_key=True),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("code", sql.String(8), nullable=False, unique=True),
    sql.Column("organiser", sql.String(64), nullable=False),  # the hash of a token
    sql.Column("admits", sql.Boolean, nullable=False),  # whether newcomers may join
    sql.Column("paused", sql.Boolean, nullable=False),
    sql.Column("round", sql.Integer, nullable=False),
    sql.Column("used", sql.Date, nullable=False),  # the last day on which somebody came
)
members = sql.Table(
    "members",
    metadata,
    sql.Column("club_id", sql.String(16), sql.ForeignKey("clubs.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("token_hash", sql.String(64), nullable=False),  # also that of the member's seat
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
table_club = sql.func.coalesce(tables.c.settings["club"].as_string(), "")  # whose table it is, also one that stands in no round
