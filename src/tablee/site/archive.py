"""The archive of Python for a browser: this package without its server, and the pure packages it needs."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from importlib import resources, util
from pathlib import Path

from tablee import games

PACKAGE = Path(str(resources.files("tablee")))
PARTS = ("core", "bots", "server/live", "server/lobby", "server/ops", "server/table", "server/templates", "server/view", "site/tab")
FILES = ("__init__.py", "server/__init__.py", "server/open_tables.py", "site/__init__.py", "games/__init__.py")
STYLES = ("server/static/styles/tokens/tokens.css",)  # in pictures of final boards
COMPILER_FILES = ("compiler.py", "deferred_codegen.py", "intrinsics.py")
DEPENDENCIES = ("jinja2", "markupsafe", "typing_extensions")
ENDINGS = (".py", ".html", ".svg", ".toml", ".json", ".md", ".css")
GUESTS = "tablee_guests-0.dist-info"  # where Python looks for entry points
LEFT_OUT = ("tests", "__pycache__", "pages")  # folders: tests, caches, and styles that no picture needs


def write_archive(file: Path, prepared: Path) -> None:
    """Write the archive, with the prepared files in their place; the same sources give the same bytes."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted({**dict(_package()), **dict(_guests()), **dict(_prepared(prepared)), **dict(_dependencies())}.items()):
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
        archive.writestr(zipfile.ZipInfo(f"{GUESTS}/METADATA"), "Metadata-Version: 2.1\nName: tablee-guests\nVersion: 0\n")
        named = "".join(f"{key} = {games.package(key)}\n" for key in _guest_games())
        archive.writestr(zipfile.ZipInfo(f"{GUESTS}/entry_points.txt"), f"[{games.ENTRY_POINT_GROUP}]\n{named}")


def _guest_games() -> list[str]:
    """Return the keys of the games that other packages bring, which a browser finds by their entry points."""
    return [key for key in games.known() if not games.folder(key).is_relative_to(PACKAGE)]


def _package() -> Iterator[tuple[str, Path]]:
    rooms = [folder for folder in map(games.folder, games.known()) if folder.is_relative_to(PACKAGE)]
    found = [file for folder in (*(PACKAGE / part for part in PARTS), *rooms) for file in _needed(folder)]
    for file in (*(PACKAGE / name for name in (*FILES, *STYLES)), *found):
        yield f"tablee/{file.relative_to(PACKAGE)}", file


def _guests() -> Iterator[tuple[str, Path]]:
    """Yield the whole package of each guest, for a room may import what stands beside it."""
    for key in _guest_games():
        name, *inside = games.package(key).split(".")
        folder = games.folder(key).parents[len(inside) - 1] if inside else games.folder(key)
        for file in _needed(folder):
            yield f"{name}/{file.relative_to(folder)}", file


def _needed(folder: Path) -> Iterator[Path]:
    for file in folder.rglob("*"):
        inside = file.relative_to(folder).parts
        if file.suffix in ENDINGS and file.name not in COMPILER_FILES and not any(part in LEFT_OUT for part in inside):
            yield file


def _prepared(folder: Path) -> Iterator[tuple[str, Path]]:
    for file in folder.rglob("*"):
        if file.is_file():
            yield f"tablee/prepared/{file.relative_to(folder)}", file


def _dependencies() -> Iterator[tuple[str, Path]]:
    for name in DEPENDENCIES:
        spec = util.find_spec(name)
        assert spec
        assert spec.origin
        origin = Path(spec.origin)
        sources = origin.parent.rglob("*.py") if spec.submodule_search_locations else [origin]
        for file in sources:
            yield str(file.relative_to(origin.parent.parent if spec.submodule_search_locations else origin.parent)), file
