/**
 * Hosts that a key seems to be for: those that the code sends it to, and where it does not say, those
 * of the service that its variable is called after.
 *
 * @module
 */
import type { ObservedCall } from "../flow/observed.ts";
import { type Destination, isNumber } from "../keys/destinations.ts";
import { keysIn, nodesOf, type Sent, sentBy, sentOn } from "../keys/judge_keys.ts";
import { isCollector, mayGoTo, providerOf } from "../keys/providers.ts";
import { usualHosts } from "./usual_hosts.ts";

const HOSTS_MAX = 20;
const VARIABLES_MAX = 200;
/** Without TLS no key is sent. */
const SECURE = /^(?:https|wss):\/\//i;
const PORT = /^[^/?#]*?:(\d{1,5})(?=[/?#]|$)/;
const USUAL_PORT = "443";

/** Collects where keys go. */
export interface SentKeys {
  observe(call: ObservedCall): void;
  /** Hosts for the variable, the first found first; none where nothing says. */
  hostsOf(variable: string): string[];
}

/** The host of an address as a declaration writes it; null for one that no key should be for. */
function hostOf({ host, address }: Destination): string | null {
  if (!SECURE.test(address) || isNumber(host) || isCollector(host, address)) return null;
  const authority = address.replace(SECURE, "").replace(/^[^/?#@]*@/, "");
  // `https://{shop}.example.com`: whichever shop it is.
  const isOpen = authority.split(/[/?#]/, 1)[0]!.includes("\0");
  if (isOpen) return `*.${host}`;
  const port = PORT.exec(authority)?.[1];
  return port === undefined || port === USUAL_PORT ? host : `${host}:${port}`;
}

function isStranger(variable: string, host: string): boolean {
  const provider = providerOf(variable);
  return provider !== null && !mayGoTo(provider, host);
}

/** What a call sends of keys: by itself, or by what it calls. */
function sentIn(call: ObservedCall): Sent[] {
  const own = sentBy(call);
  if (own !== null) return [own];
  const keys = keysIn(nodesOf(call).flatMap((each) => [...call.labels(each)]));
  return keys.length === 0 ? [] : sentOn(call);
}

/** Nothing that was sent so far. */
export function sentKeys(): SentKeys {
  const found = new Map<string, Set<string>>();
  return {
    observe(call) {
      for (const { keys, destinations } of sentIn(call)) {
        for (const key of keys) {
          for (const destination of destinations) {
            const host = hostOf(destination);
            if (host === null || isStranger(key, destination.host)) continue;
            const hosts = found.get(key) ?? new Set();
            if (hosts.size < HOSTS_MAX) hosts.add(host);
            if (found.has(key) || found.size < VARIABLES_MAX) found.set(key, hosts);
          }
        }
      }
    },
    hostsOf: (variable) => [...found.get(variable) ?? usualHosts(variable)],
  };
}
