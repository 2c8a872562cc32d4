// Runs a program with the browser's Python: node run.mjs PYODIDE ARCHIVE PROGRAM INPUT. Its function `run` takes the
// input, and what loads compiled loops; what it returns is printed as JSON.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, archive, program, input] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const loops = await import("../../src/tablee/site/static/loops.js");
const python = await loadPyodide({ indexURL: pyodide, env: { TABLEE_PLAIN: "1", HOME: "/home/pyodide" } });
python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: "/packages" });
python.FS.writeFile(`/packages/${basename(program)}`, readFileSync(program, "utf8"));
python.runPython(`import json, sys; sys.path.append("/packages")`);
const { run } = python.pyimport(basename(program, ".py"));
const { dumps, loads } = python.pyimport("json");
const answer = dumps(run(loads(readFileSync(input, "utf8")), loops.load, loops.ADDRESS));
process.stdout.write(answer, () => process.exit(0)); // a pipe takes long answers piece by piece
