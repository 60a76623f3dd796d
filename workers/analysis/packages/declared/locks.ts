/**
 * The versions that a lock file names, with the digests of their files.
 *
 * @module
 */
import { normalName } from "../../advisories/ecosystem.ts";
import { asTable, entriesOf, itemsOf, parseJson } from "../../manifests/requirement.ts";
import { logicalLines, withoutComment } from "../../manifests/requirements_txt.ts";
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
  /** The kind of its digests, if none is one that is checked. */
  unchecked: string | null;
  /** It is locked from another index: nothing but these very files may stand for it. */
  only?: boolean;
}

/** By package: each locked version. */
export type Locked = Record<string, LockedVersion[]>;

type Table = Record<string, unknown>;

/** What reading locks takes of a {@link Reader}. */
type Texts = Pick<Reader, "text" | "bind" | "isOther" | "paths">;

/** Locked versions of one package whose files are compared: a real lock has a few. */
const MAX_COMPARED = 20;
/** Longest version, in characters. */
const MAX_VERSION = 300;
/** Packages that a lock file names. */
const MAX_LOCKED = 5_000;
const SHA256 = /^sha256:([0-9a-f]{64})$/i;
/** A digest behind a requirement, of whichever kind. */
const HASH = /(?<=\s)--hash(?:=|\s+)([\w-]{1,20}:[0-9A-Za-z]{1,300})/g;
const NAMES = [
  "uv.lock",
  "poetry.lock",
  "pdm.lock",
  "pylock.toml",
  "requirements.lock",
  "Pipfile.lock",
];

