/**
 * Keys that are sent to whom they do not belong: one service's to another host, several services' to
 * one, any to a place where anybody collects, or as a part of a host's name.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { argumentsOf } from "../../python/names.ts";
import { child, type SyntaxNode } from "../../syntax/tree.ts";
import type { ObservedCall } from "../flow/observed.ts";
import type { Label } from "../flow/labels.ts";
import { ownParameters } from "../flow/parameters.ts";
import { report, rule } from "../rule.ts";
import { unitsOf, variableOf } from "./alternatives.ts";
import { impliedKey } from "./clients.ts";
import { type Destination, destinationsIn, isNumber, textsOf } from "./destinations.ts";
import { hostLabels } from "./host_labels.ts";
import { goingAlong, objectOf } from "./passed_on.ts";
import {
  connected,
  destinationsGiven,
  isLookUp,
  looksLikeSending,
  makersOf,
  maySend,
} from "./senders.ts";
import { logsGoTo, reportedTo } from "./telemetry.ts";
import {
  haveOneIssuer,
  isCollector,
  isKey,
  mayGoTo,
  type Provider,
  providerOf,
} from "./providers.ts";

/** A key leaves for a host that has no business with it. */
const SENT = rule(
  "py/key-sent",
  "critical",
  200,
  "Send a key only to the service that issued it",
);
/** A key is written where others read. */
const LOGGED = rule(
  "py/key-logged",
  "medium",
  532,
  "Log whether a key is set, not the key",
);

/** Variables of credentials among labels. */
export function keysIn(labels: Iterable<Label>): string[] {
  return [...labels].map(variableOf).filter((name) => name !== null).filter(isKey);
}

const WRITES_LOG =
  /^(print|pprint\.pprint|sys\.(stdout|stderr)\.write|logging\.(debug|info|warning|error|critical|exception|log)|warnings\.warn|rich\.print)$|(^|[._])(log|logger|_logger|LOG|LOGGER|ctx|context|console)\.(debug|info|warning|warn|error|critical|exception|log|success|print)$/;
/** Ways of writing that no handler of logs hears of. */
const SHOWS = /(^|\.)(print|pprint|write|warn)$|(^|[._])(ctx|context|console)\./;

/** Keys on their way. */
export interface Sent {
  keys: string[];
  /** Those of which only one is there at a time, together. */
  units: string[][];
  destinations: Destination[];
  /** Keys in a host's name. */
  inHost: string[];
}

/** What a call is given, but for the environment of a process. */
export function nodesOf(call: ObservedCall): SyntaxNode[] {
  return [
    ...call.given.positional,
    ...[...call.given.keywords].flatMap(([key, value]) => key === "env" ? [] : [value]),
  ];
}

const labelsGiven = (call: ObservedCall): Label[] =>
  nodesOf(call).flatMap((each) => [...call.labels(each)]);

