"""What is kept: the store, who writes to it, and what lets a table open quickly."""
