/**
 * The sources of the interpreter's standard library.
 *
 * @module
 */
import { readZip } from "../../src/scan/advisories/zip.ts";

/** Every module of the standard library with its source. */
export async function libraryModules(): Promise<{ path: string; bytes: Uint8Array }[]> {
  const file = new URL("python_stdlib.zip", import.meta.resolve("pyodide/package.json"));
  const archive = await Deno.readFile(file);
  return [...readZip(archive, (path) => path.endsWith(".py"))]
    .map(({ name, content }) => ({ path: name, bytes: content }));
}
