/**
 * Requests with deadlines, whose failures say what cannot be reached.
 *
 * @module
 */
import { sentOnce } from "../../bytes.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT } from "../failure.ts";

const TIMEOUT_MS = 30_000;
const LARGEST_JSON = 32 * 1024 * 1024;

export interface SendOptions extends RequestInit {
  /** Milliseconds until the headers of the answer must be there. */
  timeoutMs?: number;
  /** What is called, in messages: "the registry", "the issuer". */
  what: string;
}

/** Sends a request once. @throws {CliError} "unreachable" when no answer comes. */
export async function send(
  context: Pick<CliContext, "fetch">,
  url: string,
  { timeoutMs = TIMEOUT_MS, what, body: given, ...init }: SendOptions,
): Promise<Response> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, deadline.signal]) : deadline.signal;
  try {
    const body = typeof given === "string" ? sentOnce(given) : given ?? null;
    return await context.fetch(url, { redirect: "error", ...init, body, signal });
  } catch (cause) {
    init.signal?.throwIfAborted();
    const { origin } = new URL(url);
    const reason = deadline.signal.aborted ? "did not respond" : "cannot be reached";
    throw new CliError(EXIT.unreachable, `${what} at ${origin} ${reason}`, {
      hint:
        "Run berth doctor to find the cause, or choose another registry with --registry or BERTH_REGISTRY",
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** The body as JSON, null when it is none; bounded. */
export async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > LARGEST_JSON) return null;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(await new Blob(chunks).text());
  } catch {
    return null;
  }
}
