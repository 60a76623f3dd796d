/**
 * Fetches the document behind a client id that is an address. Any stranger can name any address, so
 * the request goes out through the egress checks: to public addresses only, one hop, bounded.
 *
 * @module
 */
import { dial, type DialDeps } from "../../egress/dial.ts";
import { exchange } from "../../egress/exchange.ts";
import { checkHost } from "../../egress/policy.ts";
import { prepareRequest } from "../../egress/request_check.ts";
import type { EgressOutcome } from "../../egress/types.ts";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 16 * 1024;
const MAX_CACHE_SECONDS = 86_400;
const DEFAULT_CACHE_SECONDS = 300;

/** A document, or why there is none. The text is shown to whoever asked. */
export type FetchedDocument =
  | { kind: "fetched"; document: unknown; cacheSeconds: number }
  | { kind: "failed"; fault: string };

/** Fetches the JSON document at an https address. Never rejects. */
export type FetchClientDocument = (url: string) => Promise<FetchedDocument>;

function failed(fault: string): FetchedDocument {
  return { kind: "failed", fault };
}

function headerOf(headers: readonly [string, string][], name: string): string | null {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? null;
}

/** How long an answer may be kept: what it says, within bounds. */
function cacheSecondsOf(headers: readonly [string, string][]): number {
  const control = headerOf(headers, "cache-control") ?? "";
  if (/(^|,)\s*no-(store|cache)\b/i.test(control)) return 0;
  const age = /(?:^|,)\s*max-age\s*=\s*(\d{1,9})/i.exec(control);
  return age === null ? DEFAULT_CACHE_SECONDS : Math.min(Number(age[1]), MAX_CACHE_SECONDS);
}

async function request(deps: DialDeps, url: string): Promise<EgressOutcome> {
  const prepared = prepareRequest({
    method: "GET",
    url,
    headers: [["accept", "application/json"], ["user-agent", "Berth"]],
    body: null,
    connectTimeoutMs: TIMEOUT_MS,
    readTimeoutMs: TIMEOUT_MS,
    verify: true,
  });
  if (prepared.kind === "error") return prepared;
  const refusal = checkHost(deps.policy, prepared.host, prepared.port);
  if (refusal !== null) return { kind: "error", error: "refused", message: refusal };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const dialled = await dial(deps, prepared, { timeoutMs: TIMEOUT_MS, verify: true, signal });
  if (dialled.kind === "error") return dialled;
  let held = 0;
  return await exchange(prepared, dialled.socket, {
    readTimeoutMs: TIMEOUT_MS,
    signal,
    hold(bytes) {
      held += bytes;
      return held > MAX_BYTES ? `The document is larger than ${MAX_BYTES} bytes` : null;
    },
  });
}

/** Makes the fetcher; `deps.policy` says which inner addresses are allowed, if any. */
export function createDocumentFetch(deps: DialDeps): FetchClientDocument {
  return async (url) => {
    const outcome = await request(deps, url);
    if (outcome.kind === "error") {
      // Which inner hosts and ports answer is not a stranger's business.
      return failed("The client's metadata document could not be fetched");
    }
    if (outcome.status !== 200) {
      return failed(`The client's metadata document returned status ${outcome.status}`);
    }
    const type = headerOf(outcome.headers, "content-type") ?? "";
    if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
      return failed("The client's metadata document does not have a JSON content type");
    }
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(outcome.body);
      return {
        kind: "fetched",
        document: JSON.parse(text),
        cacheSeconds: cacheSecondsOf(outcome.headers),
      };
    } catch {
      return failed("The client's metadata document is not valid JSON");
    }
  };
}
