"""The table in the browser: it answers at once and compiles the rules meanwhile, and prints its address when it listens."""
