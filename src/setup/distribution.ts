/**
 * Run by setup as a process of its own, so that it can be stopped: has Pyodide's loader fetch
 * packages from Pyodide's distribution. Arguments: a folder for the wheels, then `name==version`;
 * those that the distribution has in another version are left out.
 *
 * @module
 */
import { loadPyodide } from "pyodide";
import { pyodideFile } from "./inputs.ts";

const [folder, ...wanted] = Deno.args;
if (folder !== undefined) {
  const { packages } = JSON.parse(await Deno.readTextFile(pyodideFile("pyodide-lock.json")));
  const names = wanted.map((item) => item.split("==")).filter(([name, version]) =>
    packages[name!]?.version === version
  ).map(([name]) => name!);
  const pyodide = await loadPyodide({ packageCacheDir: folder });
  await pyodide.loadPackage(names, { messageCallback: () => {} });
}
