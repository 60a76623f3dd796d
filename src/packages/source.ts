/**
 * Requests to the package index and to Pyodide's distribution: bounded in time, bytes and number,
 * and only to where the operator's addresses may lead. What comes is not read here, only measured
 * and compared with its digest.
 *
 * @module
 */
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { concat, sha256Of } from "../bytes.ts";
import { checkTarget, HostRefused, Refused, type TargetDeps } from "./targets.ts";

/** Why something was not fetched; `isUnreached`: its host is one that is not asked. */
export interface Failure {
  bytes: null;
  url: string;
  problem: string;
  isUnreached?: boolean;
}
/** What was fetched, or why not. */
export type Fetched = { bytes: Uint8Array; url: string; problem: null } | Failure;

/** What requests need from outside. */
export interface SourceDeps extends TargetDeps {
  fetch: typeof fetch;
  /** Milliseconds of a request, for tests. */
  timeoutMs?: number;
  /** Requests of a resolution, for tests. */
  maxRequests?: number;
}

/** Where pages, metadata and wheels come from, within the bounds of one resolution. */
export interface Source {
  /** Address of the index without credentials; null where there is none. */
  readonly index: string | null;
  /** What the index says of a package. */
  page(name: string, signal: AbortSignal): Promise<Fetched>;
  /** A small file beside a wheel; `digest` empty: it has none. */
  metadata(url: string, digest: string, signal: AbortSignal): Promise<Fetched>;
  /** `isChosen`: a session gets it; others are only looked at while versions are searched. */
  wheel(url: string, digest: string, signal: AbortSignal, isChosen?: boolean): Promise<Fetched>;
}

const UNREACHABLE = "its source is not reachable";
const SLOW = "its source takes too long";
const UNREACHED: readonly string[] = [UNREACHABLE, SLOW];

const INDEX_UNREACHABLE = "the package index could not be reached";
const FAILED = "the index returned status";
const PASSING = [...UNREACHED, INDEX_UNREACHABLE, `${FAILED} 5`, `${FAILED} 429`];

/** Whether the problem may be gone when the same is asked again later. */
export function mayPass(fetched: Fetched): boolean {
  if (fetched.bytes !== null) return false;
  const { problem, isUnreached } = fetched;
  return isUnreached === true || PASSING.some((text) => problem.startsWith(text));
}

/** Whether another version of the same package would have the problem too. */
export function isOfHost(fetched: Fetched): boolean {
  if (fetched.bytes !== null) return false;
  return fetched.isUnreached === true || UNREACHED.includes(fetched.problem);
}

const TOO_MANY = "too many requests to the index";
const TOO_LARGE = "the packages are too large together";

/** Whether there is no room for anything more that a search would fetch. */
export function isSpent({ problem }: Fetched): boolean {
  return problem === TOO_MANY || problem === TOO_LARGE;
}

const MIB = 2 ** 20;
/** Largest answers, in bytes. */
const MAX_BYTES = { page: 24 * MIB, metadata: 2 * MIB, wheel: 64 * MIB };
/** Bytes of one resolution together. */
const MAX_TOTAL_BYTES = 400 * MIB;
const MAX_REQUESTS = 1_200;
/** What a search may use of both: the rest is for what it chooses. */
const OF_SEARCH = 0.75;
const TIMEOUT_MS = { page: 15_000, metadata: 15_000, wheel: 60_000 };
/** Milliseconds until an answer begins. */
const ANSWER_MS = 10_000;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const ACCEPT =
  "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1";

async function readBounded(
  stream: ReadableStream<Uint8Array>,
  max: number,
  count: (bytes: number) => void,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    count(chunk.length);
    if (size > max) throw new Refused(`it is larger than ${max / MIB} MiB`);
    chunks.push(chunk);
  }
  return concat(chunks);
}

class Sources implements Source {
  readonly #deps: SourceDeps;
  #requests = 0;
  #bytes = 0;
  /** Origins that did not answer, by the problem: they are not asked again in this resolution. */
  readonly #down = new Map<string, string>();

  /** By the origins where a request begins and leads to: why it does not go there. */
  readonly #refused = new Map<string, HostRefused>();

  constructor(deps: SourceDeps) {
    this.#deps = deps;
  }

  /** Refuses what was refused once without looking its host up again. */
  async #check(start: URL, target: URL): Promise<void> {
    const way = `${start.origin} ${target.origin}`;
    const refused = this.#refused.get(way);
    if (refused !== undefined) throw refused;
    try {
      await checkTarget(this.#deps, { start, target });
    } catch (error) {
      if (error instanceof HostRefused) this.#refused.set(way, error);
      throw error;
    }
  }

