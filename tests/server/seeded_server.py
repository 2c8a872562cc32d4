"""The command `tablee serve` with the seeds of the running test (see `seeds.py`)."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tablee import cli
from tablee.cli import serve
from tablee.core.errors import TableeError
from tablee.core.i18n import Translator
from tests.server.seeds import table_config


def main(argv: Sequence[str]) -> int:
    try:
        return serve.run(cli.parser(argv[0]).parse_args(argv), Translator("en"), table_config())
    except TableeError as error:
        sys.exit(f"tablee: {error}")


if __name__ == "__main__":  # a worker process imports this file too
    sys.exit(main(sys.argv[1:]))
