"""Other processes at the same database. Whoever is alone has none."""
