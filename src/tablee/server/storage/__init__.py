"""Storage: the store and its group-commit writer, over SQLite or PostgreSQL."""
