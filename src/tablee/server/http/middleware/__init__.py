"""ASGI middleware: host and origin check, limits, headers, languages and errors."""