/** The keys in a host's name: `https://{key}.example.com`. */
function keysInHosts(call: ObservedCall): string[] {
  const looksUp = isLookUp(call);
  return nodesOf(call).flatMap((node) => {
    if (looksUp) return isJoined(node) ? keysIn(call.labels(node)) : [];
    const texts = textsOf(call.names, node);
    const hidden = texts.some((text) => /:\/\/[^/?#]*\0[^/?#\0]*\.[a-z]/i.test(text));
    return hidden && !texts.some((text) => /:\/\/[^/@?#]*\0[^/?#]*@/.test(text))
      ? keysIn(hostLabels(call, node))
      : [];
  });
}

/** More than a variable by itself, which would be the host. */
function isJoined(node: SyntaxNode): boolean {
  return node.type !== "identifier" && node.type !== "attribute" && node.type !== "call" ||
    node.type === "call" && child(node, "function")?.type === "attribute";
}

/** The keys that a call sends by itself, and where to; null when it sends none. */
export function sentBy(call: ObservedCall): Sent | null {
  const { names } = call;
  if (!looksLikeSending(call)) return null;
  const object = objectOf(call);
  const makers = object === null ? [] : makersOf(call, object);
  const made = makers.map((maker) => argumentsOf(names.tree, maker));
  const labels = new Set([...labelsGiven(call), ...goingAlong(call, makers)]);
  const keys = keysIn(labels);
  if (keys.length === 0 || call.target() !== null) return null;
  const told = object === null ? [] : connected(call, object);
  if (!maySend(call, [...makers, ...told])) return null;
  const texts = [
    ...nodesOf(call),
    ...[...made, ...told.map((each) => argumentsOf(names.tree, each))].flatMap((
      { positional, keywords },
    ) => [...positional, ...keywords.values()]),
  ].flatMap((each) => textsOf(names, each));
  return {
    keys,
    units: unitsOf(labels),
    destinations: destinationsGiven(call, texts),
    inHost: keysInHosts(call),
  };
}

const listed = (keys: readonly string[]): string =>
  [...new Set(keys)].slice(0, 4).map((key) => key.slice(0, 60)).join(", ");

/** Who is meant by keys of several services at once. */
function strangers(keys: readonly string[], destinations: readonly Destination[]) {
  const providers = new Map<Provider, string[]>();
  for (const key of keys) {
    const provider = providerOf(key);
    if (provider === null) continue;
    if (destinations.some(({ host }) => mayGoTo(provider, host))) continue;
    providers.set(provider, [...providers.get(provider) ?? [], key]);
  }
  return providers;
}

/** The finding of a call that puts keys into what an SDK reports to its service. */
function keysReported(call: ObservedCall): RawFinding | null {
  const host = reportedTo(call);
  if (host === null) return null;
  const keys = keysIn(labelsGiven(call)).filter((key) => {
    const provider = providerOf(key);
    return provider === null || !mayGoTo(provider, host);
  });
  if (keys.length === 0 || call.target() !== null) return null;
  // Whom a key without a known service belongs to is not said: it may be the collector's user.
  const known = keys.some((key) => providerOf(key) !== null);
  const title = `${listed(keys)} is reported to ${host}`;
  return report(known ? SENT : LOGGED, call.names.tree, call.node, title);
}

/** The finding of a call that sends keys to whom they do not belong. */
export function keysSent(call: ObservedCall): RawFinding | null {
  const reported = keysReported(call);
  if (reported !== null) return reported;
  const sent = sentBy(call) ?? impliedKey(call);
  return sent === null ? passedOn(call) : misplaced(call, sent);
}

/** The finding of a call that gives a function or an object a key, and where to send it. */
function passedOn(call: ObservedCall): RawFinding | null {
  if (keysIn(labelsGiven(call)).length === 0) return null;
  return sentOn(call).map((sent) => misplaced(call, sent)).find((each) => each !== null) ?? null;
}

/** The keys that a called function or object of the project sends, and where it is told to. */
export function sentOn(call: ObservedCall): Sent[] {
  const { positional, keywords } = call.given;
  const target = call.target();
  if (target === null) return [];
  const parameters = ownParameters(target.names, target.definition);
  const given = (wanted: readonly string[]) =>
    wanted.map((name) => keywords.get(name) ?? positional[parameters.indexOf(name)])
      .filter((each) => each !== undefined);
  return call.sendings().flatMap(({ to, what }) => {
    const destinations = destinationsIn(given(to).flatMap((each) => textsOf(call.names, each)));
    const labels = new Set(given(what).flatMap((each) => [...call.labels(each)]));
    const keys = keysIn(labels);
    return destinations.length === 0 || keys.length === 0
      ? []
      : [{ keys, units: unitsOf(labels), destinations, inHost: [] }];
  });
}

/** The finding of a call that sends something with these labels, whatever its arguments are. */
export function keysSentWith(call: ObservedCall, labels: readonly Label[]): RawFinding | null {
  const keys = keysIn(labels);
  const texts = nodesOf(call).flatMap((each) => textsOf(call.names, each));
  const destinations = destinationsGiven(call, texts);
  return keys.length === 0 || destinations.length === 0
    ? null
    : misplaced(call, { keys, units: unitsOf(labels), destinations, inHost: [] });
}

/** Whether a key of no known service bears the name of the host's: `NTFY_TOKEN` at `ntfy.sh`. */
function isNamedFor(key: string, host: string): boolean {
  const service = host.split(".").at(-2) ?? "";
  return service !== "" && providerOf(key) === null &&
    key.toUpperCase().startsWith(`${service.toUpperCase()}_`);
}

/** The finding of keys that do not belong where they are sent. */
export function misplaced(call: ObservedCall, sent: Sent): RawFinding | null {
  const { keys, units, destinations, inHost } = sent;
  const found = (title: string) => report(SENT, call.names.tree, call.node, title);
  if (inHost.length > 0) return found(`${listed(inHost)} is part of a host name`);
  const collector = destinations.find(({ host, address }) => isCollector(host, address));
  const own = keys.filter((key) =>
    destinations.some(({ host }) => {
      const provider = providerOf(key);
      return provider !== null && mayGoTo(provider, host);
    })
  );
  const others = keys.filter((key) =>
    !own.includes(key) && !destinations.some(({ host }) => isNamedFor(key, host))
  );
  if (collector !== undefined && others.length > 0) {
    return found(`${listed(others)} goes to ${collector.host}, which collects data for anyone`);
  }
  const number = destinations.find(({ host }) => isNumber(host));
  if (number !== undefined) return found(`${listed(keys)} goes to the IP address ${number.host}`);
  const foreign = strangers(keys, destinations);
  const strange = [...foreign.values()].flat();
  const all = listed(strange);
  if (foreign.size > 0 && destinations.length > 0) {
    return found(`${all} goes to ${destinations[0]!.host}, which did not issue it`);
  }
  // Where it goes is not in the source: keys of several services have no host in common.
  const together = units.filter((unit) => unit.some((key) => strange.includes(key)));
  return foreign.size > 1 && together.length > 1 && !haveOneIssuer(strange) &&
      !/^subprocess\.|^os\./.test(call.callee?.name ?? "")
    ? found(`Keys of several services are sent together: ${all}`)
    : null;
}

/** Whether a logger is told, whatever it is called. */
function isLoggers(call: ObservedCall, name: string): boolean {
  if (!/\.(debug|info|warning|warn|error|critical|exception|log)$/.test(name)) return false;
  const expression = child(call.node, "function");
  const object = expression?.type === "attribute" ? child(expression, "object") : null;
  return object !== null &&
    makersOf(call, object).some((maker) =>
      /(^|\.)(getLogger|get_logger)$/.test(
        calleeOf(call.names, child(maker, "function") ?? maker)?.name ?? "",
      )
    );
}

/** The finding of a call that writes a key to a log. */
export function keyLogged(call: ObservedCall): RawFinding | null {
  const name = call.callee?.name ?? "";
  if (!WRITES_LOG.test(name) && !isLoggers(call, name)) return null;
  const labels = labelsGiven(call);
  const keys = keysIn(labels);
  const what = labels.includes("credential")
    ? "A credentials file"
    : labels.includes("env")
    ? "The whole environment"
    : keys.length > 0
    ? listed(keys)
    : null;
  if (what === null) return null;
  const { names: { tree }, node } = call;
  const isLocal = SHOWS.test(name) ||
    (what === listed(keys) && keys.every((key) => providerOf(key) === null));
  const away = isLocal ? null : logsGoTo(call.names);
  return away === null
    ? report(LOGGED, tree, node, `${what} is logged`)
    : report(SENT, tree, node, `${what} goes to ${away.host} with the log`);
}

/** The keys among labels, as a title lists them; null where there are none. */
export function keysNamed(labels: ReadonlySet<Label>): string | null {
  const keys = keysIn(labels);
  return keys.length === 0 ? null : listed(keys);
}

/** Every rule of this module. */
export const KEY_RULES = [SENT, LOGGED];
