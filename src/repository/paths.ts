/**
 * Which paths an archive may have. Anything unusual is refused, not repaired: the same bytes are
 * scanned, run and given to clients, so every reader must see the same files.
 *
 * @module
 */
import { archiveRefused } from "./failures.ts";
import { MAX_PATH_BYTES, MAX_PATH_DEPTH } from "./fetch_limits.ts";

/** `path` for an error text: quoted, cut, without control characters. */
export function quotePath(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}

/** The parts of an entry's path, a folder's trailing slash dropped. */
export function checkedSegments(path: string): string[] {
  const problem = faultOf(path);
  if (problem !== null) throw archiveRefused(`the path ${quotePath(path)} ${problem}`);
  return path.replace(/\/$/, "").split("/");
}

function faultOf(path: string): string | null {
  // deno-lint-ignore no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(path)) return "contains a control character";
  if (path.includes("\\")) return "contains a backslash";
  if (path.startsWith("/")) return "is absolute";
  if (new TextEncoder().encode(path).length > MAX_PATH_BYTES) {
    return `is longer than ${MAX_PATH_BYTES} bytes`;
  }
  const segments = path.replace(/\/$/, "").split("/");
  if (segments.length > MAX_PATH_DEPTH + 1) return `is deeper than ${MAX_PATH_DEPTH} folders`;
  if (segments.includes("..")) return 'contains ".."';
  if (segments.some((segment) => segment === "" || segment === ".")) return "is not normalized";
  if (/^[A-Za-z]:$/.test(segments[1] ?? "")) return "contains a drive letter";
  return null;
}

/** Folders that are looked at in one go. */
const FOLDERS_AT_ONCE = 20_000;

/**
 * Refuses paths that cannot all exist in one folder or that look alike: the same path twice
 * (readers disagree which wins), two paths that Unicode normalisation makes one, a file where
 * another path needs a folder. Paths that differ in letter case only are two files.
 */
export async function checkTogether(paths: readonly string[]): Promise<void> {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const plain = path.normalize("NFC");
    const other = seen.get(plain);
    if (other === path) throw archiveRefused(`the path ${quotePath(path)} appears twice`);
    if (other !== undefined) {
      throw archiveRefused(`the paths ${quotePath(other)} and ${quotePath(path)} look the same`);
    }
    seen.set(plain, path);
  }
  const folders = new Set<string>();
  let looked = 0;
  for (const path of seen.keys()) {
    // From the inside: the folders around one that is known are known too.
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      if (seen.has(folder)) {
        throw archiveRefused(`the path ${quotePath(folder)} is both a file and a folder`);
      }
      folders.add(folder);
      // Others come in between: there may be a million folders.
      if (++looked % FOLDERS_AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  }
}
