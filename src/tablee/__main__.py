"""Entry point of `python -m tablee`: the command `tablee`."""

from __future__ import annotations

import sys

from tablee.cli import main

if __name__ == "__main__":  # a worker process imports this file too
    sys.exit(main())
