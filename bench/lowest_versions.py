"""Test with the lowest allowed version of every direct dependency, in a throw-away environment.

python bench/lowest_versions.py                 the base, the server, and the extras that run on any computer
python bench/lowest_versions.py postgres cuda   the base and the server with these extras
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent
ROOTS = PROJECT / "tests", PROJECT / "src/tablee/checks"
SERVER = "serve"  # always: the fixtures of the tests start servers
EXTRAS = ("postgres", "cuda", "research")  # not cluster: Ray alone is as large as all of these
# The tests' own dependencies, in their newest versions; an older Starlette's test client uses httpx, a newer one httpx2.
TOOLS = [
    "pytest",
    "pytest-timeout",
    "hypothesis",
    "httpx",
    "httpx2",
    "playwright",
    "axe-playwright-python",
    "jsonschema",
    "pandas",
    "polars",
    "pgserver",
]
QUICK = {
    "": (
        *[
            "test_cache",
            "test_compiler",
            "test_components",
            "check_kernel",
            "check_rules",
            "test_kernel",
            "test_play",
            "test_record",
            "test_jit",
        ],
        *[
            "test_arena",
            "test_i18n",
            "server/test_api",
            "server/test_openapi",
            "server/test_host_origin",
            "server/test_registry",
        ],
        *["server/test_rendering", "server/test_limits", "server/test_permission", "server/test_websocket"],
    ),
    "research": ("test_dataset", "research", "check_learners"),
    "cuda": ("test_cuda",),
    "cluster": ("test_ray_executor",),
    "postgres": (),
}
ON_POSTGRES = ("server/test_registry", "server/test_multi_process")
NO_ALARM = ("-o", "filterwarnings=default", "-p", "no:cacheprovider", "-p", "no:anyio")  # old packages warn about new ones
LOWEST = re.compile(r"([\w.-]+)(\[[\w,]+\])?>=([\w.]+)[^;]*(;.*)?")


def main(*extras: str) -> int:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    chosen = [*project["dependencies"], *(each for extra in (SERVER, *extras) for each in project["optional-dependencies"][extra])]
    wanted = list(map(lowest, chosen))
    print(*wanted, sep="\n", flush=True)
    with tempfile.TemporaryDirectory(prefix="tablee-lowest-") as folder:
        root = Path(folder)
        subprocess.run([sys.executable, "-m", "venv", root / "env"], check=True)
        python = str(root / "env/bin/python")
        subprocess.run([python, "-m", "pip", "install", "-q", *wanted, *TOOLS], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "-e", PROJECT], check=True)
        environment = os.environ | {"PYTHONPATH": str(PROJECT / "src"), "TABLEE_CACHE": str(root)}
        failed = test(python, [name for extra in ("", *extras) for name in QUICK[extra]], environment)
        if "postgres" in extras:
            failed |= test(python, ON_POSTGRES, environment | {"TABLEE_ENGINE": "postgresql"})
    return int(failed)


def lowest(requirement: str) -> str:
    """Pin a requirement to its lower bound: `numba>=0.61,<0.69` becomes `numba==0.61`, with its extras and its marker."""
    found = LOWEST.fullmatch(requirement)
    assert found, f"{requirement} has no lower bound"
    name, extra, version, marker = found.groups(default="")
    return f"{name}{extra}=={version}{marker}"


def test(python: str, names: tuple[str, ...] | list[str], environment: dict[str, str]) -> bool:
    """Run these tests; return whether any failed."""
    files = [str(path) for name in names for root in ROOTS for path in root.glob(f"{name}*") if path.stem == Path(name).name]
    command = [python, "-m", "pytest", "-q", *NO_ALARM, "-m", "not browser", *files]
    return subprocess.run(command, cwd=PROJECT, env=environment, check=False).returncode != 0


if __name__ == "__main__":
    sys.exit(main(*(sys.argv[1:] or EXTRAS)))
