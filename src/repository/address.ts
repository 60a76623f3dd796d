/**
 * Repository addresses: what `repository.url` may be and its one normal form.
 *
 * @module
 */
import { AppError } from "../errors.ts";
import { MAX_TAIL_SEGMENTS } from "./limits.ts";

/** The parts of a repository address. */
export interface RepositoryAddress {
  /** Host in lower case. */
  host: string;
  owner: string;
  name: string;
  /** What follows `/tree/`, decoded: a ref and perhaps a folder. Empty for the default branch. */
  tail: string;
  /** Equal for addresses of the same content: `https://host/owner/name[/tree/tail]`. */
  normal: string;
}

const SSH = /^git@([^/:@\s]+):([^\s?#]+)$/;
const OWNER = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98}[A-Za-z0-9])?$/;
// deno-lint-ignore no-control-regex
const UNPLAIN = /[\u0000-\u001f\\/]/;
const NAME = /^[A-Za-z0-9._-]{1,100}$/;

function refuse(problem: string): never {
  const message = `Cannot use the repository address: ${problem}`;
  throw new AppError("invalid_request", message, {
    errors: [{ path: "repository.url", message: problem }],
  });
}

function toUrl(text: string): URL {
  const ssh = SSH.exec(text);
  if (ssh) return toUrl(`https://${ssh[1]}/${ssh[2]}`);
  try {
    return new URL(text);
  } catch {
    return refuse("it must be an address such as https://github.com/owner/name");
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return refuse("it has a broken percent encoding");
  }
}

function checkTail(segments: string[]): string {
  if (segments.length > MAX_TAIL_SEGMENTS) {
    refuse(`it has more than ${MAX_TAIL_SEGMENTS} parts after /tree/`);
  }
  for (const segment of segments) {
    const plain = segment !== "" && segment !== "." && segment !== ".." && !UNPLAIN.test(segment);
    if (!plain) {
      refuse("the part after /tree/ must be a ref and a folder");
    }
  }
  return segments.join("/");
}

/**
 * The parts of `url`, which may be a web address, one that ends in `.git`, or `git@host:owner/name`.
 *
 * @param allowedHosts Hosts in lower case (`CODE_HOSTS_ALLOW`).
 * @throws {AppError} `invalid_request`, saying what is wrong with it.
 */
export function parseRepositoryAddress(
  url: string,
  allowedHosts: readonly string[],
): RepositoryAddress {
  const parsed = toUrl(url.trim());
  if (parsed.protocol !== "https:") refuse("it must begin with https://");
  if (parsed.username !== "" || parsed.password !== "") {
    refuse("it must not contain credentials; only public repositories are used");
  }
  if (parsed.search !== "" || parsed.hash !== "") {
    refuse("it must not have a query or a fragment");
  }
  const host = parsed.host.toLowerCase();
  if (!allowedHosts.some((allowed) => allowed.toLowerCase() === host)) {
    refuse(`the host must be one of ${allowedHosts.join(", ")}`);
  }
  const segments = parsed.pathname.replace(/^\//, "").replace(/\/+$/, "").split("/").map(decode);
  const [owner = "", rawName = "", kind, ...rest] = segments;
  const name = rawName.replace(/\.git$/i, "");
  if (!OWNER.test(owner) || !NAME.test(name) || name === "." || name === "..") {
    refuse("it must name an owner and a repository");
  }
  if (kind !== undefined && (kind !== "tree" || rest.length === 0)) {
    refuse("after the repository it may only have /tree/<ref>/<folder>");
  }
  const tail = checkTail(rest);
  const base = `https://${host}/${owner}/${name}`.toLowerCase();
  return { host, owner, name, tail, normal: tail === "" ? base : `${base}/tree/${tail}` };
}
