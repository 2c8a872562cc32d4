"""The kinds of lines in a table's log: moves of the game, and lines of the platform that are none."""

from __future__ import annotations

MOVE = "move"
UNDO = "undo"  # the seat's last line is taken back
HURRIED = "hurried"  # a bot was not done in time
ASK_BACK = "ask-back"  # the seat would like to take back its last move; the seats after it have agreed already
AGREE = "agree"
DECLINE = "decline"  # or the one who asked thinks better of it
STAND_IN = "stand-in"  # a bot sits in for somebody who is away
BACK = "back"  # and leaves
OFFER = "offer"  # the seat after it would give this one to somebody else, and waits for the others
HANDED = "handed"  # the seat has another owner
CLAIM = "claim"  # somebody at a device without a key says that the seat is theirs; the id is the hash of the token that they made
CONSENT = "consent"  # the seat after it believes them
GRANTED = "granted"  # the seat goes on at that device
DENIED = "denied"  # the seat after it does not let them in
PAUSE = "pause"
RESUME = "resume"
