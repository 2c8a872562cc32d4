// Compiles the Python of an archive with the Python that will run it, so that no browser has to: node compile.mjs
// PYODIDE ARCHIVE. The archive then holds byte code in place of sources.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, archive] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: pyodide });
python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: "/packages" });
python.runPython(`
import compileall, zipfile
from pathlib import Path

folder = Path("/packages")
assert compileall.compile_dir(folder, quiet=1, legacy=True, stripdir="/packages", invalidation_mode=None)
with zipfile.ZipFile("/compiled.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as compiled:
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.suffix != ".py":
            name = zipfile.ZipInfo(str(file.relative_to(folder)))
            compiled.writestr(name, file.read_bytes(), zipfile.ZIP_DEFLATED)
`);
writeFileSync(archive, python.FS.readFile("/compiled.zip"));
process.exit(0);
