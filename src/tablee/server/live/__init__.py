"""Live connections of clients to tables and lobbies, over any transport."""
