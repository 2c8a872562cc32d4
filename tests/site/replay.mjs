// Replays records with the browser's Python: node replay.mjs PYODIDE ARCHIVE RECORDS. Prints the hash of every game's
// states and its scores as JSON.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, archive, records] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: pyodide, env: { TABLEE_PLAIN: "1", HOME: "/home/pyodide" } });
python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: "/packages" });
python.FS.writeFile("/records.json", readFileSync(records, "utf8"));
python.FS.writeFile("/replayed.py", readFileSync(new URL("replayed.py", import.meta.url), "utf8"));
console.log(
  python.runPython(`
import json, sys
sys.path += ["/packages", "/"]
from replayed import replayed
json.dumps([replayed(text) for text in json.load(open("/records.json"))])
`),
);
process.exit(0);
