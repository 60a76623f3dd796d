/**
 * The import map of a session host: Pyodide is what setup copied (files inside `node_modules` would
 * be exempt from the map), and Node's built-ins are there for the host's main module alone.
 *
 * @module
 */
import { builtinModules } from "node:module";

const WORKERS = new URL("../../../workers/", import.meta.url);

/** The main module of a session host. */
export const HOST_MODULE = new URL("session/host.ts", WORKERS);

/**
 * The import map as a `data:` address, for hosts with the main module `main` whose interpreter is in
 * `folder`.
 */
export function importMapUrl(folder: URL, main: URL): string {
  const blocked = new URL("session/blocked_builtin.ts", WORKERS).href;
  const names = builtinModules.map((name) => name.replace(/^node:/, ""));
  const imports: Record<string, string> = {
    "pyodide": new URL("pyodide.mjs", folder).href,
    "pyodide/pyodide.asm.mjs": new URL("pyodide.asm.mjs", folder).href,
  };
  for (const name of names) {
    imports[name] = blocked;
    imports[`node:${name}`] = blocked;
  }
  const map = {
    imports,
    scopes: { [main.href]: { "node:net": "node:net", "node:zlib": "node:zlib" } },
  };
  return `data:application/json,${encodeURIComponent(JSON.stringify(map))}`;
}
