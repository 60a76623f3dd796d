/**
 * The egress broker: the only way from a sandbox to the network. It runs in the main process and
 * believes nothing of what a sandbox asks.
 *
 * @module
 */
import type { Logger } from "../../log.ts";
import { dial, type DialDeps } from "./dial.ts";
import { exchange } from "./exchange.ts";
import {
  CONNECT_TIMEOUT_MS,
  countSessionUse,
  NODE_HELD_MAX_BYTES,
  READ_TIMEOUT_MS,
  TOTAL_TIMEOUT_MS,
} from "./limits.ts";
import { boundedResolvers } from "./names.ts";
import { checkHost } from "./policy.ts";
import { type PreparedRequest, prepareRequest } from "./request_check.ts";
import type { EgressFailure, EgressOutcome, EgressRequest } from "./types.ts";

/** What the broker needs. */
export interface EgressDeps extends DialDeps {
  log: Logger;
  /** Milliseconds of a clock, for the limits a minute. */
  now: () => number;
  /** Milliseconds for one request from start to end; the limit's own by default. */
  totalTimeoutMs?: number;
  /** Told of each request that the policy refused. Not of its target, which is the sandbox's text. */
  onRefused?: (server: string) => void;
}

/** The requests of one session. Never rejects: every failure is an outcome. */
export type EgressChannel = (request: EgressRequest, signal: AbortSignal) => Promise<EgressOutcome>;

/** Gives each session its own channel, with its own limits. */
export interface EgressBroker {
  /** A channel for one session of the server `server`; the name is for the operator's log. */
  open(server: string): EgressChannel;
}

/** A broker over `deps`. */
export function createEgressBroker(deps: EgressDeps): EgressBroker {
  const node = { held: 0 };
  const resolverForSession = boundedResolvers(deps.resolve);
  return {
    open(server) {
      const use = countSessionUse(deps.now);
      const resolve = resolverForSession();
      return async (request, signal) => {
        const refusal = use.start();
        if (refusal !== null) return fail("limit", refusal);
        try {
          const prepared = prepareRequest(request);
          const outcome = prepared.kind === "error"
            ? prepared
            : await send({ ...deps, resolve }, node, request, prepared, signal);
          if (outcome.kind === "error") {
            record(deps.log, server, prepared, outcome);
            if (outcome.error === "refused") deps.onRefused?.(server);
          }
          return outcome;
        } catch (error) {
          deps.log.error("egress.failed", { server, error });
          return fail("protocol", "The request failed inside Berth");
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

async function send(
  deps: EgressDeps,
  node: { held: number },
  request: EgressRequest,
  prepared: PreparedRequest,
  cancelled: AbortSignal,
): Promise<EgressOutcome> {
  const refusal = checkHost(deps.policy, prepared.host, prepared.port);
  if (refusal !== null) return fail("refused", refusal);
  const totalMs = deps.totalTimeoutMs ?? TOTAL_TIMEOUT_MS;
  const total = AbortSignal.timeout(totalMs);
  const signal = AbortSignal.any([total, cancelled]);
  const dialled = await dial(deps, prepared, {
    timeoutMs: within(request.connectTimeoutMs, CONNECT_TIMEOUT_MS),
    verify: request.verify,
    signal,
  });
  if (dialled.kind === "error") return dialled;
  let held = 0;
  try {
    const outcome = await exchange(prepared, dialled.socket, {
      readTimeoutMs: within(request.readTimeoutMs, READ_TIMEOUT_MS),
      signal,
      hold(bytes) {
        if (node.held + bytes > NODE_HELD_MAX_BYTES) {
          return "Too many answers are being read at once";
        }
        node.held += bytes;
        held += bytes;
        return null;
      },
    });
    if (outcome.kind === "error" && total.aborted) {
      return fail("read_timeout", `The request took over ${totalMs / 1000} s, which is the limit`);
    }
    return outcome;
  } finally {
    node.held -= held;
  }
}

/** `wanted` milliseconds where it is a positive number below `most`, else `most`. */
function within(wanted: number | null, most: number): number {
  return wanted !== null && wanted > 0 && wanted < most ? Math.ceil(wanted) : most;
}

function record(
  log: Logger,
  server: string,
  prepared: PreparedRequest | EgressFailure,
  { error, message }: EgressFailure,
) {
  // Host and port only: paths and queries of users' requests are not the operator's business.
  const target = prepared.kind === "prepared" ? `${prepared.host}:${prepared.port}` : null;
  if (error === "refused" || error === "limit") {
    log.warn("egress.refused", { server, target, error, message });
  } else {
    log.debug("egress.failed", { server, target, error, message });
  }
}
