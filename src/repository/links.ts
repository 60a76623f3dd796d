/**
 * Symbolic links of a repository, resolved in memory: what a link inside the repository leads to is
 * there under the link's path too, as a file of its own. A link that points outside the repository is
 * left out, and named. Nothing is ever followed on a disk.
 *
 * @module
 */
import { MAX_ENTRIES, MAX_INFLATED_BYTES, MAX_PATH_BYTES, MAX_PATH_DEPTH } from "./fetch_limits.ts";

/** Links by path: what each holds, as it was made. */
export type SymbolicLinks = ReadonlyMap<string, string>;

/** A link that is left out, and why: "points outside the repository". */
export interface IgnoredLink {
  path: string;
  reason: string;
}

/** A path under which there is, through links, what is at another. */
export interface Alias {
  path: string;
  /** Path of the regular file. */
  of: string;
}

/** Links that one path may lead through, as of the common systems (path_resolution(7)). */
const MAX_HOPS = 40;
/** Characters of what one link holds: no system follows a longer one. */
const MAX_TARGET = 4096;
/** Parts of paths that all links of a repository together may lead through. */
const MAX_WALKED = 20 * MAX_ENTRIES;
/** Steps that all links of a repository together may take. */
const MAX_STEPS = 4 * MAX_ENTRIES;

/** Thrown while a link is resolved; the message is the reason. */
class LinkFault extends Error {}
/** The same where looking on would take too long. */
class TooMuch extends LinkFault {
  constructor() {
    super("expands to more than the limit");
  }
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}

/**
 * Where a link leads, all links on the way resolved; empty for the repository's top.
 *
 * @param walk Called for each part of a path on the way.
 */
function resolve(link: string, links: SymbolicLinks, walk: () => void): string {
  const at = link.split("/").slice(0, -1);
  // The next part is the last one.
  const ahead: string[] = [];
  let hops = 0;
  function enter(target: string): void {
    if (++hops > MAX_HOPS) throw new LinkFault("is circular");
    if (target.length > MAX_TARGET) throw new LinkFault("resolves to a path that is too long");
    if (target.startsWith("/") || /^[A-Za-z]:|\\/.test(target)) {
      throw new LinkFault("points outside the repository");
    }
    ahead.push(...segmentsOf(target).reverse());
  }
  walk();
  enter(links.get(link)!);
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    walk();
    if (next === "..") {
      if (at.pop() === undefined) throw new LinkFault("points outside the repository");
      continue;
    }
    at.push(next);
    if (at.length > MAX_PATH_DEPTH + 1) throw new LinkFault("resolves to a path that is too long");
    const target = links.get(at.join("/"));
    if (target === undefined) continue;
    at.pop();
    enter(target);
  }
  return at.join("/");
}

/** Index of the first of the sorted `paths` that is not before `path`. */
function lowerBound(paths: readonly string[], path: string): number {
  let [low, high] = [0, paths.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (paths[middle]! < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The sorted `paths` below `folder`, all for the top. */
function* below(paths: readonly string[], folder: string): Generator<string> {
  const prefix = folder === "" ? "" : `${folder}/`;
  for (let i = lowerBound(paths, prefix); paths[i]?.startsWith(prefix) === true; i++) {
    yield paths[i]!;
  }
}

function isWithin(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

function checkPath(path: string): void {
  const isLong = new TextEncoder().encode(path).length > MAX_PATH_BYTES;
  if (isLong || path.split("/").length > MAX_PATH_DEPTH + 1) {
    throw new LinkFault("resolves to a path that is too long");
  }
}

/**
 * What links lead to. A link is taken whole or not at all, in path order.
 *
 * @param sizes Sizes of the regular files by path, in bytes.
 * @param wanted Which links count; others are only led through.
 */
export function resolveLinks(
  sizes: ReadonlyMap<string, number>,
  links: SymbolicLinks,
  wanted: (path: string) => boolean = () => true,
): { aliases: Alias[]; ignored: IgnoredLink[] } {
  const files = [...sizes.keys()].sort();
  const linkPaths = [...links.keys()].sort();
  const aliases: Alias[] = [];
  const ignored: IgnoredLink[] = [];
  let steps = 0;
  let walked = 0;
  let bytes = sizes.values().reduce((sum, size) => sum + size, 0);

  function walk(): void {
    if (++walked > MAX_WALKED) throw new TooMuch();
  }
  function step(): void {
    if (++steps > MAX_STEPS) throw new TooMuch();
  }
  /** What is at `path` once `link` is resolved; `open` are the folders that are being unfolded. */
  function unfold(link: string, path: string, open: readonly string[]): Alias[] {
    step();
    const target = resolve(link, links, walk);
    if (sizes.has(target)) {
      checkPath(path);
      return [{ path, of: target }];
    }
    if (isWithin(link, target) || open.some((folder) => isWithin(folder, target))) {
      throw new LinkFault("points to a folder that contains it");
    }
    const found: Alias[] = [];
    const under = (inner: string) => `${path}${inner.slice(target.length)}`;
    for (const file of below(files, target)) {
      step();
      checkPath(under(file));
      found.push({ path: under(file), of: file });
    }
    for (const inner of below(linkPaths, target)) {
      try {
        found.push(...unfold(inner, under(inner), [...open, target]));
      } catch (error) {
        // Why that one leads nowhere is said of its own path.
        if (!(error instanceof LinkFault) || error instanceof TooMuch) throw error;
      }
    }
    if (found.length === 0) throw new LinkFault("points to nothing in the repository");
    return found;
  }

  for (const path of linkPaths.filter(wanted)) {
    try {
      const found = unfold(path, path, [path.split("/").slice(0, -1).join("/")]);
      const added = found.reduce((sum, { of }) => sum + sizes.get(of)!, 0);
      if (
        sizes.size + aliases.length + found.length > MAX_ENTRIES ||
        bytes + added > MAX_INFLATED_BYTES
      ) throw new TooMuch();
      bytes += added;
      aliases.push(...found);
    } catch (error) {
      if (!(error instanceof LinkFault)) throw error;
      ignored.push({ path, reason: error.message });
    }
  }
  return { aliases, ignored };
}
