"""Coordination with other processes that share the database; a single process has no peers."""
