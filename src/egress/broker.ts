/**
 * The egress broker: the only way from a sandbox to the network. It runs in the main process and
 * believes nothing of what a sandbox asks.
 *
 * @module
 */
import type { Logger } from "../log.ts";
import { createRecord, type RefusedRequest } from "./record.ts";
import { dial, type DialDeps } from "./dial.ts";
import { exchange } from "./exchange.ts";
import {
  CONNECT_TIMEOUT_MS,
  countSessionUse,
  NODE_HELD_MAX_BYTES,
  READ_TIMEOUT_MS,
  type SessionUse,
  TOTAL_TIMEOUT_MS,
} from "./session_limits.ts";
import { type SealedSecrets, sealSecrets } from "./secrets.ts";
import { boundedResolvers } from "./names.ts";
import { checkHost } from "./policy.ts";
import { type PreparedRequest, prepareRequest } from "./request_check.ts";
import type {
  CurrentValue,
  EgressFailure,
  EgressOutcome,
  EgressRequest,
  SealedSecret,
  SecretAttempt,
} from "./types.ts";

export interface EgressDeps extends DialDeps {
  log: Logger;
  /** Milliseconds of a clock, for the limits a minute. */
  now: () => number;
  /** Milliseconds for one request from start to end; the limit's own by default. */
  totalTimeoutMs?: number;
  /** Bytes of answers that all sessions may hold together; the limit's own by default. */
  heldMaxBytes?: number;
  /** Told of each request that the policy or a limit refused. */
  onRefused?: (refused: RefusedRequest) => void;
  /** Told of each attempt to learn a secret. */
  onAttempt?: (attempt: SecretAttempt & { server: string; target: string }) => void;
}

/** How a session's channel is opened. */
export interface ChannelOptions {
  /** Takes the session's secrets out of text that leaves the session. */
  mask?: (text: string) => string;
  /** What the code uses without having it. */
  secrets?: readonly SealedSecret[];
  /** Looks up the value of a secret that changes. */
  current?: ((name: string) => Promise<CurrentValue>) | undefined;
}

/** The requests of one session. Never rejects: every failure is an outcome. */
export type EgressChannel = (request: EgressRequest, signal: AbortSignal) => Promise<EgressOutcome>;

/** Gives each session its own channel, with its own limits. */
export interface EgressBroker {
  /** A channel for one session of the server `server`; the name is for log and audit. */
  open(server: string, options?: ChannelOptions): EgressChannel;
}

export function createEgressBroker(deps: EgressDeps): EgressBroker {
  const node = { held: 0 };
  const resolverForSession = boundedResolvers(deps.resolve);
  const record = createRecord(deps);
  return {
    open(server, { mask = (text: string) => text, secrets = [], current }: ChannelOptions = {}) {
      const use = countSessionUse(deps.now);
      const resolve = resolverForSession();
      const sealed = sealSecrets(secrets, deps.policy, current);
      return async (request, signal) => {
        const refusal = use.start();
        if (refusal !== null) {
          record.failed(server, null, fail("limit", refusal));
          return fail("limit", refusal);
        }
        try {
          const prepared = prepareRequest(request);
          const filled = await fill(sealed, prepared, request);
          const tell = (attempts: readonly SecretAttempt[]) => {
            if (prepared.kind === "error") return;
            const target = mask(`${prepared.host}:${prepared.port}`);
            for (const attempt of attempts) record.attempt(server, target, attempt);
          };
          if (filled.kind === "prepared") tell(filled.attempts);
          const outcome = filled.kind === "error" ? filled : await send({ ...deps, resolve }, {
            node,
            use,
            request,
            prepared: filled,
            tell,
            sealed,
            signal,
          });
          if (outcome.kind === "error") {
            // Paths and queries of users' requests are nobody else's business.
            const target = prepared.kind === "error" ? null : `${prepared.host}:${prepared.port}`;
            record.failed(server, target === null ? null : mask(target), {
              ...outcome,
              message: mask(outcome.message),
            });
          }
          return outcome;
        } catch (error) {
          deps.log.error("egress.failed", { server, error });
          return fail("protocol", "The request failed because of an error in Berth");
        } finally {
          use.end();
        }
      };
    },
  };
}

