/**
 * Wiring of the egress broker.
 *
 * @module
 */
import { SYSTEM_ACTOR } from "../audit/audit.ts";
import type { Refusal } from "../audit/refusals.ts";
import { createEgressBroker, type EgressBroker } from "../egress/broker.ts";
import { ownAddresses, resolveName } from "../egress/machine.ts";
import type { OwnEndpoint } from "../egress/own.ts";
import type { EgressPolicy } from "../egress/policy.ts";
import type { SecretWay } from "../egress/types.ts";
import type { Logger } from "../log.ts";

interface EgressOptions {
  egressPolicy: EgressPolicy;
  /** Where Berth and its database listen. */
  endpoints: OwnEndpoint[];
  log: Logger;
  noteRefusal: (refusal: Refusal) => void;
}

const ATTEMPTS: Record<SecretWay, string> = {
  elsewhere:
    "The server tried to send a secret to a host that it is not for. It sent a placeholder",
  unprotected:
    "The server tried to send a secret without TLS, or without checking the certificate. It sent a placeholder",
  host_name: "The server looked up a host name with a secret in it. It was a placeholder",
  reflected: "An answer showed a secret. The server got a placeholder",
  probing:
    "The server sent many requests that differ only in what stands beside a secret, as if to guess it",
};

/** The egress broker, whose refusals go into the audit log. */
export function egressOf(
  { egressPolicy, endpoints, log, noteRefusal }: EgressOptions,
): EgressBroker {
  return createEgressBroker({
    policy: egressPolicy,
    own: ownAddresses(endpoints),
    resolve: resolveName,
    log,
    now: () => performance.now(),
    // A sandbox's request belongs to no single request from outside.
    onRefused: ({ server, target, kind, message }) =>
      noteRefusal({
        action: "egress.refuse",
        actor: null,
        subject: server,
        requestId: "",
        details: { kind, message },
        target: target ?? "",
      }),
    onAttempt: ({ server, target, name, way }) =>
      noteRefusal({
        action: "keys.refuse",
        actor: SYSTEM_ACTOR,
        subject: server,
        kind: way,
        requestId: "",
        details: { variable: name, way, message: ATTEMPTS[way] },
        target,
      }),
  });
}
