/**
 * What code hosts on loopback have in common, whatever API they speak: repositories, a second address
 * for archives, and answers that a test puts in place of theirs.
 *
 * @module
 */
import type { CodeHostKind, CodeHostSettings } from "../../../src/code_host_settings.ts";
import {
  addCommit,
  archiveAnswer,
  type HostedRepository,
  notFound,
  type Repository,
  toRepository,
} from "../code_host_api.ts";
import type { SeenRequest } from "../code_host.ts";
import type { SourceFiles } from "../code_host_archive.ts";

/** A served repository, with what some hosts know of it. */
export interface ServedRepository extends Repository {
  id: number;
}

/** What an API is asked, with what it answers from. */
export interface ApiRequest {
  method: string;
  /** The body, which is JSON. */
  json(): Promise<unknown>;
  /** Below the API's own path, escapes kept. */
  path: string;
  query: URLSearchParams;
  token: string | null;
  /** The header. */
  accept: string;
  /** By number, or by its path in lower case. */
  find(name: string | number): ServedRepository | undefined;
  /** The archive of a commit, from here or by a redirect to the second address. */
  archive(repository: ServedRepository, id: string): Promise<Response>;
}

/** A running code host. */
export interface LoopbackHost {
  settings: CodeHostSettings;
  requests: { api: SeenRequest[]; archives: SeenRequest[] };
  add(repository: HostedRepository): Promise<ServedRepository>;
  /** Puts a new commit with `files` on a branch and answers its id. */
  push(repository: ServedRepository, branch: string, files: SourceFiles): Promise<string>;
  /** Answers in place of the API, where it gives something; null ends it. */
  intercept(answer: ((path: string) => Response | null) | null): void;
  close(): Promise<void>;
}

/** How a kind of host answers. */
export interface Api {
  kind: CodeHostKind;
  /** Of its API: `/api/v4`. */
  base: string;
  answer(request: ApiRequest): Promise<Response> | Response;
}

function serve(handler: (request: Request) => Promise<Response> | Response) {
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen() {},
    onError: () => new Response(null, { status: 500 }),
  }, handler);
  return { server, url: `http://127.0.0.1:${server.addr.port}` };
}

function seen(request: Request): SeenRequest {
  const { pathname, search } = new URL(request.url);
  return { path: pathname + search, authorization: request.headers.get("authorization") };
}

/** Starts a host that answers as `api` does. */
export async function startLoopbackHost(
  api: Api,
  host: string,
  repositories: HostedRepository[],
  options: { archivesElsewhere?: boolean } = {},
): Promise<LoopbackHost> {
  const served: ServedRepository[] = [];
  const requests: LoopbackHost["requests"] = { api: [], archives: [] };
  let answer: ((path: string) => Response | null) | null = null;
  const find = (name: string | number) =>
    served.find((one) =>
      typeof name === "number"
        ? one.id === name
        : `${one.owner}/${one.name}`.toLowerCase() === name.toLowerCase()
    );
  const add: LoopbackHost["add"] = async (hosted) => {
    const repository = { ...await toRepository(hosted), id: 41 + served.length };
    served.push(repository);
    return repository;
  };

  const archives = serve((request) => {
    requests.archives.push(seen(request));
    const [id = 0, commit = ""] = new URL(request.url).pathname.slice(1).split("/");
    const repository = find(Number(id));
    return repository === undefined ? notFound() : archiveAnswer(repository, commit, null);
  });

  const { server, url } = serve(async (request) => {
    const one = seen(request);
    requests.api.push(one);
    const replaced = answer?.(one.path);
    if (replaced) return replaced;
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.startsWith(`${api.base}/`)) return notFound();
    return await api.answer({
      method: request.method,
      json: () => request.json(),
      path: pathname.slice(api.base.length),
      query: searchParams,
      accept: request.headers.get("accept") ?? "",
      token: /^\S+ (.+)$/.exec(one.authorization ?? "")?.[1] ?? null,
      find,
      archive(repository, id) {
        if (options.archivesElsewhere !== true) return archiveAnswer(repository, id, null);
        const location = `${archives.url}/${repository.id}/${id}`;
        return Promise.resolve(new Response(null, { status: 302, headers: { location } }));
      },
    });
  });

  for (const repository of repositories) await add(repository);
  return {
    settings: { kind: api.kind, host, apiUrl: `${url}${api.base}`, token: null },
    requests,
    add,
    async push(repository, branch, files) {
      const commits = repository.branches.get(branch) ?? [];
      const id = await addCommit(repository, files, commits.at(-1) ?? "");
      repository.branches.set(branch, [...commits, id]);
      return id;
    },
    intercept(replacement) {
      answer = replacement;
    },
    async close() {
      await Promise.all([server.shutdown(), archives.server.shutdown()]);
    },
  };
}
