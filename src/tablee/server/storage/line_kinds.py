"""Kinds of log lines: moves of the game, and lines of the platform."""

from __future__ import annotations

MOVE = "move"
UNDO = "undo"  # takes back the seat's last line
HURRIED = "hurried"  # greedy moved for a bot that failed or ran out of time
ASK_BACK = "ask-back"  # the seat asks to take back its last move; the seats after it have agreed already
AGREE = "agree"
DECLINE = "decline"  # or the seat withdraws its request
STAND_IN = "stand-in"  # a bot plays for an absent player
BACK = "back"  # the player is back, and the bot leaves
OFFER = "offer"  # the seat after it offers this one to another person, and waits for the others
HANDED = "handed"  # the seat has a new owner
CLAIM = "claim"  # a device without a key claims the seat; the id is the hash of its new token
CONSENT = "consent"  # the seat after it accepts the claim
GRANTED = "granted"  # the claim has succeeded
DENIED = "denied"  # the seat after it rejects the claim
PAUSE = "pause"
RESUME = "resume"
