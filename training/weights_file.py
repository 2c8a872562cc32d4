"""Arguments of the training commands, and the weights files that they write."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from tablee import games
from tablee.cli.executor_options import add_executor_arguments
from training.fitting import Numbers


def training_parser(description: str | None, game: str) -> argparse.ArgumentParser:
    """Return a parser with the arguments that all training commands share."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    add_executor_arguments(parser)
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=games.folder(game), help="default: the room's folder")
    return parser


def provenance(command: str) -> dict[str, Any]:
    """Return the command and the date, for the head of a weights file."""
    return {"made_by": f"python -m training.{command}", "made_on": date.today().isoformat()}


def write_weights(out: Path, head: Mapping[str, Any], networks: Numbers) -> None:
    """Write the head and the weights, a line for each network."""
    lines = ",\n  ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items())
    rows = ",\n    ".join(json.dumps(rows.tolist(), separators=(",", ":")) for rows in networks)
    out.write_text(f'{{\n  {lines},\n  "weights": [\n    {rows}\n  ]\n}}\n', encoding="utf-8")
