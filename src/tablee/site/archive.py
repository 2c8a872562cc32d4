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
ENDINGS = (".py", ".svg", ".toml", ".json", ".md", ".css")
LEFT_OUT = ("tests", "__pycache__", "pages")  # folders: tests, caches, and styles that no picture needs
NO_USE_IN_BROWSER = (  # of the standard library
    *("ftplib", "http", "imaplib", "mailbox", "mimetypes", "netrc", "poplib", "smtplib", "socketserver", "wsgiref", "xmlrpc"),
    *("_pyrepl", "cmd", "ctypes", "curses", "multiprocessing", "turtle", "venv", "webbrowser", "zipapp"),
    *("bdb", "cProfile", "doctest", "modulefinder", "pdb", "pickletools", "profile", "pstats", "pydoc", "pydoc_data", "trace", "unittest"),
    *("configparser", "difflib", "optparse", "plistlib", "wave", "xml"),
)
ENCODINGS = ("__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "punycode", "utf_8", "utf_8_sig", "utf_16", "utf_16_le", "utf_32")


def site_games() -> list[str]:
    """Return the keys of the games of the site: all that can be opened, without the examples."""
    return [game.key for game in games.open_all() if game.key not in games.example_rooms()]


def _is_guest(key: str) -> bool:
    return not games.folder(key).is_relative_to(PACKAGE)


def write_archive(file: Path, prepared: Path) -> None:
    """Write the archive, with the prepared files in their place; the same sources give the same bytes."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted({**dict(_package()), **dict(_guests()), **dict(_prepared(prepared)), **dict(_dependencies())}.items()):
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
        for name, text in _entry_points():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)


def write_standard_library(file: Path, whole: Path) -> None:
    """Write what a browser can use of Python's standard library."""
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in filter(_is_library, source.namelist()):
            archive.writestr(zipfile.ZipInfo(name), source.read(name), zipfile.ZIP_DEFLATED)


def _is_library(name: str) -> bool:
    """Return whether a browser can use this file of the standard library."""
    package, _, module = name.removesuffix(".py").partition("/")
    return not name.endswith("/") and package not in NO_USE_IN_BROWSER and (package != "encodings" or module in ENCODINGS)


def _package() -> Iterator[tuple[str, Path]]:
    folders = [*(PACKAGE / part for part in PARTS), *(games.folder(key) for key in site_games() if not _is_guest(key))]
    for file in [*(PACKAGE / name for name in (*FILES, *STYLES)), *(file for folder in folders for file in _needed(folder))]:
        yield f"tablee/{file.relative_to(PACKAGE)}", file


def _guests() -> Iterator[tuple[str, Path]]:
    """Yield the files of games of other packages, with the whole package that a game's folder lies in."""
    for key in filter(_is_guest, site_games()):
        top, _, inner = games.package(key).partition(".")
        root = games.folder(key).parents[inner.count(".")] if inner else games.folder(key)
        for file in _needed(root):
            yield f"{top}/{file.relative_to(root)}", file


def _entry_points() -> Iterator[tuple[str, str]]:
    """Yield the metadata by which Python in the browser finds the games of other packages."""
    guests = list(filter(_is_guest, site_games()))
    if guests:
        yield "guests-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: guests\nVersion: 1\n"
        yield (
            "guests-1.dist-info/entry_points.txt",
            "\n".join([f"[{games.ENTRY_POINT_GROUP}]", *(f"{key} = {games.package(key)}" for key in guests), ""]),
        )


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
