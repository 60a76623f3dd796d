/**
 * Which files of a repository may be its icon, the likeliest first.
 *
 * @module
 */
import type { SourceFiles } from "../analyser.ts";

/** Something that may be drawn. */
export interface Candidate {
  /** The file that it is, or that it stands in. */
  file: string;
  bytes: Uint8Array;
}

/** Larger ones are no icons. */
const MAX_BYTES = 512 * 1024;
const MANIFESTS = ["berth.json", "manifest.json", "server.json", "package.json"];
const SOURCE = /\.(?:py|ts|js|mjs)$/;
const IMAGE = /\.(?:png|svg|jpe?g|gif)$/i;
/** The MCP field `icons`, as code of the SDKs fills it in. */
const IN_CODE = [
  /\bIcon\s*\([^()]{0,300}?\bsrc\s*=\s*["']([^"']{1,700000})["']/g,
  /\bicons\s*:\s*\[[^\]]{0,300}?\bsrc\s*:\s*["'`]([^"'`]{1,700000})["'`]/g,
];
const DATA = /^data:image\/[a-z.+-]{1,20}(?:;[a-z0-9=-]{1,40})*;base64,([A-Za-z0-9+/=\s]+)$/i;
/** Where a repository's own files are on the web. */
const ON_CODE_HOST =
  /^https:\/\/(?:raw\.githubusercontent\.com\/[^/]+\/[^/]+\/(?:refs\/heads\/)?[^/]+|github\.com\/[^/]+\/[^/]+\/(?:raw|blob)\/[^/]+)\/([^?#]+)/;
/** Names that icons have, and folders that they are in. */
const NAMES = ["icon", "logo", "mark", "favicon"];
const FOLDERS = /^(?:(?:assets|docs|images?|img|static|public|media|resources|\.github)\/){0,2}$/;

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.slice(0, 10).flatMap(textsIn);
  const source = value !== null && typeof value === "object"
    ? (value as Record<string, unknown>)["src"]
    : undefined;
  return typeof source === "string" ? [source] : [];
}

/** What manifests name as icons. */
function inManifest(bytes: Uint8Array): string[] {
  try {
    const { icon, icons, iconUrl } = JSON.parse(new TextDecoder().decode(bytes));
    return [icon, icons, iconUrl].flatMap(textsIn);
  } catch {
    return [];
  }
}

function inCode(bytes: Uint8Array): string[] {
  const text = new TextDecoder().decode(bytes);
  return IN_CODE.flatMap((pattern) => [...text.matchAll(pattern)].slice(0, 5))
    .map(([, source]) => source!);
}

/** A path without `.` and `..`; null when it leads out. */
function plainPath(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** What `source` names: bytes of its own, or a file among `files`; null for what lies elsewhere. */
function candidateOf(source: string, { within, files }: {
  within: string;
  files: SourceFiles;
}): Candidate | null {
  const data = DATA.exec(source)?.[1];
  if (data !== undefined) {
    try {
      return { file: within, bytes: Uint8Array.fromBase64(data) };
    } catch {
      return null;
    }
  }
  const hosted = ON_CODE_HOST.exec(source)?.[1];
  if (hosted === undefined && /^[a-z][a-z0-9+.-]*:/i.test(source)) return null;
  const folder = within.slice(0, within.lastIndexOf("/") + 1);
  const paths = hosted === undefined ? [`${folder}${source}`, source] : [hosted];
  for (const path of paths.map(plainPath)) {
    if (path === null) continue;
    // An address is from the repository's root, files are from the server's folder.
    const found = [...files.keys()].find((file) => file === path || path.endsWith(`/${file}`));
    if (found !== undefined) return { file: found, bytes: files.get(found)! };
  }
  return null;
}

/** How much a file's name is that of an icon, the lower the more; null when it is none. */
function rankOf(path: string): number | null {
  if (!IMAGE.test(path)) return null;
  const at = path.lastIndexOf("/") + 1;
  const stem = path.slice(at).toLowerCase().replace(/\.[a-z]+$/, "");
  const named = NAMES.findIndex((name) => stem === name);
  const alike = NAMES.findIndex((name) => stem.split(/[-_.@]/).includes(name));
  if (alike < 0 || !FOLDERS.test(path.slice(0, at))) return null;
  return (named < 0 ? 10 + alike : named) + (at === 0 ? 0 : 4);
}

function byName(files: SourceFiles): Candidate[] {
  return [...files].map(([file, bytes]) => ({ file, bytes, rank: rankOf(file) }))
    .filter(({ rank }) => rank !== null)
    .toSorted((a, b) => a.rank! - b.rank! || (a.file < b.file ? -1 : 1));
}

/** What may be the icon, the likeliest first: what is said to be it, then what is named as one. */
export function candidatesIn(files: SourceFiles): Candidate[] {
  const said: { source: string; within: string }[] = [];
  for (const within of MANIFESTS) {
    const bytes = files.get(within);
    if (bytes !== undefined) {
      said.push(...inManifest(bytes).map((source) => ({ source, within })));
    }
  }
  for (const [within, bytes] of files) {
    if (SOURCE.test(within)) said.push(...inCode(bytes).map((source) => ({ source, within })));
  }
  const named = said.map(({ source, within }) => candidateOf(source, { within, files }))
    .filter((candidate) => candidate !== null);
  return [...named, ...byName(files)].filter(({ bytes }) => bytes.length <= MAX_BYTES);
}