  async #open(start: URL, signal: AbortSignal): Promise<{ response: Response; url: URL }> {
    let url = start;
    for (let hop = 0;; hop++) {
      await this.#check(start, url);
      const response = await this.#deps.fetch(url, {
        headers: { accept: ACCEPT },
        redirect: "manual",
        signal,
      });
      const location = response.headers.get("location");
      if (!REDIRECTS.has(response.status) || location === null) return { response, url };
      await response.body?.cancel();
      if (hop === MAX_REDIRECTS || !URL.canParse(location, url)) {
        throw new Refused("it is redirected too often");
      }
      url = new URL(location, url);
    }
  }

  async #request(
    kind: keyof typeof MAX_BYTES,
    text: string,
    signal: AbortSignal,
    share = OF_SEARCH,
  ): Promise<Fetched> {
    const failed = (problem: string): Failure => ({ bytes: null, url: text, problem });
    const { maxRequests = MAX_REQUESTS } = this.#deps;
    if (this.#requests >= maxRequests * share) return failed(TOO_MANY);
    this.#requests++;
    const { origin } = new URL(text);
    const down = this.#down.get(origin);
    if (down !== undefined) return failed(down);
    const deadline = AbortSignal.timeout(this.#deps.timeoutMs ?? TIMEOUT_MS[kind]);
    const unanswered = new AbortController();
    const timer = setTimeout(() => unanswered.abort(), this.#deps.timeoutMs ?? ANSWER_MS);
    try {
      const all = AbortSignal.any([signal, deadline, unanswered.signal]);
      const { response, url } = await this.#open(new URL(text), all);
      clearTimeout(timer);
      if (response.status === 404 || response.status === 410) {
        await response.body?.cancel();
        return failed("the index does not have it");
      }
      if (!response.ok || response.body === null) {
        await response.body?.cancel();
        return failed(`${FAILED} ${response.status}`);
      }
      const bytes = await readBounded(response.body, MAX_BYTES[kind], (count) => {
        this.#bytes += count;
        if (this.#bytes > MAX_TOTAL_BYTES * share) throw new Refused(TOO_LARGE);
      });
      return { bytes, url: url.href, problem: null };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof HostRefused) return { ...failed(error.message), isUnreached: true };
      if (error instanceof Refused) return failed(error.message);
      const problem = deadline.aborted || unanswered.signal.aborted ? SLOW : UNREACHABLE;
      this.#down.set(origin, problem);
      return failed(problem);
    } finally {
      clearTimeout(timer);
    }
  }

  get index(): string | null {
    const { indexUrl } = this.#deps;
    if (indexUrl === null) return null;
    const { origin, pathname } = new URL(indexUrl);
    return `${origin}${pathname}`;
  }

  async page(name: string, signal: AbortSignal): Promise<Fetched> {
    const { indexUrl } = this.#deps;
    const url = `${indexUrl ?? ""}/${name}/`;
    if (indexUrl === null) return { bytes: null, url, problem: "there is no package index" };
    const fetched = await this.#request("page", url, signal);
    if (fetched.problem !== UNREACHABLE) return fetched;
    return { ...fetched, problem: INDEX_UNREACHABLE };
  }

  async metadata(url: string, digest: string, signal: AbortSignal): Promise<Fetched> {
    return await this.#checked(await this.#request("metadata", url, signal), digest);
  }

  async wheel(
    url: string,
    digest: string,
    signal: AbortSignal,
    isChosen = false,
  ): Promise<Fetched> {
    const base = this.#deps.distributionUrl;
    const fetched = base?.startsWith("file:") && url.startsWith(base)
      ? await this.#local(url)
      : await this.#request("wheel", url, signal, isChosen ? 1 : OF_SEARCH);
    const isOfDistribution = base !== null && url.startsWith(base);
    if (fetched.bytes === null && isOfDistribution) {
      return { ...fetched, problem: `${fetched.problem}: it is in Pyodide's distribution alone` };
    }
    return await this.#checked(fetched, digest);
  }

  /** A file of a folder of the operator's: by its name alone. */
  async #local(url: string): Promise<Fetched> {
    const path = fileURLToPath(this.#deps.distributionUrl!) + basename(new URL(url).pathname);
    try {
      const { size } = await Deno.stat(path);
      if (size > MAX_BYTES.wheel) throw new Refused("too large");
      return { bytes: await Deno.readFile(path), url, problem: null };
    } catch {
      return { bytes: null, url, problem: "the folder does not have it" };
    }
  }

  async #checked(fetched: Fetched, digest: string): Promise<Fetched> {
    if (fetched.bytes === null || digest === "") return fetched;
    if (await sha256Of(fetched.bytes) === digest) return fetched;
    return { bytes: null, url: fetched.url, problem: "its file has another digest than stated" };
  }
}

/** The sources of one resolution, which has bounds of its own. */
export function createSource(deps: SourceDeps): Source {
  return new Sources(deps);
}
