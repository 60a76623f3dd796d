/**
 * Hands a request to the node that has its session, and its answer back as it comes.
 *
 * @module
 */
import { sentOnce } from "../../bytes.ts";
import type { Logger } from "../../log.ts";
import type { Client } from "../admission/clients.ts";
import type { Clock } from "../clock.ts";
import { ownerDidNotAnswer } from "../failures.ts";
import { KEEP_ALIVE_MS } from "../limits.ts";
import type { NodeKeys } from "./keys.ts";
import type { Membership } from "./membership.ts";
import { digestOf, issue, NODE_HEADER, NODE_PATH, passedHeaders } from "./passport.ts";
import type { Reach } from "./reach.ts";
import type { Owner } from "./types.ts";

/** A request whose caller is known. */
export interface Checked {
  request: Request;
  requestId: string;
  client: Pick<Client, "userId" | "isAdmin">;
  /** Address of the client. */
  address: string;
  /** Null where the method has none. */
  body: Uint8Array | null;
}

/** The answer of `owner`; null: it does not have the session, or has not got the request. */
export type Forward = (checked: Checked, owner: Owner) => Promise<Response | null>;

export interface ForwardDeps {
  membership: Pick<Membership, "id" | "peer">;
  keys: NodeKeys;
  reach: Reach;
  clock: Clock;
  log: Logger;
  newId: () => string;
  fetch: typeof fetch;
}

const MISDIRECTED = 421;
/** How often is looked whether a node is still there that has not answered yet. */
const LOOK_MS = 3000;
/** Streams of a node are never silent for so long. */
const SILENCE_MS = 3 * KEEP_ALIVE_MS;
const KEPT = [
  "allow",
  "cache-control",
  "content-length",
  "content-type",
  "mcp-session-id",
  "retry-after",
  "www-authenticate",
  "x-accel-buffering",
];

/** `body`, which fails where nothing comes for too long; reading it no more ends it there too. */
function watched(body: ReadableStream<Uint8Array>, clock: Clock): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const silent = Promise.withResolvers<never>();
      const cancel = clock.after(SILENCE_MS, () => silent.reject(new Error("The node is silent")));
      try {
        const { done, value } = await Promise.race([reader.read(), silent.promise]);
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        reader.cancel(error).catch(() => {});
      } finally {
        cancel();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

/** Calls `onGone` once when the owner cannot be reached twice, or is lost. @returns What ends that. */
function watchOwner(
  { membership, reach, clock }: ForwardDeps,
  { id, url }: Owner,
  onGone: () => void,
): () => void {
  let failures = 0;
  let isOver = false;
  async function look() {
    const peer = await membership.peer(id).catch(() => undefined);
    failures = await reach.check(url) ? 0 : failures + 1;
    if (isOver) return;
    if (peer === null || failures > 1) onGone();
    else cancel = clock.after(LOOK_MS, look);
  }
  let cancel = clock.after(LOOK_MS, look);
  return () => {
    isOver = true;
    cancel();
  };
}

async function signedHeaders(
  { membership, keys, newId }: ForwardDeps,
  { request, requestId, client, address, body }: Checked,
  { owner, target }: { owner: Owner; target: string },
): Promise<Headers | null> {
  const from = membership.id;
  if (from === null) return null;
  const headers = new Headers(request.headers);
  headers.set("x-request-id", requestId);
  // As the method of fetch() would add one.
  if (!headers.has("accept")) headers.set("accept", "*/*");
  const passed = passedHeaders(headers);
  const passport = await issue(keys, {
    from,
    to: owner.id,
    beat: owner.beat,
    nonce: newId(),
    method: request.method,
    target,
    headers: await digestOf(JSON.stringify(passed)),
    body: await digestOf(body ?? ""),
    userId: client.userId,
    isAdmin: client.isAdmin,
    address,
  });
  return new Headers([...passed, [NODE_HEADER, passport]]);
}

/** Whether nothing has been sent, as Deno says it. */
function isUnsent(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Error &&
    error.cause.message.includes("client error (Connect)");
}

/** The response of `owner`; null when it has not got the request. */
async function send(
  deps: ForwardDeps,
  { request, body }: Checked,
  { owner, target, headers }: { owner: Owner; target: string; headers: Headers },
): Promise<Response | null> {
  const gone = new AbortController();
  const stop = watchOwner(deps, owner, () => gone.abort(new Error("The node is gone")));
  try {
    return await deps.fetch(`${owner.url}${target}`, {
      method: request.method,
      headers,
      body: body && sentOnce(body),
      signal: AbortSignal.any([request.signal, gone.signal]),
      redirect: "manual",
    });
  } catch (error) {
    if (isUnsent(error)) return null;
    // It may have got there, and must not be run twice.
    if (!request.signal.aborted) {
      const reason = error instanceof Error ? String(error.cause ?? error) : String(error);
      deps.log.warn("node.did_not_answer", { node: owner.id, url: owner.url, reason });
    }
    throw ownerDidNotAnswer();
  } finally {
    stop();
  }
}

/** Hands requests on by HTTP, to the address that their owner has in the table of nodes. */
export function createForward(deps: ForwardDeps): Forward {
  const { reach, clock, log } = deps;
  return async (checked, owner) => {
    const target = `${NODE_PATH}${new URL(checked.request.url).search}`;
    if (!await reach.check(owner.url)) return null;
    const headers = await signedHeaders(deps, checked, { owner, target });
    if (headers === null) return null;
    const response = await send(deps, checked, { owner, target, headers });
    if (response === null) return null;
    const isOwners = response.headers.get(NODE_HEADER) === owner.id;
    if (!isOwners || response.status === MISDIRECTED) {
      await response.body?.cancel();
      if (isOwners) return null;
      log.warn("node.refused", { node: owner.id, url: owner.url, status: response.status });
      return null;
    }
    reach.note(owner.url);
    const kept = new Headers();
    for (const name of KEPT) {
      const value = response.headers.get(name);
      if (value !== null) kept.set(name, value);
    }
    const body = response.body && watched(response.body, clock);
    return new Response(body, { status: response.status, headers: kept });
  };
}
