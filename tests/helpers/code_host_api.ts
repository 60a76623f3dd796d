/**
 * What the loopback code host answers, in the shapes of GitHub's REST API.
 *
 * @module
 */
import { archiveOf, commitId, type SourceFiles } from "./code_host_archive.ts";

/** How the code host misbehaves, for all its repositories. */
export type CodeHostFailure =
  | "down"
  | "rate_limited"
  | "secondary_limited"
  | "web_page"
  | "archive_web_page"
  | "archive_cut"
  | "archive_shortened"
  | "archive_error"
  | "hang";

/** A repository to serve. */
export interface HostedRepository {
  owner: string;
  name: string;
  /** Content of the default branch; none makes a repository without a commit. */
  files?: SourceFiles;
  /** Name of the default branch, `main` when absent. */
  defaultBranch?: string;
  /** Further branches. */
  branches?: Record<string, SourceFiles>;
  tags?: Record<string, SourceFiles>;
  /** Commits of forks: served by their id and as `refs/pull/<n>/head`, on no branch. */
  forkCommits?: SourceFiles[];
  private?: boolean;
  /** Sent in place of the archive of every commit. */
  archive?: Uint8Array;
}

/** A served repository. */
export interface Repository {
  owner: string;
  name: string;
  private: boolean;
  defaultBranch: string;
  /** Commit ids, oldest first. */
  branches: Map<string, string[]>;
  tags: Map<string, string>;
  commits: Map<string, SourceFiles>;
  /** Heads of pull requests, the first is number 1. */
  pulls: string[];
  archive: Uint8Array | undefined;
}

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

/** GitHub's answer for what is missing or private. */
export function notFound(): Response {
  return json({ message: "Not Found", documentation_url: "https://docs.github.com/rest" }, 404);
}

/** When a limit ends of which the code host tells, in seconds since the epoch. */
export const LIMIT_RESET = Date.UTC(2026, 10, 1) / 1000;

function limitAnswer(failure: "rate_limited" | "secondary_limited"): Response {
  if (failure === "secondary_limited") {
    const message = "You have exceeded a secondary rate limit. Please wait a few minutes";
    return json({ message }, 403, { "retry-after": "42" });
  }
  return json({ message: "API rate limit exceeded for 203.0.113.7." }, 403, {
    "x-ratelimit-limit": "60",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(LIMIT_RESET),
  });
}

function page(): Response {
  const headers = { "content-type": "text/html; charset=utf-8" };
  return new Response("<!doctype html><title>Sign in</title>", { headers });
}

/** Adds a commit that is on no branch yet. */
export async function addCommit(repository: Repository, files: SourceFiles, parent: string) {
  const id = await commitId(files, `${repository.owner}/${repository.name}:${parent}`);
  repository.commits.set(id, files);
  return id;
}

/** What is served for `hosted`. */
export async function toRepository(hosted: HostedRepository): Promise<Repository> {
  const repository: Repository = {
    owner: hosted.owner,
    name: hosted.name,
    private: hosted.private ?? false,
    defaultBranch: hosted.defaultBranch ?? "main",
    branches: new Map(),
    tags: new Map(),
    commits: new Map(),
    pulls: [],
    archive: hosted.archive,
  };
  const branches = { ...hosted.branches };
  if (hosted.files) branches[repository.defaultBranch] = hosted.files;
  for (const [name, files] of Object.entries(branches)) {
    repository.branches.set(name, [await addCommit(repository, files, "")]);
  }
  for (const [name, files] of Object.entries(hosted.tags ?? {})) {
    repository.tags.set(name, await addCommit(repository, files, "tag"));
  }
  for (const files of hosted.forkCommits ?? []) {
    repository.pulls.push(await addCommit(repository, files, "fork"));
  }
  return repository;
}

/** The commit that `ref` names, as GitHub understands names. */
export function commitOf(repository: Repository, ref: string): string | undefined {
  const branch = (name: string) => repository.branches.get(name)?.at(-1);
  if (ref.startsWith("heads/")) return branch(ref.slice(6));
  if (ref.startsWith("tags/")) return repository.tags.get(ref.slice(5));
  const pull = /^(?:refs\/)?pull\/(\d+)\/head$/.exec(ref)?.[1];
  if (pull !== undefined) return repository.pulls[Number(pull) - 1];
  const byId = /^[0-9a-f]{4,40}$/.test(ref)
    ? [...repository.commits.keys()].find((id) => id.startsWith(ref))
    : undefined;
  return branch(ref) ?? repository.tags.get(ref) ?? byId;
}

