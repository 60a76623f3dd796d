/**
 * GitHub's REST API, by Octokit.
 *
 * @module
 */
import { Octokit } from "@octokit/rest";
import { z } from "zod";
import { createGuardedFetch } from "../guarded_fetch.ts";
import { ABSENT, ask, type Asked, bounded, CommitId } from "./answers.ts";
import type { CodeHost, FoundRepository, OneHostDeps, Ref } from "./code_host.ts";

const RepositoryAnswer = z.object({
  name: z.string().regex(/^[\w.-]{1,100}$/),
  private: z.boolean(),
  visibility: z.string().optional(),
  default_branch: z.string().min(1).max(500),
  owner: z.object({ login: z.string().regex(/^[\w-]{1,100}$/) }),
});
const ContentAnswer = z.object({
  type: z.literal("file"),
  encoding: z.literal("base64"),
  // In lines.
  content: z.string().transform((text) => text.replaceAll("\n", "")).pipe(z.base64()),
});
const Comparison = z.object({ status: z.string() });
const Heads = z.array(z.object({ name: z.string() }));

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * How to ask for a ref. GitHub also resolves names below `refs/`, and pull requests there hold
 * commits of forks, which anyone can write; behind `heads/` only branches are found.
 */
function query({ name, kind }: Ref): string {
  if (kind === "branch") return `heads/${name}`;
  if (kind === "tag") return `tags/${name}`;
  return /^(?:refs|pull|merge-requests|remotes|notes|stash)(?:\/|$)/.test(name)
    ? `heads/${name}`
    : name;
}

function octokitFor(
  { settings: { apiUrl, token } }: OneHostDeps,
  guardedFetch: typeof fetch,
): Octokit {
  return new Octokit({
    baseUrl: apiUrl,
    ...(token === null ? {} : { auth: token }),
    userAgent: "berth",
    log: SILENT,
    request: {
      fetch: async (url: string, init?: RequestInit) => bounded(await guardedFetch(url, init)),
    },
  });
}

/** Reads what is below a repository's address. */
function getter(octokit: Octokit, { host, now }: Pick<CodeHost, "host" | "now">) {
  return function get<T>(
    route: string,
    { owner, name: repo }: Pick<FoundRepository, "owner" | "name">,
    { accept = "application/vnd.github+json", parameters = {}, ...asked }: Asked<T> & {
      accept?: string;
      parameters?: Record<string, unknown>;
    },
  ): Promise<T | null> {
    return ask({ host, now }, async (signal) => {
      const { data } = await octokit.request(`GET /repos/{owner}/{repo}${route}`, {
        owner,
        repo,
        ...parameters,
        headers: { accept },
        request: { signal },
      });
      return data as unknown;
    }, asked);
  };
}

/** GitHub is also asked for single files. */
export interface GitHub extends CodeHost {
  /** What the default branch has at `path`; null where that is no file. */
  readFile(
    repository: FoundRepository,
    path: string,
    signal?: AbortSignal,
  ): Promise<Uint8Array | null>;
}

/** A client of GitHub, or of a GitHub Enterprise Server. */
export function createGitHub(deps: OneHostDeps): GitHub {
  const { settings: { host, apiUrl }, now } = deps;
  const guardedFetch = createGuardedFetch({ ...deps, apiUrl });
  const octokit = octokitFor(deps, guardedFetch);

  const get = getter(octokit, { host, now });

  return {
    host,
    now,
    async findRepository({ owner, name }, signal) {
      const asked = { schema: RepositoryAnswer, expected: ABSENT, signal };
      const answer = await get("", { owner, name }, asked);
      if (answer === null) return null;
      return {
        owner: answer.owner.login,
        name: answer.name,
        defaultBranch: answer.default_branch,
        // "internal" repositories are readable to one organisation only.
        isPrivate: answer.private || (answer.visibility ?? "public") !== "public",
      };
    },
    findCommit: (repository, ref, signal) =>
      get("/commits/{ref}", repository, {
        schema: CommitId,
        expected: [404, 409, 422],
        signal,
        accept: "application/vnd.github.sha",
        parameters: { ref: query(ref) },
      }),
    async isOwnCommit(repository, commit, signal) {
      const expected = [404, 422];
      const basehead = `${repository.defaultBranch}...${commit}`;
      const comparison = await get("/compare/{basehead}", repository, {
        schema: Comparison,
        expected,
        signal,
        parameters: { basehead, per_page: 1 },
      });
      if (comparison?.status === "behind" || comparison?.status === "identical") return true;
      const heads = await get("/commits/{commit_sha}/branches-where-head", repository, {
        schema: Heads,
        expected,
        signal,
        parameters: { commit_sha: commit },
      });
      return heads !== null && heads.length > 0;
    },
    async readFile(repository, path, signal) {
      const answer = await get("/contents/{path}", repository, {
        schema: z.unknown(),
        expected: ABSENT,
        signal,
        parameters: { path },
      });
      const file = ContentAnswer.safeParse(answer);
      return file.success ? Uint8Array.fromBase64(file.data.content) : null;
    },
    // Not downloadTarballArchive: it turns a body that breaks half way into a success of 0 bytes.
    openArchive: ({ owner, name }, commit, signal) =>
      octokit.request("GET /repos/{owner}/{repo}/tarball/{ref}", {
        owner,
        repo: name,
        ref: commit,
        request: { parseSuccessResponseBody: false, signal, fetch: guardedFetch },
      }),
  };
}
