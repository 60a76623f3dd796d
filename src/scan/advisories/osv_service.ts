/**
 * Advisories from a service that speaks the OSV API (https://google.github.io/osv.dev/api/).
 *
 * @module
 */
import { z } from "zod";
import { readJson } from "../read_json.ts";
import {
  type Advisories,
  AdvisoriesUnavailable,
  type PackageQuery,
  QueryRefused,
} from "./advisories.ts";
import { createLruCache } from "./lru.ts";
import { eachAtOnce } from "../../at_once.ts";
import { OsvRecord, QueryBatchAnswer } from "../../../workers/analysis/advisories/osv_schema.ts";

export interface OsvServiceDeps {
  /** `OSV_API_URL`, without `/v1` and without a trailing slash. */
  url: string;
  fetch: typeof fetch;
  /** Milliseconds of a clock that never goes back. */
  now?: (() => number) | undefined;
}

/** Queries of one request; the service accepts 1,000. */
const BATCH = 500;
/** Pages of one batch, against a service that never ends. */
const MAX_PAGES = 50;
/** Advisories fetched at once. */
const CONCURRENCY = 8;
/** Advisories of one scan. A repository that has more has asked for them. */
const MAX_RECORDS = 2_000;
const REQUEST_TIMEOUT_MS = 20_000;
const MAX_ANSWER_BYTES = 32 * 2 ** 20;
const CACHED_RECORDS = 20_000;
const CACHE_MS = 60 * 60 * 1000;

interface OpenQuery {
  query: PackageQuery;
  /** Its place among the batch's packages. */
  at: number;
  token: string | undefined;
}

type PageAnswer = z.infer<typeof QueryBatchAnswer>["results"][number];

/** A client of the OSV API with a cache of records. */
export class OsvService implements Advisories {
  readonly engine = "osv-api v1";
  readonly #deps: OsvServiceDeps;
  readonly #cache;

  constructor(deps: OsvServiceDeps) {
    this.#deps = deps;
    this.#cache = createLruCache<OsvRecord>({
      capacity: CACHED_RECORDS,
      maxAgeMs: CACHE_MS,
      now: deps.now,
    });
  }

  /** The parsed answer, or null when the service does not know what is asked (400, 404). */
  async #ask<T>(
    path: string,
    init: RequestInit,
    schema: z.ZodType<T>,
    signal: AbortSignal,
  ): Promise<T | null> {
    try {
      const response = await this.#deps.fetch(`${this.#deps.url}${path}`, {
        ...init,
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      });
      if (response.ok) return schema.parse(await readJson(response, MAX_ANSWER_BYTES));
      await response.body?.cancel();
      if (response.status === 400 || response.status === 404) return null;
      throw new Error(`The advisory service returned status ${response.status}`);
    } catch (error) {
      signal.throwIfAborted();
      const problem = error instanceof z.ZodError || error instanceof SyntaxError
        ? "returned an unexpected response"
        : "could not be reached, or failed";
      throw new AdvisoriesUnavailable(`The advisory service ${problem}`, { cause: error });
    }
  }

  /** One page of each open query; halves what the service refuses until it has the one. */
  async #askPage(open: readonly OpenQuery[], signal: AbortSignal): Promise<PageAnswer[]> {
    const queries = open.map(({ query: { ecosystem, name, version }, token }) => ({
      package: { ecosystem, name },
      ...(version === null ? {} : { version }),
      ...(token === undefined ? {} : { page_token: token }),
    }));
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify({ queries }) };
    const answer = await this.#ask("/v1/querybatch", init, QueryBatchAnswer, signal);
    if (answer === null && open.length > 1) {
      const middle = open.length >> 1;
      const first = await this.#askPage(open.slice(0, middle), signal);
      return [...first, ...await this.#askPage(open.slice(middle), signal)];
    }
    if (answer === null) {
      const { name, version } = open[0]!.query;
      const shown = JSON.stringify(`${name} ${version ?? ""}`.trim().slice(0, 100));
      throw new QueryRefused("not_analysable", `The advisory service does not support ${shown}`);
    }
    if (answer.results.length !== open.length) {
      throw new AdvisoriesUnavailable("The advisory service returned the wrong results");
    }
    return answer.results;
  }

  async #queryBatch(
    packages: readonly PackageQuery[],
    signal: AbortSignal,
  ): Promise<Set<string>[]> {
    const ids = packages.map(() => new Set<string>());
    let open: OpenQuery[] = packages.map((query, at) => ({ query, at, token: undefined }));
    for (let page = 0; open.length > 0; page++) {
      if (page === MAX_PAGES) {
        throw new AdvisoriesUnavailable("The advisory service's response is too long");
      }
      const results = await this.#askPage(open, signal);
      open = open.flatMap(({ query, at }, i) => {
        const { vulns, next_page_token } = results[i]!;
        for (const { id } of vulns ?? []) ids[at]!.add(id);
        return next_page_token ? [{ query, at, token: next_page_token }] : [];
      });
    }
    return ids;
  }

  async byIds(
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, OsvRecord>> {
    const records = new Map<string, OsvRecord>();
    const unique = [...new Set(ids)];
    if (unique.length > MAX_RECORDS) {
      throw new QueryRefused("limit", `The packages have more than ${MAX_RECORDS} advisories`);
    }
    await eachAtOnce(unique, CONCURRENCY, async (id) => {
      const known = this.#cache.get(id);
      const record = known ??
        await this.#ask(`/v1/vulns/${encodeURIComponent(id)}`, {}, OsvRecord, signal);
      if (record === null) return;
      if (record !== known) this.#cache.set(id, record);
      records.set(id, record);
    });
    return records;
  }

  async query(packages: readonly PackageQuery[], signal: AbortSignal): Promise<OsvRecord[][]> {
    const ids: Set<string>[] = [];
    for (let at = 0; at < packages.length; at += BATCH) {
      ids.push(...await this.#queryBatch(packages.slice(at, at + BATCH), signal));
    }
    const records = await this.byIds(ids.flatMap((set) => [...set]), signal);
    return ids.map((set) => [...set].sort().flatMap((id) => records.get(id) ?? []));
  }
}
