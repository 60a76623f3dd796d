/**
 * Secrets that sandboxed code uses without having them. It holds placeholders; here the true values
 * take their place in requests to the hosts that a secret is for, and placeholders in the place of
 * values in what comes back.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { isAmongHosts } from "../keys/hosts.ts";
import type { Hiding } from "../text/hide.ts";
import { type Cleaned, cleaned, type LookedFor } from "./cleaning.ts";
import { hidingOf } from "./disguises.ts";
import { filledWith, type Filling } from "./filling.ts";
import { type EgressPolicy, isOfOperator } from "./policy.ts";
import type { PreparedRequest } from "./request_check.ts";
import { probeWatch } from "./probing.ts";
import { isInHostName, piecesOf } from "./secret_names.ts";
import type {
  CurrentValue,
  EgressFailure,
  EgressOutcome,
  SealedSecret,
  SecretAttempt,
} from "./types.ts";

/** A request as it goes out. */
export interface Filled {
  request: PreparedRequest;
  /** What looks like the code's attempts to learn secrets. */
  attempts: SecretAttempt[];
}

/** The secrets of one session at the broker. */
export interface SealedSecrets {
  /** Looks up the values that change and may go where the request goes. @returns Why it must not. */
  renew(request: PreparedRequest, verify: boolean): Promise<EgressFailure | null>;
  /** Puts values where they belong. @param verify Whether the certificate is checked. */
  fill(request: PreparedRequest, verify: boolean): Promise<Filled | EgressFailure>;
  /** Takes values out of what the host of `request` answered. */
  clean(request: PreparedRequest, outcome: EgressOutcome): Promise<Cleaned>;
}

/**
 * Headers with which an answer would come in parts or packed, so that a value is not found in it: a
 * service may have its own (`x-ms-range`). `Content-Range` is of what is sent.
 */
const PARTIAL = /^(?!content-range$)(.*-)?range$|^(accept-encoding|want-digest|a-im|tcn)$/i;
/** Why the secret may not go where the request goes; null when it may. */
function whyNot(
  { hosts }: SealedSecret,
  { host, port, secure }: PreparedRequest,
  policy: EgressPolicy,
  verify: boolean,
): "elsewhere" | "unprotected" | null {
  const usualPort = secure ? 443 : 80;
  if (!isAmongHosts(hosts, { host, port, usualPort })) return "elsewhere";
  // What the operator names is a service of the house, which may be without TLS.
  return secure && verify || isOfOperator(policy, host, port) ? null : "unprotected";
}

function withoutPartial(headers: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    if (!PARTIAL.test(headers[at]!)) kept.push(headers[at]!, headers[at + 1]!);
  }
  return [...kept, "Accept-Encoding", "identity"];
}

/** Bytes of a body in which an attempt is looked for: it only tells, the value is not in it. */
const MENTIONED_MAX_BYTES = 64 * 1024;

/** Secrets whose placeholders a request has in it, plainly or in one of the usual disguises. */
interface Mentions {
  inName: ReadonlySet<string>;
  elsewhere: ReadonlySet<string>;
}

/** Looks for `placeholders`, labelled with names, while others have their turn. */
async function mentionsIn(
  { authority, path, headers, body }: PreparedRequest,
  placeholders: Hiding,
): Promise<Mentions> {
  const head = Buffer.from([path, ...headers].join("\n"), "latin1");
  const start = body === null ? new Uint8Array(0) : body.subarray(0, MENTIONED_MAX_BYTES);
  const [inHead, inBody, inName] = await Promise.all(
    [head, start, Buffer.from(authority)].map((bytes) => placeholders.labelsIn(bytes)),
  );
  return { inName: inName!, elsewhere: inHead!.union(inBody!) };
}

/** @param isInHost Whether the host is known to have it, which is told by itself. */
function isMentioned(
  { name }: SealedSecret,
  mentions: Mentions | null,
  isInHost = false,
): boolean {
  if (mentions === null) return false;
  return mentions.elsewhere.has(name) || !isInHost && mentions.inName.has(name);
}

function withdrawn({ name }: SealedSecret): EgressFailure {
  const message = `The value of ${name} was removed or replaced. Begin another session`;
  return { kind: "error", error: "refused", message };
}

