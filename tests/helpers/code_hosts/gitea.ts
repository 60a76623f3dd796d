/**
 * A Gitea on loopback: repositories, branches, tags, commits, comparisons and archives, in the shapes
 * of its REST API as its documentation has them. Lists come in pages.
 *
 * @module
 */
import type { HostedRepository } from "../code_host_api.ts";
import {
  type ApiRequest,
  type LoopbackHost,
  type ServedRepository,
  startLoopbackHost,
} from "./loopback.ts";

/** The token that reads private repositories. */
export const GITEA_TOKEN = "0123456789abcdef0123456789abcdef01234567";

/** Its answer for what is not there. */
export function absent(): Response {
  const message = "The target couldn't be found.";
  return Response.json({ errors: [], message, url: "https://codeberg.org/api/swagger" }, {
    status: 404,
  });
}

/** The members of a repository, with `changed` ones. */
export function repositoryAnswer(repository: ServedRepository, changed: object = {}): Response {
  const { id, owner, name, defaultBranch } = repository;
  return Response.json({
    id,
    owner: { id: 1, login: owner, username: owner, visibility: "public" },
    name,
    full_name: `${owner}/${name}`,
    empty: repository.commits.size === 0,
    private: repository.private,
    internal: false,
    archived: false,
    default_branch: defaultBranch,
    object_format_name: "sha1",
    html_url: `https://codeberg.org/${owner}/${name}`,
    ...changed,
  });
}

function branch(name: string, id: string) {
  return { name, commit: { id, message: "Initial" }, protected: false };
}

function tag(name: string, id: string) {
  return { name, id, message: "", commit: { sha: id, url: "" } };
}

/** At most two of a list: tests need not make many to see pages. */
const PAGE = 2;

function page(all: unknown[], query: URLSearchParams): Response {
  const at = (Number(query.get("page") ?? 1) - 1) * PAGE;
  const headers = { "x-total-count": String(all.length) };
  return Response.json(all.slice(at, at + PAGE), { headers });
}

function compareAnswer(repository: ServedRepository, range: string): Response {
  const [base = "", head = ""] = range.split("...");
  const commits = repository.branches.get(base);
  if (commits === undefined || !repository.commits.has(head)) return absent();
  const ahead = commits.includes(head) ? 0 : 1;
  return Response.json({ total_commits: ahead, commits: [] });
}

function idOf(repository: ServedRepository, ref: string): string | undefined {
  const pull = /^refs\/pull\/(\d+)\/head$/.exec(ref)?.[1];
  if (pull !== undefined) return repository.pulls[Number(pull) - 1];
  return [...repository.commits.keys()].find((id) =>
    /^[0-9a-f]{4,}$/.test(ref) && id.startsWith(ref)
  );
}

function partAnswer(
  repository: ServedRepository,
  [kind, ...parts]: string[],
  { query, archive }: ApiRequest,
): Promise<Response> | Response {
  const rest = parts.join("/");
  if (kind === "branches" && rest === "") {
    return page([...repository.branches].map(([name, ids]) => branch(name, ids.at(-1)!)), query);
  }
  if (kind === "tags" && rest === "") {
    return page([...repository.tags].map(([name, id]) => tag(name, id)), query);
  }
  if (kind === "branches") {
    const id = repository.branches.get(rest)?.at(-1);
    return id === undefined ? absent() : Response.json(branch(rest, id));
  }
  if (kind === "tags") {
    const id = repository.tags.get(rest);
    return id === undefined ? absent() : Response.json(tag(rest, id));
  }
  if (kind === "compare") return compareAnswer(repository, rest);
  if (kind === "git" && parts[0] === "commits") {
    const id = idOf(repository, parts.slice(1).join("/"));
    return id === undefined ? absent() : Response.json({ sha: id, parents: [] });
  }
  const id = /^([0-9a-f]{40})\.tar\.gz$/.exec(rest)?.[1] ?? "";
  return kind === "archive" && repository.commits.has(id) ? archive(repository, id) : absent();
}

function answer(request: ApiRequest): Promise<Response> | Response {
  const [scope, owner = "", name = "", ...parts] = request.path.slice(1).split("/")
    .map(decodeURIComponent);
  if (request.token !== null && request.token !== GITEA_TOKEN) {
    return Response.json({ message: "token is required" }, { status: 401 });
  }
  const repository = request.find(`${owner}/${name}`);
  if (scope !== "repos" || repository === undefined) return absent();
  if (repository.private && request.token === null) return absent();
  return parts.length === 0 ? repositoryAnswer(repository) : partAnswer(repository, parts, request);
}

/** Starts a Gitea that addresses name `codeberg.org`. */
export function startGitea(
  repositories: HostedRepository[] = [],
  options: { archivesElsewhere?: boolean } = {},
): Promise<LoopbackHost> {
  const api = { kind: "gitea", base: "/api/v1", answer } as const;
  return startLoopbackHost(api, "codeberg.org", repositories, options);
}
