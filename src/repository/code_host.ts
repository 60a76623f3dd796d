/**
 * The code host's API: repository, ref and commit, by Octokit.
 *
 * @module
 */
import { Octokit } from "@octokit/rest";
import { z } from "zod";
import type { RepositoryAddress } from "./address.ts";
import { codeHostFailure, httpFailureOf, limitedFor } from "./failed_requests.ts";
import { codeHostUnavailable, repositoryMissing } from "./failures.ts";
import { createGuardedFetch } from "./guarded_fetch.ts";
import { API_TIMEOUT_MS, MAX_API_BYTES } from "./fetch_limits.ts";

export interface CodeHostDeps {
  /** `GITHUB_API_URL`. */
  apiUrl: string;
  /** `GITHUB_TOKEN`; null for none. */
  token: string | null;
  fetch: typeof fetch;
  /** Addresses of a host name; rejects when it has none. */
  resolve: (hostname: string) => Promise<string[]>;
  now: () => Date;
}

/** A repository that everyone can read. */
export interface PublicRepository {
  owner: string;
  name: string;
  defaultBranch: string;
}

/** A client whose requests are guarded, bounded and silent, and that never retries by itself. */
export interface CodeHost {
  octokit: Octokit;
  guardedFetch: typeof fetch;
  now: () => Date;
}

const RepositoryAnswer = z.object({
  name: z.string().regex(/^[\w.-]{1,100}$/),
  private: z.boolean(),
  visibility: z.string().optional(),
  default_branch: z.string().min(1).max(500),
  owner: z.object({ login: z.string().regex(/^[\w-]{1,100}$/) }),
});
const Sha = z.string().trim().regex(/^[0-9a-f]{40}$/);
const Comparison = z.object({ status: z.string() });
const Heads = z.array(z.object({ name: z.string() }));

function bounded(response: Response): Response {
  let size = 0;
  const body = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length;
        if (size > MAX_API_BYTES) {
          throw new Error(`The response is larger than ${MAX_API_BYTES} bytes`);
        }
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(body ?? null, { status: response.status, headers: response.headers });
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** A client of the API at `deps.apiUrl`. */
export function createCodeHost(deps: CodeHostDeps): CodeHost {
  const guardedFetch = createGuardedFetch(deps);
  const octokit = new Octokit({
    baseUrl: deps.apiUrl,
    ...(deps.token === null ? {} : { auth: deps.token }),
    userAgent: "berth",
    log: SILENT,
    request: {
      fetch: async (url: string, init?: RequestInit) => bounded(await guardedFetch(url, init)),
    },
  });
  return { octokit, guardedFetch, now: deps.now };
}

function within(signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(API_TIMEOUT_MS);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

/** Answers `data` of one GET; statuses in `expected` give null, other failures are thrown. */
async function get<T>(
  host: CodeHost,
  route: string,
  parameters: Record<string, unknown>,
  schema: z.ZodType<T>,
  options: { expected: number[]; signal: AbortSignal | undefined; accept?: string },
): Promise<T | null> {
  let data: unknown;
  try {
    const response = await host.octokit.request(`GET ${route}`, {
      ...parameters,
      headers: { accept: options.accept ?? "application/vnd.github+json" },
      request: { signal: within(options.signal) },
    });
    data = response.data;
  } catch (error) {
    options.signal?.throwIfAborted();
    const failure = httpFailureOf(error);
    if (
      failure !== null && options.expected.includes(failure.status) &&
      limitedFor(failure, host.now()) === null
    ) return null;
    throw codeHostFailure(error, host.now());
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw codeHostUnavailable("The code host returned an unexpected API response", {
    cause: parsed.error,
  });
}

/**
 * The public repository at `address`, with the code host's own spelling of its names.
 *
 * @throws {AppError} `repository_refused` when it is missing, private or blocked.
 */
export async function getRepository(
  host: CodeHost,
  address: RepositoryAddress,
  signal?: AbortSignal,
): Promise<PublicRepository> {
  const { owner, name } = address;
  const answer = await get(host, "/repos/{owner}/{repo}", { owner, repo: name }, RepositoryAnswer, {
    expected: [403, 404, 410, 451],
    signal,
  });
  // "internal" repositories are readable to one organisation only.
  const isPublic = answer !== null && !answer.private &&
    (answer.visibility ?? "public") === "public";
  if (!isPublic) throw repositoryMissing(owner, name);
  return { owner: answer.owner.login, name: answer.name, defaultBranch: answer.default_branch };
}

/** The commit that `ref` names, or null when there is no such ref. */
export async function findCommit(
  host: CodeHost,
  repository: PublicRepository,
  ref: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const parameters = { owner: repository.owner, repo: repository.name, ref };
  return await get(host, "/repos/{owner}/{repo}/commits/{ref}", parameters, Sha, {
    expected: [404, 409, 422],
    signal,
    accept: "application/vnd.github.sha",
  });
}

/**
 * Whether `commit` belongs to the repository itself: code hosts also serve commits of its forks
 * under its name, which anyone can write.
 */
export async function isOwnCommit(
  host: CodeHost,
  repository: PublicRepository,
  commit: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const parameters = { owner: repository.owner, repo: repository.name };
  const comparison = await get(
    host,
    "/repos/{owner}/{repo}/compare/{basehead}",
    { ...parameters, basehead: `${repository.defaultBranch}...${commit}`, per_page: 1 },
    Comparison,
    { expected: [404, 422], signal },
  );
  if (comparison?.status === "behind" || comparison?.status === "identical") return true;
  const heads = await get(
    host,
    "/repos/{owner}/{repo}/commits/{commit_sha}/branches-where-head",
    { ...parameters, commit_sha: commit },
    Heads,
    { expected: [404, 422], signal },
  );
  return heads !== null && heads.length > 0;
}