/** Name of the file that an entry of a lock is of; empty where it does not say. */
function fileNameOf({ file, filename, name, url }: Table): string {
  const given = [file, filename, name].find((each) => typeof each === "string");
  if (typeof given === "string") return given;
  const path = typeof url === "string" ? url.split(/[?#]/, 1)[0]! : "";
  return path.slice(path.lastIndexOf("/") + 1).replaceAll("%2B", "+");
}

/** Digests of `hashes`, each with its kind before a colon; and the kind where none can be checked. */
function digestsOf(hashes: readonly string[]): Pick<LockedVersion, "digests" | "unchecked"> {
  const digests = hashes.map((hash) => SHA256.exec(hash)?.[1]?.toLowerCase())
    .filter((digest) => digest !== undefined);
  const kind = digests.length > 0 ? undefined : /^[^:]{1,20}/.exec(hashes[0] ?? "")?.[0];
  return { digests, unchecked: kind === "sha256" ? "a damaged sha256" : kind ?? null };
}

function filesOf(entry: Table): Pick<LockedVersion, "digests" | "unchecked" | "files"> {
  const tables = [entry.wheels, entry.files, entry.sdist].flat().map(asTable)
    .filter((table) => table !== null);
  const named = tables.map((table) => {
    const { hash } = table;
    const written = typeof hash === "string" ? [hash.includes(":") ? hash : `sha256:${hash}`] : [];
    const hashes = entriesOf(table.hashes).flatMap(([kind, digest]) =>
      typeof digest === "string" ? [`${kind.toLowerCase()}:${digest}`] : []
    );
    return { name: fileNameOf(table), hashes: [...written, ...hashes] };
  });
  const files = named.flatMap(({ name, hashes }) =>
    digestsOf(hashes).digests.map((digest): [string, string] => [name, digest])
  );
  return { ...digestsOf(named.flatMap(({ hashes }) => hashes)), files };
}

/** The index that a package is locked from; empty for the usual one of formats that name no other. */
function indexOf({ source, index }: Table): string {
  const { registry, url } = asTable(source) ?? {};
  return [registry, url, index].find((each) => typeof each === "string") as string ?? "";
}

/** Whether a package comes from somewhere else than an index. */
function isElsewhere(entry: Table): boolean {
  const source = asTable(entry.source);
  return entry.vcs !== undefined || entry.directory !== undefined || entry.archive !== undefined ||
    ["git", "url", "path", "editable", "virtual", "directory"].some((key) =>
      source?.[key] !== undefined && source.registry === undefined && source.type !== "legacy"
    );
}

/** Where uv locked several versions of a package: whether this one is of the session's environment. */
function applies({ marker, "resolution-markers": forks }: Table): boolean {
  const all = itemsOf(forks).filter((each) => typeof each === "string");
  return (typeof marker !== "string" || holds(marker, [])) &&
    (all.length === 0 || all.some((each) => holds(each, [])));
}

/** As it is written; `index` is null for what comes from none, `aside` true for other machines. */
type Found = LockedVersion & { name: string; index: string | null; aside?: boolean };

const NOWHERE = { version: "", digests: [], unchecked: null, files: [], index: null };

function inToml(text: string): Found[] {
  const root = parseToml(text);
  // Where Poetry before 1.3 and PDM before 2.8 have them: by name, or by name and version.
  const filed = asTable(asTable(root.metadata)?.files);
  return itemsOf(root.package ?? root.packages).flatMap((item): Found[] => {
    const entry = asTable(item);
    const { name, version } = entry ?? {};
    if (entry === null || typeof name !== "string") return [];
    if (isElsewhere(entry)) return [{ ...NOWHERE, name }];
    if (typeof version !== "string") return [];
    const aside = !applies(entry);
    const files = filed?.[name] ?? filed?.[`${name} ${version}`];
    const whole = entry.files === undefined && Array.isArray(files) ? { ...entry, files } : entry;
    return [{ name, version, ...filesOf(whole), index: indexOf(entry), aside }];
  });
}

function inPipfileLock(text: string): Found[] {
  const root = asTable(parseJson(text));
  const indexes = readIndexes(asTable(root?._meta)?.sources);
  return entriesOf(root?.default).flatMap(([name, value]) => {
    const entry = asTable(value);
    const version = typeof entry?.version === "string" ? entry.version.replace(/^==/, "") : null;
    const hashes = itemsOf(entry?.hashes).filter((hash) => typeof hash === "string");
    const index = typeof entry?.index === "string" ? addressOf(entry.index, indexes) : "";
    return version === null ? [] : [{ name, version, ...digestsOf(hashes), files: [], index }];
  });
}

/** Pins in a requirements file, with their digests, as pip-tools and uv write them. */
function inRequirements(text: string): Found[] {
  return logicalLines(text).flatMap(({ text: raw }) => {
    const line = withoutComment(raw);
    const [, name, version] =
      /^([A-Za-z0-9][\w.-]{0,200})\s*(?:\[[^\]]{0,500}\])?\s*\(?={2,3}\s*([\w.!+]{1,200})/.exec(
        line,
      ) ??
        [];
    const [, marker = ""] = /;(.{1,2000}?)(?:\s--|$)/.exec(line) ?? [];
    if (name === undefined || !holds(marker, [])) return [];
    const hashes = [...line.matchAll(HASH)].map(([, hash]) => hash!.toLowerCase());
    return [{ name, version: version!, ...digestsOf(hashes), files: [], index: "" }];
  });
}

function read(file: string, text: string): Found[] {
  if (file.endsWith("Pipfile.lock")) return inPipfileLock(text);
  return /requirements\.(?:lock|txt)$/.test(file) ? inRequirements(text) : inToml(text);
}

/**
 * By package; what is locked from another index is bound to it, unless digests say which files are
 * meant: those of a mirror are the same.
 */
function collect(found: readonly Found[], texts: Texts): Locked {
  const locked: Locked = Object.create(null);
  for (const { name, index, aside, ...version } of found.slice(0, MAX_LOCKED)) {
    const only = index !== null && version.digests.length > 0 && texts.isOther(index);
    if (!only) texts.bind(name, index);
    if (index === null || aside === true) continue;
    (locked[normalName("PyPI", name)] ??= []).push(only ? { ...version, only } : version);
  }
  return locked;
}

/**
 * Which of the locked versions have other files on the index: a file of the same name with another
 * digest, or, where only digests are locked, none with any of these. Files that came later differ in
 * nothing.
 */
export function differingFrom(
  locked: readonly LockedVersion[],
  listed: readonly { version: string; file: string; sha256: string }[],
): Differing[] {
  const byVersion = Map.groupBy(listed, ({ version }) => version);
  // Files of another index may well be others: they are refused, and nobody exchanged them.
  const counting = locked.filter(({ digests, only }) => digests.length > 0 && only !== true);
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

/** Names that a lock file may have in a folder; one with a name of its own counts if it is alone. */
function namesIn(texts: Texts, folder: string): string[] {
  const named = texts.paths(folder).filter((path) => /^pylock\.[^./]{1,200}\.toml$/.test(path));
  return named.length === 1 ? [...NAMES, ...named] : NAMES;
}

/**
 * What the lock file of the innermost of `folders` says; an entry that is no folder names the file.
 */
export function readLocks(
  texts: Texts,
  folders: readonly string[],
): { locked: Locked; file: string | null; names: string[] } {
  for (const folder of folders) {
    const isFolder = folder === "" || folder.endsWith("/");
    const files = isFolder ? namesIn(texts, folder).map((name) => `${folder}${name}`) : [folder];
    for (const file of files) {
      const text = texts.text(file);
      if (text === null) continue;
      try {
        const locked = collect(read(file, text), texts);
        return { locked, file, names: Object.keys(locked) };
      } catch {
        // Stage 3 reports it.
      }
    }
  }
  return { locked: {}, file: null, names: [] };
}

/**
 * Adds what pins with digests in these requirements files say. A package that the lock file has too
 * must be in both.
 */
export function addPins(locked: Locked, texts: Texts, files: Iterable<string>): Locked {
  const pinned = [...files].map((file) => texts.text(file) ?? "")
    .filter((text) => text.search(HASH) >= 0).flatMap(inRequirements);
  const all: Locked = Object.assign(Object.create(null), locked);
  for (const [name, pins] of Object.entries(collect(pinned, texts))) {
    const known = all[name] ?? [];
    const both = known.map((each): LockedVersion => {
      const digests = pins.filter(({ version }) => isSame(version, each.version))
        .flatMap((pin) => pin.digests);
      const shared = each.digests.filter((digest) => digests.includes(digest));
      return digests.length === 0
        ? each
        : { ...each, digests: shared.length > 0 ? shared : digests };
    });
    const isNew = ({ version }: LockedVersion) =>
      !known.some((each) => isSame(each.version, version) && each.digests.length > 0);
    all[name] = [...both, ...pins.filter(isNew)];
  }
  return all;
}
