/**
 * Paths as a program has them in a session, and where they lead in the repository.
 *
 * @module
 */

/** Folder of the repository's files in a session. */
export const SESSION_ROOT = "/app";

/** Parts of a path put together as `os.path.join` does it. */
export function joinPaths(parts: readonly string[]): string {
  let path = "";
  for (const part of parts) {
    path = part.startsWith("/") || path === "" ? part : `${path.replace(/\/+$/, "")}/${part}`;
  }
  return path;
}

/** The folder of a path, absolute or not; empty where none is written. */
export function parentOf(path: string): string {
  const at = path.replace(/(?<=.)\/+$/, "").lastIndexOf("/");
  return at < 0 ? "" : at === 0 ? "/" : path.slice(0, at);
}

/**
 * Where paths lead in the repository; outside of it they lead nowhere. Relative ones count from
 * each of `bases`, since the working folder is the project's.
 */
export function inRepository(path: string, bases: Iterable<string>): string[] {
  const starts = path.startsWith("/") ? [""] : [...bases];
  const below = path === SESSION_ROOT
    ? ""
    : path.startsWith(`${SESSION_ROOT}/`)
    ? path.slice(SESSION_ROOT.length + 1)
    : path.startsWith("/")
    ? null
    : path;
  if (below === null) return [];
  const found = new Set<string>();
  for (const base of starts) {
    const parts: string[] = [];
    let out = false;
    for (const part of `${base}/${below}`.split("/")) {
      if (part === "..") out ||= parts.pop() === undefined;
      else if (part !== "" && part !== ".") parts.push(part);
    }
    if (!out) found.add(parts.join("/"));
  }
  return [...found];
}
