// Compiles the Python of archives with the Python that will run it, so that no browser has to: node compile.mjs PYODIDE
// ARCHIVE LIBRARY. They then hold byte code in place of sources, the standard library without its docstrings and
// assertions; the same sources give the same bytes.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, ownArchive, library] = process.argv.slice(2);
/** @type {[string, number][]} */
const archives = [
  [ownArchive, 0],
  [library, 2],
];
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: pyodide });
for (const [archive, level] of archives) {
  python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: "/sources" });
  python.runPython(`
import compileall, py_compile, shutil, zipfile
from pathlib import Path

folder = Path("/sources")
written = {"legacy": True, "stripdir": "/sources", "invalidation_mode": py_compile.PycInvalidationMode.UNCHECKED_HASH}
assert compileall.compile_dir(folder, quiet=1, optimize=${level}, **written)
with zipfile.ZipFile("/compiled.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as compiled:
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.suffix != ".py":
            name = zipfile.ZipInfo(str(file.relative_to(folder)))
            compiled.writestr(name, file.read_bytes(), zipfile.ZIP_DEFLATED, compresslevel=9)
shutil.rmtree(folder)
`);
  writeFileSync(archive, python.FS.readFile("/compiled.zip"));
}
process.exit(0);
