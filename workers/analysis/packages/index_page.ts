/**
 * What an index says of a package (PEP 691 and 700, or the HTML of PEP 503), reduced to the files
 * that a session could use.
 *
 * @module
 */
import { asTable, itemsOf } from "../manifests/requirement.ts";
import { differingFrom, type LockedVersion } from "./declared/locks.ts";
import type { Candidate, Page } from "./types.ts";
import { allows, isVersion, newestFirst } from "./versions.ts";
import { filesInHtml } from "./index_html.ts";
import { type Fit, readFileName } from "./wheel_names.ts";

/** Versions of one package that are looked at: the newest, and those that something pins. */
const MAX_VERSIONS = 250;
const MAX_FILES = 50_000;
const SHA256 = /^[0-9a-f]{64}$/i;
const PYTHON = "3.14.2";
// What is compiled may import more than the interpreter has.
const ORDER: Record<Fit, number> = {
  ...{ python: 0, compiled: 1, part: 2, foreign: 3, source: 4, none: 5 },
};
const UNLOCKED = 6;
/** Wheels of other platforms with more than so much hold a library, and are not fetched to be refused. */
const MAX_FOREIGN_BYTES = 16 * 2 ** 20;

/** A file as an index lists it. */
interface Listed {
  file: string;
  url: string;
  /** Empty where the index gives none: nothing is taken without. */
  sha256: string;
  size: number | null;
  python: string;
  yanked: boolean;
  withdrawn: string | null;
  uploaded: string | null;
  metadata: string | null;
}

/** Longest reason for a withdrawal, in characters. */
const MAX_REASON = 300;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** A time as the index gives it, in one form; null where it is none. */
function timeOf(value: unknown): string | null {
  const time = typeof value === "string" && TIME.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function listedOf(value: unknown, base: string): Listed | null {
  const entry = asTable(value);
  const { filename, url, size } = entry ?? {};
  const sha256 = asTable(entry?.hashes)?.sha256;
  if (typeof filename !== "string" || typeof url !== "string" || !URL.canParse(url, base)) {
    return null;
  }
  const core = entry?.["core-metadata"] ?? entry?.["dist-info-metadata"];
  const digest = asTable(core)?.sha256;
  const python = entry?.["requires-python"];
  const yanked = entry?.yanked;
  return {
    file: filename,
    url: new URL(url, base).href,
    sha256: typeof sha256 === "string" && SHA256.test(sha256) ? sha256.toLowerCase() : "",
    size: typeof size === "number" && size >= 0 ? size : null,
    python: typeof python === "string" ? python : "",
    yanked: yanked !== undefined && yanked !== false,
    withdrawn: typeof yanked === "string" ? yanked.trim().slice(0, MAX_REASON) || null : null,
    uploaded: timeOf(entry?.["upload-time"]),
    metadata: typeof digest === "string" && SHA256.test(digest) ? digest : core ? "" : null,
  };
}

/** Reads an answer of an index. Throws when it is none. */
function filesOf(text: string, base: string): (Listed | null)[] {
  if (/^\s*</.test(text)) {
    return filesInHtml(text, MAX_FILES).map((item) => listedOf(item, base));
  }
  const files = asTable(JSON.parse(text))?.files;
  if (!Array.isArray(files)) throw new SyntaxError("no list of files");
  return itemsOf(files).slice(0, MAX_FILES).map((item) => listedOf(item, base));
}

/** Why none of the files of a package can be used. */
function without(
  files: readonly (Listed | null)[],
  { others, unnamed }: { others: number; unnamed: number },
): string {
  if (unnamed > 0) return "the index gives no SHA-256 digest of its files";
  if (others > 0) return "its wheels are for other platforms or versions of Python";
  const source = files.some((each) => each !== null && /\.(?:tar\.gz|zip)$/.test(each.file));
  return source ? "there is only a source distribution, which is not built" : "it has no files";
}

/** When the first of the files came; null unless that is known of each. */
function firstOf(files: readonly (Listed | null)[]): string | null {
  const times = files.map((listed) => listed?.uploaded ?? null);
  const known = times.filter((time) => time !== null);
  return known.length === times.length ? known.sort()[0] ?? null : null;
}

/**
 * The page of the package `name`. Throws when the answer cannot be read. Versions that `pins` or
 * `locked` name are kept however old they are.
 */
export function readPage(
  text: string,
  name: string,
  base: string,
  { pins = [], locked = [] }: { pins?: readonly string[]; locked?: readonly LockedVersion[] } = {},
): Page {
  const files = filesOf(text, base);
  const best = new Map<string, { fit: Fit; rank: number; candidate: Candidate }>();
  const digests = new Set(locked.flatMap((each) => each.digests));
  const ofPackage: { version: string; file: string; sha256: string }[] = [];
  let [others, unnamed] = [0, 0];
  for (const listed of files) {
    const wheel = listed === null ? null : readFileName(listed.file);
    // A file of another name is of no package that was asked for.
    if (listed === null || wheel === null || wheel.name !== name) continue;
    if (!isVersion(wheel.version)) continue;
    const { file, sha256 } = listed;
    if (sha256 !== "") ofPackage.push({ version: wheel.version, file, sha256 });
    const isLarge = wheel.fit === "foreign" && (listed.size ?? 0) > MAX_FOREIGN_BYTES;
    if (wheel.fit === "none" || isLarge || !allows([listed.python], PYTHON)) {
      others++;
      continue;
    }
    if (sha256 === "") {
      unnamed++;
      continue;
    }
    const { python: _, ...facts } = listed;
    const part = wheel.fit !== "python" && wheel.fit !== "compiled";
    const before = best.get(`${wheel.version} ${part}`);
    // A lock file may have the wheels of some machines alone: those come first.
    const isLockedWheel = wheel.fit !== "source" && digests.has(sha256);
    const rank = ORDER[wheel.fit] + (isLockedWheel ? 0 : UNLOCKED);
    if (before !== undefined && before.rank <= rank) continue;
    best.set(`${wheel.version} ${part}`, {
      fit: wheel.fit,
      rank,
      candidate: {
        version: wheel.version,
        origin: "index",
        part,
        requires: null,
        ...facts,
      },
    });
  }
  // The Python part of another wheel, or a source distribution, is of use only where there is none for every machine.
  const isOfUse = ({ version, part }: Candidate) =>
    !part || best.get(`${version} false`)?.fit !== "python";
  const all = [...best.values()].map(({ candidate }) => candidate).filter(isOfUse)
    .sort((a, b) => newestFirst(a.version, b.version));
  const kept = [...pins, ...locked.map(({ version }) => `==${version}`)];
  const candidates = all.filter(({ version }, at) => at < MAX_VERSIONS || allows(kept, version));
  return {
    candidates,
    cut: candidates.length < all.length,
    without: candidates.length > 0 ? null : without(files, { others, unnamed }),
    first: firstOf(files),
    differing: differingFrom(locked, ofPackage),
  };
}

/** What a wheel's metadata lists as required; null when the text is no metadata of `name`. */
export function readMetadata(text: string): string[] | null {
  const head = text.replaceAll("\r\n", "\n").split("\n\n", 1)[0]!;
  if (!/^name:/im.test(head)) return null;
  return [...head.matchAll(/^requires-dist:[ \t]*(.{1,4000})$/gim)].slice(0, 2_000)
    .map(([, line]) => line!.trim());
}
