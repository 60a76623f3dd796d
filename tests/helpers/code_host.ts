/**
 * A code host on loopback that speaks the part of GitHub's REST API that Berth uses: repositories,
 * refs, commits, comparisons, and archives behind a redirect to a second address. Repositories are
 * maps of files. Used by tests and by the demonstration.
 *
 * @module
 */
import type { AddressHost, CodeHostSettings } from "../../src/code_host_settings.ts";
import {
  addCommit,
  apiAnswer,
  archiveAnswer,
  type CodeHostFailure,
  failureAnswer,
  type HostedRepository,
  notFound,
  type Repository,
  toRepository,
} from "./code_host_api.ts";
import type { SourceFiles } from "./code_host_archive.ts";

/** The code host of most tests, as addresses name it. */
export const GITHUB: AddressHost = { host: "github.com", kind: "github" };

/** The code host at `apiUrl` in place of {@link GITHUB}. */
export function githubAt(apiUrl: string, token: string | null = null): CodeHostSettings {
  return { ...GITHUB, apiUrl, token };
}

export type { CodeHostFailure, HostedRepository } from "./code_host_api.ts";
export { filesOfFolder, type SourceFiles } from "./code_host_archive.ts";

/** One request that the API got. */
export interface SeenRequest {
  path: string;
  authorization: string | null;
}

/** The running code host. */
export interface CodeHostServer {
  /** Address of its API (`GITHUB_API_URL`), without a trailing slash. */
  url: string;
  /** Requests of the API, then of the archive address, as they came. */
  requests: { api: SeenRequest[]; archives: SeenRequest[] };
  /** Serves `repository`, in place of one of the same name. */
  add(repository: HostedRepository): Promise<void>;
  /** Puts a new commit with `files` on a branch and answers its id. */
  push(repository: string, branch: string, files: SourceFiles): Promise<string>;
  /** Stops serving `owner/name`. */
  remove(repository: string): void;
  /** Misbehaves from now on; null ends it. */
  fail(failure: CodeHostFailure | null): void;
  close(): Promise<void>;
}

function serve(handler: (request: Request) => Promise<Response> | Response, port: number) {
  const options = {
    hostname: "127.0.0.1",
    port,
    onListen() {},
    onError: () => new Response(null, { status: 500 }),
  };
  const server = Deno.serve(options, handler);
  return { server, url: `http://127.0.0.1:${server.addr.port}` };
}

/**
 * Starts a code host on loopback.
 *
 * @param options.port Port of the API; a free one when absent.
 */
export async function startCodeHost(
  repositories: HostedRepository[] = [],
  options: { port?: number } = {},
): Promise<CodeHostServer> {
  const served = new Map<string, Repository>();
  const requests: CodeHostServer["requests"] = { api: [], archives: [] };
  const hanging = Promise.withResolvers<void>();
  let failure: CodeHostFailure | null = null;
  const find = (owner: string, name: string) => served.get(`${owner}/${name}`.toLowerCase());
  const add = async (hosted: HostedRepository) => {
    served.set(`${hosted.owner}/${hosted.name}`.toLowerCase(), await toRepository(hosted));
  };

  const archives = serve((request) => {
    const { pathname } = new URL(request.url);
    requests.archives.push({ path: pathname, authorization: request.headers.get("authorization") });
    const [owner = "", name = "", , id = ""] = pathname.slice(1).split("/");
    const repository = find(owner, name);
    return repository === undefined ? notFound() : archiveAnswer(repository, id, failure);
  }, 0);

  const api = serve(async (request) => {
    const { pathname } = new URL(request.url);
    const authorization = request.headers.get("authorization");
    requests.api.push({ path: pathname, authorization });
    if (failure === "hang") await hanging.promise;
    const failed = failureAnswer(failure);
    if (failed !== null) return failed;
    const [scope, owner = "", name = "", ...parts] = pathname.slice(1).split("/")
      .map(decodeURIComponent);
    const repository = scope === "repos" ? find(owner, name) : undefined;
    if (repository === undefined || (repository.private && authorization === null)) {
      return notFound();
    }
    return apiAnswer(repository, parts, parts.slice(1).join("/"), {
      accept: request.headers.get("accept") ?? "",
      archives: archives.url,
    });
  }, options.port ?? 0);

  for (const repository of repositories) await add(repository);
  return {
    url: api.url,
    requests,
    add,
    async push(path, branch, files) {
      const repository = served.get(path.toLowerCase());
      if (repository === undefined) throw new Error(`No repository "${path}"`);
      const commits = repository.branches.get(branch) ?? [];
      commits.push(await addCommit(repository, files, commits.at(-1) ?? ""));
      repository.branches.set(branch, commits);
      return commits.at(-1)!;
    },
    remove: (path) => void served.delete(path.toLowerCase()),
    fail: (mode) => void (failure = mode),
    async close() {
      hanging.resolve();
      await Promise.all([api.server.shutdown(), archives.server.shutdown()]);
    },
  };
}
