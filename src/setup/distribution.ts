/**
 * Run by setup as a process of its own, so that it can be stopped: has Pyodide's loader fetch
 * packages from Pyodide's distribution. Arguments: a folder for the wheels, then package names.
 *
 * @module
 */
import { loadPyodide } from "pyodide";

const [folder, ...names] = Deno.args;
if (folder !== undefined) {
  const pyodide = await loadPyodide({ packageCacheDir: folder });
  await pyodide.loadPackage(names, { messageCallback: () => {} });
}
