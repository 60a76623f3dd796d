/**
 * A GitLab on loopback: projects, branches, tags, commits and archives, in the shapes of its REST API
 * as its documentation has them.
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

/** The token that reads private projects. */
export const GITLAB_TOKEN = "glpat-0123456789";

const LIMITS = {
  "ratelimit-limit": "500",
  "ratelimit-name": "throttle_unauthenticated_api",
  "ratelimit-observed": "1",
  "ratelimit-remaining": "499",
};

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...LIMITS, ...headers } });
}

/** Its answer for what is not there. */
export function absent(what: string): Response {
  return json({ message: `404 ${what} Not Found` }, 404);
}

/** Its answer once a limit is reached; the wait is given in seconds. */
export function tooMany(wait: number): Response {
  return new Response("Retry later\n", {
    status: 429,
    headers: {
      ...LIMITS,
      "content-type": "text/plain",
      "ratelimit-remaining": "0",
      "retry-after": String(wait),
    },
  });
}

function projectAnswer(project: ServedRepository): Response {
  const path = `${project.owner}/${project.name}`;
  const isEmpty = project.commits.size === 0;
  return json({
    id: project.id,
    description: null,
    name: project.name,
    name_with_namespace: path.replaceAll("/", " / "),
    path: project.name,
    path_with_namespace: path,
    default_branch: isEmpty ? null : project.defaultBranch,
    visibility: project.private ? "private" : "public",
    web_url: `https://gitlab.com/${path}`,
    empty_repo: isEmpty,
    archived: false,
    repository_access_level: "enabled",
  });
}

function commit(id: string) {
  return { id, short_id: id.slice(0, 8), title: "Initial", parent_ids: [] };
}

function idOf(project: ServedRepository, ref: string): string | undefined {
  // By id, branch, tag, and names below refs/, such as those of merge requests.
  const merge = /^refs\/merge-requests\/(\d+)\/head$/.exec(ref)?.[1];
  if (merge !== undefined) return project.pulls[Number(merge) - 1];
  return project.branches.get(ref)?.at(-1) ?? project.tags.get(ref) ??
    [...project.commits.keys()].find((id) => /^[0-9a-f]{7,}$/.test(ref) && id.startsWith(ref));
}

function refsOf(project: ServedRepository, id: string): Response {
  const branches = [...project.branches].filter(([, ids]) => ids.includes(id))
    .map(([name]) => ({ type: "branch", name }));
  const tags = [...project.tags].filter(([, at]) => at === id)
    .map(([name]) => ({ type: "tag", name }));
  const all = [...branches, ...tags];
  return json(all, 200, { "x-page": "1", "x-per-page": "1", "x-total": String(all.length) });
}

function repositoryAnswer(
  project: ServedRepository,
  parts: string[],
  { query, archive }: ApiRequest,
) {
  const [kind, first = "", second] = parts;
  if (kind === "branches") {
    const id = project.branches.get(first)?.at(-1);
    if (id === undefined) return absent("Branch");
    const isDefault = first === project.defaultBranch;
    return json({ name: first, default: isDefault, protected: isDefault, commit: commit(id) });
  }
  if (kind === "tags") {
    const id = project.tags.get(first);
    return id === undefined
      ? absent("Tag")
      : json({ name: first, message: "", target: id, commit: commit(id) });
  }
  if (kind === "commits") {
    const id = idOf(project, first);
    if (id === undefined) return absent("Commit");
    return second === "refs" ? refsOf(project, id) : json(commit(id));
  }
  const sha = query.get("sha") ?? "";
  if (kind === "archive.tar.gz" && project.commits.has(sha)) return archive(project, sha);
  return absent("File");
}

function answer(request: ApiRequest): Promise<Response> | Response {
  const [scope, name = "", kind, ...parts] = request.path.slice(1).split("/")
    .map(decodeURIComponent);
  if (request.token !== null && request.token !== GITLAB_TOKEN) {
    return json({ message: "401 Unauthorized" }, 401);
  }
  const project = request.find(/^\d+$/.test(name) ? Number(name) : name);
  if (scope !== "projects" || project === undefined) return absent("Project");
  if (project.private && request.token === null) return absent("Project");
  if (kind === undefined) return projectAnswer(project);
  return kind === "repository" ? repositoryAnswer(project, parts, request) : absent("Page");
}

/** Starts a GitLab that addresses name `gitlab.com`. */
export function startGitLab(
  repositories: HostedRepository[] = [],
  options: { archivesElsewhere?: boolean } = {},
): Promise<LoopbackHost> {
  const api = { kind: "gitlab", base: "/api/v4", answer } as const;
  return startLoopbackHost(api, "gitlab.com", repositories, options);
}
