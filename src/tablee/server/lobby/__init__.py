"""Lobbies: gather people at a table, assign seats and settings, start the game."""
