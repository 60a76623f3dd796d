/**
 * The paths of repositories, refs and folders on the pages of each kind of code host.
 *
 * @module
 */
import type { CodeHostKind } from "../code_host_settings.ts";

/** What a ref is, where an address says so. */
export type RefKind = "branch" | "tag" | "commit";

/** A path as it was understood. */
export interface PathParts {
  owner: string;
  name: string;
  refKind: RefKind | null;
  /** What follows the ref's mark. */
  tail: string[];
}

const PLAIN_OWNER = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98}[A-Za-z0-9])?$/;
const PLAIN_NAME = /^[A-Za-z0-9._-]{1,100}$/;
const LOOSE_OWNER = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9_])?$/;
const GROUP = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,253}[A-Za-z0-9_-])?$/;
const PROJECT = /^[A-Za-z0-9_.][A-Za-z0-9_.-]{0,254}$/;
/** Groups of groups above a project. */
const MAX_GROUPS = 20;

/** Which names are those of owners and repositories; each host has its own. */
const NAMES: Record<CodeHostKind, { owner: RegExp; name: RegExp; groups: number }> = {
  github: { owner: PLAIN_OWNER, name: PLAIN_NAME, groups: 1 },
  gitlab: { owner: GROUP, name: PROJECT, groups: MAX_GROUPS },
  gitea: { owner: LOOSE_OWNER, name: PLAIN_NAME, groups: 1 },
};
/** Of hosts whose kind is not known: whatever one of them takes. */
const ANY_NAMES = NAMES.gitlab;

/** Begins what follows a repository; where there are groups of groups, none of them has such a name. */
const MARKS = new Set(["-", "tree"]);
const REF_KINDS: readonly string[] = ["branch", "tag", "commit"] satisfies RefKind[];

function isRefKind(text: string | undefined): text is RefKind {
  return text !== undefined && REF_KINDS.includes(text);
}

/** Where the repository ends: after owner and name, or before the first mark. */
function repositoryEnd(kind: CodeHostKind | null, segments: readonly string[]): number {
  if (kind !== null && NAMES[kind].groups === 1) return 2;
  const mark = segments.findIndex((segment, index) =>
    index >= 2 && (MARKS.has(segment) || (kind === null && segment === "src"))
  );
  return mark < 0 ? segments.length : mark;
}

/** The parts of a path, or what is wrong with it. */
export function splitPath(
  kind: CodeHostKind | null,
  segments: readonly string[],
): PathParts | { problem: string } {
  const end = repositoryEnd(kind, segments);
  const owners = segments.slice(0, Math.max(1, end - 1));
  const name = (segments.slice(0, end)[owners.length] ?? "").replace(/\.git$/i, "");
  const names = kind === null ? ANY_NAMES : NAMES[kind];
  if (
    owners.length > names.groups || !owners.every((owner) => names.owner.test(owner)) ||
    !names.name.test(name) || /^\.*$|\.git$/i.test(name)
  ) return { problem: "it must name an owner and a repository" };
  const rest = segments.slice(end);
  const repository = { owner: owners.join("/"), name, refKind: null };
  if (rest.length === 0) return { ...repository, tail: [] };
  if (rest[0] === "src" && kind !== "github" && kind !== "gitlab") {
    if (!isRefKind(rest[1])) rest[0] = "tree";
    else if (rest.length > 2) return { ...repository, refKind: rest[1], tail: rest.slice(2) };
  }
  if (rest[0] === "-" && kind !== "github" && kind !== "gitea") rest.shift();
  if (rest[0] !== "tree" || rest.length < 2) {
    return { problem: "only /tree/<ref>/<folder> may follow the repository" };
  }
  return { ...repository, tail: rest.slice(1) };
}

/** What follows a repository's address on the host's own page of a ref and a folder. */
export function treeAddress(
  kind: CodeHostKind | null,
  refKind: RefKind | null,
  tail: string,
): string {
  if (kind === "gitlab") return `/-/tree/${tail}`;
  if (kind !== "gitea") return `/tree/${tail}`;
  // A branch with the name of a kind is told as one.
  const marked = refKind ?? (isRefKind(tail.split("/")[0]) ? "branch" : null);
  return marked === null ? `/src/${tail}` : `/src/${marked}/${tail}`;
}
