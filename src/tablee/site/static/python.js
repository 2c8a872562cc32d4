// Python in a worker: the runtime, and the archive of this package.

const RUNTIME = new URL("../../runtime/", import.meta.url).href;
const PACKAGES = "/lib/tablee";

/** @param {() => void} [unpacking] is called between the two steps, which both take a while */
export async function startPython(unpacking) {
  const { loadPyodide } = await import(`${RUNTIME}pyodide.mjs`);
  const [python, archive] = await Promise.all([
    loadPyodide({ indexURL: RUNTIME, env: { TABLEE_PLAIN: "1", HOME: "/home/pyodide" } }),
    fetch(`${RUNTIME}tablee.zip`).then((answer) => answer.arrayBuffer()),
  ]);
  unpacking?.();
  python.unpackArchive(archive, "zip", { extractDir: PACKAGES });
  python.runPython(`import sys; sys.path.insert(0, "${PACKAGES}")`);
  return python.pyimport("tablee.site.tab.main");
}
