"""Coordination with other processes at the same database; a single process has no peers."""
