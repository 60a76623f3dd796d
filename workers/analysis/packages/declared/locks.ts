/**
 * The versions that a lock file names, with the digests of their files.
 *
 * @module
 */
import { normalName } from "../../advisories/ecosystem.ts";
import { asTable, entriesOf, itemsOf, parseJson } from "../../manifests/requirement.ts";
import { parseToml } from "../../manifests/toml.ts";
import { holds } from "../requirement.ts";
import type { Differing } from "../types.ts";
import { isSame } from "../versions.ts";
import { addressOf, readIndexes } from "./indexes.ts";
import type { Reader } from "./reader.ts";

/** A version that a lock file names. */
export interface LockedVersion {
  version: string;
  /** SHA-256 digests of its files, if the lock has them. */
  digests: string[];
  /** Names of these files with their digests, if the lock has them. */
  files: [file: string, digest: string][];
  /** It is locked from another index than the one that is asked. */
  apart: boolean;
}

/** By package: each locked version. */
export type Locked = Record<string, LockedVersion[]>;

/** What reading locks takes of a {@link Reader}. */
type Texts = Pick<Reader, "text" | "bind" | "isOther">;

/** Locked versions of one package whose files are compared: a real lock has a few. */
const MAX_COMPARED = 20;
/** Longest version, in characters. */
const MAX_VERSION = 300;
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

/** Name of the file that an entry of a lock is of; empty where it does not say. */
function fileNameOf({ file, filename, name, url }: Record<string, unknown>): string {
  const given = [file, filename, name].find((each) => typeof each === "string");
  if (typeof given === "string") return given;
  const path = typeof url === "string" ? url.split(/[?#]/, 1)[0]! : "";
  return path.slice(path.lastIndexOf("/") + 1).replaceAll("%2B", "+");
}

function filesOf(entry: Record<string, unknown>): [file: string, digest: string][] {
  const files = [entry.wheels, entry.files, entry.sdist].flatMap((list) =>
    Array.isArray(list) ? list : [list]
  );
  return files.flatMap((file) => {
    const table = asTable(file);
    const hash = asTable(table?.hashes)?.sha256 ?? table?.hash;
    const digest = typeof hash === "string" ? hash.replace(/^sha256:/, "") : "";
    if (table === null || !/^[0-9a-f]{64}$/.test(digest)) return [];
    return [[fileNameOf(table), digest] as [string, string]];
  });
}

/** The index that a package is locked from; empty for the usual one of formats that name no other. */
function indexOf({ source, index }: Record<string, unknown>): string {
  const { registry, url } = asTable(source) ?? {};
  return [registry, url, index].find((each) => typeof each === "string") as string ?? "";
}

/** Whether a package comes from somewhere else than an index. */
function isElsewhere(entry: Record<string, unknown>): boolean {
  const source = asTable(entry.source);
  return entry.vcs !== undefined || entry.directory !== undefined || entry.archive !== undefined ||
    ["git", "url", "path", "editable", "virtual", "directory"].some((key) =>
      source?.[key] !== undefined && source.registry === undefined && source.type !== "legacy"
    );
}

/** Where uv locked several versions of a package: whether this one is of the session's environment. */
function applies({ marker, "resolution-markers": forks }: Record<string, unknown>): boolean {
  const all = itemsOf(forks).filter((each) => typeof each === "string");
  return (typeof marker !== "string" || holds(marker, [])) &&
    (all.length === 0 || all.some((each) => holds(each, [])));
}

/** As it is written; `index` is null for what comes from none. */
type Found = Omit<LockedVersion, "apart"> & { name: string; index: string | null };

function inToml(text: string): Found[] {
  const root = parseToml(text);
  return itemsOf(root.package ?? root.packages).flatMap((item): Found[] => {
    const entry = asTable(item);
    const { name, version } = entry ?? {};
    if (entry === null || typeof name !== "string" || !applies(entry)) return [];
    if (isElsewhere(entry)) return [{ name, version: "", digests: [], files: [], index: null }];
    if (typeof version !== "string") return [];
    const files = filesOf(entry);
    const digests = files.map(([, digest]) => digest);
    return [{ name, version, digests, files, index: indexOf(entry) }];
  });
}

function inPipfileLock(text: string): Found[] {
  const root = asTable(parseJson(text));
  const indexes = readIndexes(asTable(root?._meta)?.sources);
  return entriesOf(root?.default).flatMap(([name, value]) => {
    const entry = asTable(value);
    const version = typeof entry?.version === "string" ? entry.version.replace(/^==/, "") : null;
    const digests = itemsOf(entry?.hashes).flatMap((hash) =>
      typeof hash === "string" && /^sha256:[0-9a-f]{64}$/.test(hash) ? [hash.slice(7)] : []
    );
    const index = typeof entry?.index === "string" ? addressOf(entry.index, indexes) : "";
    return version === null ? [] : [{ name, version, digests, files: [], index }];
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
    return [{ name, version: version!, digests, files: [], index: "" }];
  });
}

function read(file: string, text: string): Found[] {
  if (file.endsWith("Pipfile.lock")) return inPipfileLock(text);
  return /requirements\.(?:lock|txt)$/.test(file) ? inRequirements(text) : inToml(text);
}

/** By package; what is locked from another index is bound to it. */
function collect(found: readonly Found[], texts: Texts): Locked {
  const locked: Locked = Object.create(null);
  for (const { name, index, ...version } of found.slice(0, MAX_LOCKED)) {
    texts.bind(name, index);
    if (index === null) continue;
    (locked[normalName("PyPI", name)] ??= []).push({ ...version, apart: texts.isOther(index) });
  }
  return locked;
}

/**
 * Which of the locked versions have other files on the index: a file of the same name with another
 * digest, or, where only digests are locked, none with any of these. Files that came later differ in
 * nothing. What is locked from another index is not compared.
 */
export function differingFrom(
  locked: readonly LockedVersion[],
  listed: readonly { version: string; file: string; sha256: string }[],
): Differing[] {
  const byVersion = Map.groupBy(listed, ({ version }) => version);
  const counting = locked.filter(({ digests, apart }) => digests.length > 0 && !apart);
  return counting.slice(0, MAX_COMPARED).flatMap(
    ({ version: full, digests, files }): Differing[] => {
      const version = full.slice(0, MAX_VERSION);
      const there = [...byVersion].filter(([each]) => isSame(each, version))
        .flatMap(([, list]) => list);
      const names = Map.groupBy(files.filter(([file]) => file !== ""), ([file]) => file);
      const other = there.find(({ file, sha256 }) =>
        names.get(file)?.every(([, digest]) => digest !== sha256)
      );
      if (other !== undefined) return [{ version, file: other.file }];
      const isOther = names.size === 0 && there.length > 0 &&
        !there.some(({ sha256 }) => digests.includes(sha256));
      return isOther ? [{ version, file: null }] : [];
    },
  );
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
        const locked = collect(read(file, text), texts);
        return { locked, file, names: Object.keys(locked) };
      } catch {
        // Stage 3 reports it.
      }
    }
    const pinned = isFolder ? texts.text(`${folder}requirements.txt`) : null;
    if (pinned?.includes("--hash=sha256:")) {
      const locked = collect(inRequirements(pinned), texts);
      return { locked, file: null, names: [] };
    }
  }
  return { locked: {}, file: null, names: [] };
}
