"""Storage: the store, its group-commit writer, and the checkpoints that let a table open quickly."""
