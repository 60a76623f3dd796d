/**
 * An advisory service on loopback that speaks the part of the OSV API that Berth uses. Used by
 * tests and by the demonstration.
 *
 * @module
 */
import type { Ecosystem } from "../../workers/analysis/advisories/ecosystem.ts";
import { affectedOf, affects } from "../../workers/analysis/advisories/affected.ts";
import { readOsvFiles } from "../../src/scan/advisories/osv_files.ts";
import { OsvRecord } from "../../workers/analysis/advisories/osv_schema.ts";

/** How the service misbehaves. */
export type AdvisoryFailure = "down" | "web_page" | "hang" | "endless_pages" | "wrong_count";

/** The running service. */
export interface AdvisoryServer {
  /** Its address (`OSV_API_URL`), without a trailing slash. */
  url: string;
  /** Method and path of each request. */
  requests: string[];
  /** Misbehaves from now on; null ends it. */
  fail(failure: AdvisoryFailure | null): void;
  close(): Promise<void>;
}

interface Query {
  package: { ecosystem: Ecosystem; name: string };
  version?: string;
  page_token?: string;
}

/** The records of a `.jsonl`, `.jsonl.gz`, `.zip` or folder. */
export async function readAdvisories(path: string): Promise<OsvRecord[]> {
  const records: OsvRecord[] = [];
  for await (const raw of readOsvFiles(path)) records.push(OsvRecord.parse(raw));
  return records;
}

function answer(records: readonly OsvRecord[], query: Query, pageSize: number) {
  const { package: { ecosystem, name }, version } = query;
  const matching = records.filter((record) =>
    version === undefined
      ? affectedOf(record, ecosystem, name).length > 0
      : affects(record, ecosystem, name, version)
  );
  const from = Number(query.page_token ?? 0);
  const vulns = matching.slice(from, from + pageSize)
    .map(({ id }) => ({ id, modified: "2026-01-01T00:00:00Z" }));
  const more = from + pageSize < matching.length;
  return {
    ...(vulns.length === 0 ? {} : { vulns }),
    ...(more ? { next_page_token: String(from + pageSize) } : {}),
  };
}

/** Starts a service that knows `records`. */
export function startAdvisoryService(
  records: readonly OsvRecord[],
  options: { pageSize?: number; port?: number } = {},
): AdvisoryServer {
  const { pageSize = 1_000, port = 0 } = options;
  const byId = new Map(records.map((record) => [record.id, record]));
  const requests: string[] = [];
  const hanging = Promise.withResolvers<void>();
  let failure: AdvisoryFailure | null = null;
  const server = Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    requests.push(`${request.method} ${pathname}`);
    if (failure === "hang") await hanging.promise;
    if (failure === "down") {
      return Response.json({ code: 13, message: "internal" }, { status: 500 });
    }
    if (failure === "web_page") return new Response("<!doctype html><title>Sign in</title>");
    // Whole records of one package, as pip-audit asks for them.
    if (pathname === "/v1/query" && request.method === "POST") {
      const { vulns = [], ...page } = answer(records, await request.json() as Query, pageSize);
      return Response.json({ vulns: vulns.map(({ id }) => byId.get(id)), ...page });
    }
    if (pathname === "/v1/querybatch" && request.method === "POST") {
      const { queries } = await request.json() as { queries: Query[] };
      if (queries.some(({ package: { name } }) => name.includes("?"))) {
        return Response.json({ code: 3, message: "Invalid query." }, { status: 400 });
      }
      if (failure === "wrong_count") return Response.json({ results: [] });
      const results = queries.map((query) => answer(records, query, pageSize));
      if (failure === "endless_pages") {
        return Response.json({ results: results.map(() => ({ next_page_token: "again" })) });
      }
      return Response.json({ results });
    }
    const id = /^\/v1\/vulns\/([^/]+)$/.exec(pathname)?.[1];
    const record = id === undefined ? undefined : byId.get(decodeURIComponent(id));
    if (record !== undefined) return Response.json(record);
    return Response.json({ code: 5, message: "Bug not found." }, { status: 404 });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    fail: (mode) => void (failure = mode),
    close() {
      hanging.resolve();
      return server.shutdown();
    },
  };
}
