"""Entry point of the command `tablee`, also as `python -m tablee`."""

from __future__ import annotations

import sys

from tablee import cli
from tablee.core.i18n import Translator, msg, terminal_language


def main() -> int:
    """Run the command; where a package is missing, say in one line what to install."""
    try:
        return cli.main()
    except ModuleNotFoundError as error:
        sentence = msg("the command needs the package {package}: pip install {package}", package=str(error.name))
        print(f"tablee: {Translator(terminal_language()).translate(sentence)}", file=sys.stderr)  # noqa: T201
        return cli.BAD_INPUT


if __name__ == "__main__":  # a worker process imports this file too
    sys.exit(main())