function fail(error: EgressFailure["error"], message: string): EgressFailure {
  return { kind: "error", error, message };
}

/** The request with the secrets that may go where it goes. */
async function fill(
  sealed: SealedSecrets | null,
  prepared: PreparedRequest | EgressFailure,
  { verify }: EgressRequest,
): Promise<PreparedRequest & { attempts: readonly SecretAttempt[] } | EgressFailure> {
  if (prepared.kind === "error") return prepared;
  if (sealed === null) return { ...prepared, attempts: [] };
  const failure = await sealed.renew(prepared, verify);
  if (failure !== null) return failure;
  const filled = await sealed.fill(prepared, verify);
  return "kind" in filled ? filled : { ...filled.request, attempts: filled.attempts };
}

interface Sending {
  node: { held: number };
  use: SessionUse;
  request: EgressRequest;
  prepared: PreparedRequest;
  sealed: SealedSecrets | null;
  tell: (attempts: readonly SecretAttempt[]) => void;
  signal: AbortSignal;
}

/** Sends a request whose body counts against the node's room for as long as it is here. */
async function send(deps: EgressDeps, sending: Sending): Promise<EgressOutcome> {
  const { node, prepared } = sending;
  const refusal = checkHost(deps.policy, prepared.host, prepared.port);
  if (refusal !== null) return fail("refused", refusal);
  const bytes = prepared.body?.byteLength ?? 0;
  if (node.held + bytes > roomOf(deps)) {
    return fail("limit", "Too many large requests at once. Try again in a moment");
  }
  node.held += bytes;
  try {
    return await perform(deps, sending);
  } finally {
    node.held -= bytes;
  }
}

function roomOf({ heldMaxBytes = NODE_HELD_MAX_BYTES }: EgressDeps): number {
  return heldMaxBytes;
}

async function perform(
  deps: EgressDeps,
  { node, use, request, prepared, sealed, tell, signal: cancelled }: Sending,
): Promise<EgressOutcome> {
  const totalMs = deps.totalTimeoutMs ?? TOTAL_TIMEOUT_MS;
  const total = AbortSignal.timeout(totalMs);
  const signal = AbortSignal.any([total, cancelled]);
  const dialled = await dial(deps, prepared, {
    timeoutMs: within(request.connectTimeoutMs, CONNECT_TIMEOUT_MS),
    verify: request.verify,
    signal,
  });
  if (dialled.kind === "error") return dialled;
  use.move(prepared.body?.byteLength ?? 0);
  let held = 0;
  function release() {
    node.held -= held;
    held = 0;
  }
  try {
    const outcome = await exchange(prepared, dialled.socket, {
      readTimeoutMs: within(request.readTimeoutMs, READ_TIMEOUT_MS),
      signal,
      hold(bytes) {
        if (node.held + bytes > roomOf(deps)) {
          return "Too many large responses at once. Try again in a moment";
        }
        node.held += bytes;
        held += bytes;
        return null;
      },
      count: use.move,
    });
    // The body stays here until a host has read it, which a hostile one does not.
    if (outcome.kind === "response") {
      const held = { ...outcome, release };
      if (sealed === null) return held;
      const cleaned = await sealed.clean(prepared, held);
      // Searching is work of this process, and grows with both.
      use.move(cleaned.searched);
      tell(cleaned.reflected.map((name) => ({ name, way: "reflected" })));
      return cleaned.outcome;
    }
    release();
    return total.aborted
      ? fail("read_timeout", `The request took longer than the limit of ${totalMs / 1000} s`)
      : outcome;
  } catch (error) {
    release();
    throw error;
  }
}

/** `wanted` milliseconds where it is a positive number below `most`, else `most`. */
function within(wanted: number | null, most: number): number {
  return wanted !== null && wanted > 0 && wanted < most ? Math.ceil(wanted) : most;
}