/** What takes the values of some secrets out of answers. */
function valuesOf(secrets: readonly SealedSecret[]): Hiding {
  // Values before their parts: one may hold another.
  const longest = [...secrets].sort((a, b) => b.value.length - a.value.length);
  return hidingOf(longest.map(({ value, placeholder }) => [value, placeholder]));
}

function neverChanges(): Promise<CurrentValue> {
  return Promise.resolve({ kind: "none", why: "The value was not found" });
}

/** Former values that are looked for in answers: a service may show one that it has just replaced. */
const FORMER_MAX = 3;

/**
 * The secrets of one session; null when it has none.
 *
 * @param current Looks up the value of one that changes.
 */
export function sealSecrets(
  secrets: readonly SealedSecret[],
  policy: EgressPolicy,
  current: (name: string) => Promise<CurrentValue> = neverChanges,
): SealedSecrets | null {
  if (secrets.length === 0) return null;
  const former: SealedSecret[] = [];
  const sought = secrets.map((secret) => ({ secret, pieces: piecesOf(secret.placeholder) }));
  const placeholders = hidingOf(secrets.map(({ placeholder, name }) => [placeholder, "", name]));
  const hidings = new Map<string, Hiding>();
  function change(secret: SealedSecret, value: string) {
    if (secret.value === value) return;
    former.unshift({ ...secret });
    former.splice(FORMER_MAX * secrets.length);
    secret.value = value;
    hidings.clear();
  }
  const probes = probeWatch();
  /** What is taken out of answers of a host: what it was never sent, it could only guess. */
  function hidingFor({ secure, host, port }: PreparedRequest): LookedFor | null {
    const place = { host, port, usualPort: secure ? 443 : 80 };
    const known = [...secrets, ...former].filter(({ hosts }) => isAmongHosts(hosts, place));
    if (known.length === 0) return null;
    const names = known.map(({ name }) => name);
    const values = hidings.get(names.join()) ?? valuesOf(known);
    hidings.set(names.join(), values);
    return { values, names };
  }
  return {
    async renew(request, verify) {
      for (const secret of secrets) {
        if (!secret.changes || whyNot(secret, request, policy, verify) !== null) continue;
        const now = await current(secret.name);
        secret.isWithdrawn = now.kind !== "value";
        if (now.kind === "value") change(secret, now.value);
        // Without it, the request is what it would be anyway.
        else if (isMentioned(secret, await mentionsIn(request, placeholders))) {
          return { kind: "error", error: "refused", message: now.why };
        }
      }
      return null;
    },
    async fill(request, verify) {
      const isNeeded = secrets.some((secret) =>
        secret.isWithdrawn || whyNot(secret, request, policy, verify) !== null
      );
      // Before values are put in, so that one that is withdrawn meanwhile is not.
      const mentions = isNeeded ? await mentionsIn(request, placeholders) : null;
      let filling: Filling = { kind: "filled", request };
      let isAllowed = false;
      const attempts: SecretAttempt[] = [];
      for (const { secret, pieces } of sought) {
        const { name, placeholder } = secret;
        const why = whyNot(secret, request, policy, verify);
        const isInHost = isInHostName(request.host, pieces);
        if (isInHost) attempts.push({ name, way: "host_name" });
        if (why !== null) {
          if (isMentioned(secret, mentions, isInHost)) attempts.push({ name, way: why });
          continue;
        }
        isAllowed = true;
        if (secret.isWithdrawn && isMentioned(secret, mentions)) return withdrawn(secret);
        if (secret.isWithdrawn) continue;
        if (probes.saw(request, placeholder)) attempts.push({ name, way: "probing" });
        filling = filledWith(filling.request, secret);
        if (filling.kind === "error") return filling;
      }
      const { request: filled } = filling;
      const headers = isAllowed ? withoutPartial(filled.headers) : filled.headers;
      return { request: { ...filled, headers }, attempts };
    },
    async clean(request, outcome) {
      const looked = outcome.kind === "error" ? null : hidingFor(request);
      return outcome.kind === "error" || looked === null
        ? { outcome, reflected: [], searched: 0 }
        : await cleaned(outcome, looked);
    },
  };
}
