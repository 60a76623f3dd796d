/**
 * Repository addresses: what `repository.url` may be and its one normal form.
 *
 * @module
 */
import type { AddressHost } from "../code_host_settings.ts";
import { invalidAddress } from "./failures.ts";
import { MAX_TAIL_SEGMENTS } from "./fetch_limits.ts";
import { type RefKind, splitPath, treeAddress } from "./host_paths.ts";

export type { RefKind } from "./host_paths.ts";

export interface RepositoryAddress {
  /** Host in lower case. */
  host: string;
  /** With slashes where the host has groups of groups. */
  owner: string;
  name: string;
  /** What follows `/tree/`: a ref and perhaps a folder. Empty for the default branch. */
  tail: string;
  /** What the ref is; null where the address does not say. */
  refKind: RefKind | null;
  /**
   * Equal for addresses of the same content, and as the host's own pages have it:
   * `https://host/owner/name[/tree/tail]`.
   */
  normal: string;
}

/** Characters of an address, as records have them. */
const MAX_LENGTH = 2048;
const SSH = /^git@([^/:@]+):(.+)$/;
const WEB = /^https:\/\/([^/]*)\/(.*)$/i;
const SEGMENT = /^[\p{L}\p{M}\p{N}!$&'()+,;=@_~. -]+$/u;

/** What addresses are repaired from before anything is opened: here they are refused instead. */
const UNUSUAL: readonly [RegExp, string][] = [
  [/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u, "invisible characters"],
  [/ \/|\/ |[^\S ]/u, "whitespace around its parts, or whitespace other than spaces"],
  [/\\/, "backslashes"],
  [/%/, "percent-encoding: write the characters themselves"],
  [/(?:^|\/)\.{1,2}(?:\/|$)/, 'parts that are "." or ".."'],
];

function refuse(problem: string): never {
  throw invalidAddress(problem);
}

function checkSpelling(text: string): void {
  for (const [pattern, what] of UNUSUAL) {
    if (pattern.test(text)) refuse(`it must not contain ${what}`);
  }
  if (text.normalize("NFKC") !== text) {
    refuse("it must not contain full-width or other compatibility characters");
  }
}

/** Authority and path of an address in either spelling. */
function split(text: string): [authority: string, path: string] {
  const ssh = SSH.exec(text);
  if (ssh) return [ssh[1]!, ssh[2]!];
  const web = WEB.exec(text);
  if (web) return [web[1]!, web[2]!];
  return refuse(
    /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^https:/i.test(text)
      ? "it must start with https://"
      : "it must be a URL such as https://github.com/owner/name",
  );
}

function checkTail(segments: string[]): string {
  if (segments.length > MAX_TAIL_SEGMENTS) {
    refuse(`it has more than ${MAX_TAIL_SEGMENTS} parts after /tree/`);
  }
  if (!segments.every((segment) => SEGMENT.test(segment))) {
    refuse("/tree/ must be followed by a ref and an optional folder");
  }
  return segments.join("/");
}

/**
 * The parts of `url`, which may be a web address, one that ends in `.git`, or `git@host:owner/name`.
 * But for spaces around it, it is read as it is written: what browsers repair (dot segments, escapes,
 * blanks, backslashes, full-width letters, default ports) would show one repository and mean another.
 *
 * @param hosts The only ones that are taken; null for any, whose kind is not known.
 * @throws {AppError} `invalid_request`, saying what is wrong with it.
 */
export function parseRepositoryAddress(
  url: string,
  hosts: readonly AddressHost[] | null,
): RepositoryAddress {
  if (url.length > MAX_LENGTH) refuse(`it must have at most ${MAX_LENGTH} characters`);
  const text = url.replace(/^ +/, "").replace(/ +$/, "");
  checkSpelling(text);
  const [authority, path] = split(text);
  if (authority.includes("@")) {
    refuse("it must not contain credentials; only public repositories are supported");
  }
  if (/[?#]/.test(authority + path)) refuse("it must not contain a query or a fragment");
  const host = authority.toLowerCase();
  const known = hosts?.find((one) => one.host === host);
  if (hosts !== null && known === undefined) {
    refuse(`the host must be one of ${hosts.map((one) => one.host).join(", ")}`);
  }
  const kind = known?.kind ?? null;
  const parts = splitPath(kind, path.replace(/\/$/, "").split("/"));
  if ("problem" in parts) refuse(parts.problem);
  const { owner, name, refKind } = parts;
  const tail = checkTail(parts.tail);
  const base = `https://${host}/${owner}/${name}`.toLowerCase();
  const normal = tail === "" ? base : `${base}${treeAddress(kind, refKind, tail)}`;
  return { host, owner, name, tail, refKind, normal };
}