function repositoryAnswer(repository: Repository): Response {
  return json({
    id: 1,
    name: repository.name,
    full_name: `${repository.owner}/${repository.name}`,
    private: repository.private,
    visibility: repository.private ? "private" : "public",
    owner: { login: repository.owner, id: 1, type: "Organization" },
    html_url: `https://github.com/${repository.owner}/${repository.name}`,
    default_branch: repository.defaultBranch,
  });
}

function commitAnswer(repository: Repository, ref: string, accept: string): Response {
  if (repository.commits.size === 0) return json({ message: "Git Repository is empty." }, 409);
  const id = commitOf(repository, ref);
  if (id === undefined) return json({ message: `No commit found for SHA: ${ref}` }, 422);
  if (!accept.includes("sha")) return json({ sha: id, commit: { message: "Initial" } });
  const headers = { "content-type": "application/vnd.github.sha; charset=utf-8" };
  return new Response(id, { headers });
}

function compareAnswer(repository: Repository, range: string): Response {
  const [base = "", head = ""] = range.split("...");
  const commits = repository.branches.get(base);
  if (commits === undefined || commitOf(repository, head) === undefined) return notFound();
  const at = commits.indexOf(head);
  const status = at < 0 ? "diverged" : at === commits.length - 1 ? "identical" : "behind";
  return json({ status, ahead_by: at < 0 ? 1 : 0, behind_by: 0, total_commits: 0, commits: [] });
}

function headsAnswer(repository: Repository, id: string): Response {
  const heads = [...repository.branches].filter(([, commits]) => commits.at(-1) === id);
  return json(heads.map(([name]) => ({ name, commit: { sha: id }, protected: false })));
}

/** A file of the default branch. */
function contentAnswer(repository: Repository, path: string): Response {
  const files = repository.commits.get(commitOf(repository, repository.defaultBranch) ?? "");
  const content = files?.[path];
  if (content === undefined) return notFound();
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  // In lines, as GitHub has it.
  const text = bytes.toBase64().replace(/.{60}/g, "$&\n");
  return json({ type: "file", encoding: "base64", size: bytes.length, path, content: text });
}

function refAnswer(repository: Repository, ref: string): Response {
  const sha = /^(heads|tags)\//.test(ref) ? commitOf(repository, ref) : undefined;
  if (sha === undefined) return notFound();
  return json({ ref: `refs/${ref}`, object: { type: "commit", sha } });
}

/** The API's answer for a path below a repository. */
export function apiAnswer(
  repository: Repository,
  [kind, first = "", second]: string[],
  rest: string,
  context: { accept: string; archives: string },
): Response {
  if (kind === undefined) return repositoryAnswer(repository);
  if (kind === "commits" && second === "branches-where-head") return headsAnswer(repository, first);
  if (kind === "commits") return commitAnswer(repository, rest, context.accept);
  if (kind === "contents") return contentAnswer(repository, rest);
  if (kind === "compare") return compareAnswer(repository, rest);
  if (kind === "git" && first === "ref") return refAnswer(repository, rest.slice("ref/".length));
  if (kind !== "tarball") return notFound();
  const id = commitOf(repository, rest);
  if (id === undefined) return notFound();
  const location = `${context.archives}/${repository.owner}/${repository.name}/legacy.tar.gz/${id}`;
  return new Response(null, { status: 302, headers: { location } });
}

/** The archive of a commit. */
export async function archiveAnswer(
  repository: Repository,
  id: string,
  failure: CodeHostFailure | null,
): Promise<Response> {
  if (failure === "archive_error") {
    return new Response("500: Internal Server Error", { status: 500 });
  }
  if (failure === "archive_web_page") return page();
  const files = repository.commits.get(id);
  if (files === undefined) return notFound();
  const top = `${repository.owner}-${repository.name}-${id.slice(0, 7)}`.replaceAll("/", "-");
  const archive = repository.archive ?? await archiveOf(files, { top, commit: id });
  const headers = { "content-type": "application/x-gzip" };
  if (failure === "archive_shortened") {
    return new Response(archive.slice(0, archive.length / 2), { headers });
  }
  if (failure === "archive_cut") {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(archive.slice(0, archive.length / 2)),
      pull: (controller) => controller.error(new Error("Connection lost")),
    });
    return new Response(body, { headers });
  }
  return new Response(archive as Uint8Array<ArrayBuffer>, { headers });
}

/** What the API answers to everything while it misbehaves; null when it does not. */
export function failureAnswer(failure: CodeHostFailure | null): Response | null {
  if (failure === "down") return json({ message: "Service unavailable" }, 503);
  if (failure === "web_page") return page();
  if (failure === "rate_limited" || failure === "secondary_limited") return limitAnswer(failure);
  return null;
}
