/**
 * What the analysis process looks at to choose a server's versions of the SDKs.
 *
 * @module
 */
import type { ScanInput } from "../scan/stage.ts";
import type { InstalledSdk } from "./installation.ts";

/** Source in which imports of the SDKs are looked for: of a file, and in all. */
const MAX_FILE_BYTES = 512 * 1024;
const MAX_BYTES = 4 * 2 ** 20;

/** Python files of a server, not all of a large one, and the names that each version has. */
export function* sdkFiles(
  { repository: { files } }: ScanInput,
  sdks: readonly InstalledSdk[],
): Generator<[path: string, content: Uint8Array]> {
  let left = MAX_BYTES;
  for (const [path, content] of files) {
    if (!path.endsWith(".py") || content.length > Math.min(left, MAX_FILE_BYTES)) continue;
    left -= content.length;
    yield [path, content];
  }
  for (const { name, version, names } of sdks) yield [`/sdks/${name}-${version}`, names];
}
