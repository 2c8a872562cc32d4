"""Generator of docs/capacity.md from the measurements of `bench/multi_process.py`.

python -m bench.multi_process --out FILE && python -m bench.capacity FILE > docs/capacity.md
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

PEOPLE, SECONDS = 4, 20  # at a club's table: screens, and seconds between two moves
GIGABYTE = 1024 * 1024  # in kilobytes
FULL = 0.7  # share of a core above which delays become noticeable


def page(found: dict[str, Any]) -> str:
    cpu = min(each["cpu_ms_per_move"] for each in found["rates"])
    kilobytes = found["memory"]["table"] + PEOPLE * found["memory"]["screen"]
    environment = Environment(loader=FileSystemLoader(Path(__file__).parent), undefined=StrictUndefined, keep_trailing_newline=True)
    environment.filters["about"] = about
    return environment.get_template("capacity.md.jinja").render(
        found=found,
        cpu=cpu,
        kilobytes=kilobytes,
        people=PEOPLE,
        seconds=SECONDS,
        full=FULL,
        by_cpu=FULL * 1000 / cpu * SECONDS,
        by_memory=GIGABYTE / kilobytes,
    )


def about(value: float) -> str:
    """Round to two significant digits."""
    digits = max(0, len(str(int(value))) - 2)
    return f"{round(value / 10**digits) * 10**digits:,.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE", help="of bench.multi_process")
    print(page(json.loads(parser.parse_args().file.read_text("utf-8"))), end="")


if __name__ == "__main__":
    main()
