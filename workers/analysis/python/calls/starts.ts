/**
 * How manifests say that a Python project is started.
 *
 * @module
 */
import type { SourceFiles } from "../../analyser.ts";
import { isManifest } from "../../sources.ts";

/** Bytes of a manifest that are looked at. */
const MAX_MANIFEST = 200_000;

/** Modules of the console scripts that manifests declare: `name = "package.module:function"`. */
export function startModules(files: SourceFiles): string[] {
  const manifests = [...files].filter(([path]) => isManifest(path));
  return manifests.flatMap(([, bytes]) => {
    const text = new TextDecoder().decode(bytes.subarray(0, MAX_MANIFEST));
    return [...text.matchAll(/=\s*["']?([A-Za-z_][\w.]{0,200}):[A-Za-z_]\w*/g)].map((at) => at[1]!);
  });
}
