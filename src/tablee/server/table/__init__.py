"""One table: its seats, log, clock, chat, presence, bots and coach."""
