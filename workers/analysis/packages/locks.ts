/**
 * The versions that a lock file names, with the digests of their files.
 *
 * @module
 */
import { normalName } from "../advisories/ecosystem.ts";
import { asTable, entriesOf, itemsOf, parseJson } from "../manifests/requirement.ts";
import { parseToml } from "../manifests/toml.ts";
import { holds } from "./requirement.ts";

/** By package: each locked version, and the SHA-256 digests of its files, if the lock has them. */
export type Locked = Record<string, { version: string; digests: string[] }[]>;

interface Texts {
  text(path: string): string | null;
}

/** Packages that a lock file names. */
const MAX_LOCKED = 5_000;
const NAMES = [
  "uv.lock",
  "poetry.lock",
  "pdm.lock",
  "pylock.toml",
  "requirements.lock",
  "Pipfile.lock",
];

function digestsOf(entry: Record<string, unknown>): string[] {
  const files = [entry.wheels, entry.files, entry.sdist].flatMap((list) =>
    Array.isArray(list) ? list : [list]
  );
  return files.flatMap((file) => {
    const table = asTable(file);
    const hash = asTable(table?.hashes)?.sha256 ?? table?.hash;
    const digest = typeof hash === "string" ? hash.replace(/^sha256:/, "") : "";
    return /^[0-9a-f]{64}$/.test(digest) ? [digest] : [];
  });
}

/** Whether a package comes from somewhere else than an index. */
function isElsewhere(entry: Record<string, unknown>): boolean {
  const source = asTable(entry.source);
  return entry.vcs !== undefined || entry.directory !== undefined || entry.archive !== undefined ||
    ["git", "url", "path", "editable", "virtual", "directory"].some((key) =>
      source?.[key] !== undefined && source.registry === undefined && source.type !== "legacy"
    );
}

type Found = { name: string; version: string; digests: string[] };

function inToml(text: string): Found[] {
  const root = parseToml(text);
  return itemsOf(root.package ?? root.packages).flatMap((item) => {
    const entry = asTable(item);
    const { name, version, marker } = entry ?? {};
    if (entry === null || typeof name !== "string" || typeof version !== "string") return [];
    if (isElsewhere(entry) || typeof marker === "string" && !holds(marker, [])) return [];
    return [{ name, version, digests: digestsOf(entry) }];
  });
}

function inPipfileLock(text: string): Found[] {
  return entriesOf(asTable(parseJson(text))?.default).flatMap(([name, value]) => {
    const entry = asTable(value);
    const version = typeof entry?.version === "string" ? entry.version.replace(/^==/, "") : null;
    const digests = itemsOf(entry?.hashes).flatMap((hash) =>
      typeof hash === "string" && /^sha256:[0-9a-f]{64}$/.test(hash) ? [hash.slice(7)] : []
    );
    return version === null ? [] : [{ name, version, digests }];
  });
}

/** Pins with digests in a requirements file, as pip-tools and uv write them. */
function inRequirements(text: string): Found[] {
  return text.replaceAll(/\\\r?\n/g, " ").split(/\r?\n/).flatMap((line) => {
    const [, name, version] =
      /^\s*([A-Za-z0-9][\w.-]{0,200})(?:\[[^\]]{0,500}\])?\s*==\s*([\w.!+]{1,200})/.exec(line) ??
        [];
    if (name === undefined) return [];
    const digests = [...line.matchAll(/--hash=sha256:([0-9a-f]{64})/g)].map(([, hash]) => hash!);
    return [{ name, version: version!, digests }];
  });
}

function read(file: string, text: string): Found[] {
  if (file.endsWith("Pipfile.lock")) return inPipfileLock(text);
  return /requirements\.(?:lock|txt)$/.test(file) ? inRequirements(text) : inToml(text);
}

function collect(found: readonly Found[]): Locked {
  const locked: Locked = Object.create(null);
  for (const { name, version, digests } of found.slice(0, MAX_LOCKED)) {
    (locked[normalName("PyPI", name)] ??= []).push({ version, digests });
  }
  return locked;
}

/**
 * What the lock file of the innermost of `folders` says; an entry that is no folder names the file.
 * A requirements file with digests counts as one.
 */
export function readLocks(
  texts: Texts,
  folders: readonly string[],
): { locked: Locked; file: string | null; names: string[] } {
  for (const folder of folders) {
    const isFolder = folder === "" || folder.endsWith("/");
    for (const file of isFolder ? NAMES.map((name) => `${folder}${name}`) : [folder]) {
      const text = texts.text(file);
      if (text === null) continue;
      try {
        const locked = collect(read(file, text));
        return { locked, file, names: Object.keys(locked) };
      } catch {
        // Stage 3 reports it.
      }
    }
    const pinned = isFolder ? texts.text(`${folder}requirements.txt`) : null;
    if (pinned?.includes("--hash=sha256:")) {
      const locked = collect(inRequirements(pinned));
      return { locked, file: null, names: [] };
    }
  }
  return { locked: {}, file: null, names: [] };
}
