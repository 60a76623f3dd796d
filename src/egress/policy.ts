/**
 * Where sandboxed code may connect to: public hosts by `EGRESS_HOSTS`, inner ones by
 * `EGRESS_ALLOW`, Berth's own endpoints never.
 *
 * @module
 */
import {
  type Address,
  type Block,
  isInBlock,
  isPublicAddress,
  parseAddress,
  parseBlock,
} from "./addresses.ts";
import { isMetadataName } from "./clouds.ts";

/** Ports of mail, databases, remote login and machine control, and all that browsers refuse. */
export const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  ...[25, 110, 143, 465, 587, 993, 995, 2525],
  ...[1433, 1521, 2379, 2380, 3306, 5432, 5984, 6379, 6380, 9042, 9200, 9300, 11211, 27017, 27018],
  ...[21, 22, 23, 53, 135, 139, 389, 445, 512, 513, 514, 636, 3389, 5900, 5901, 5985, 5986],
  ...[2375, 2376, 10250],
  // "Bad ports" of the Fetch standard.
  ...[1, 7, 9, 11, 13, 15, 17, 19, 20, 37, 42, 43, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109],
  ...[111, 113, 115, 117, 119, 123, 137, 161, 179, 427, 515, 526, 530, 531, 532, 540, 548, 554],
  ...[556, 563, 601, 989, 990, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000],
  ...[6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/** One entry of `EGRESS_ALLOW`. `port` null means every port that is not blocked. */
type AllowEntry =
  | { kind: "name"; name: string; port: number | null }
  | { kind: "block"; block: Block; port: number | null };

export interface EgressPolicy {
  allow: readonly AllowEntry[];
  /** Lower-case names, `*` or `*.name`. */
  hosts: readonly string[];
}

/** A check's result: null when it passes, else why not. */
export type Refusal = string | null;

const NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

function parseAllowEntry(text: string): AllowEntry | null {
  const block = parseBlock(text);
  if (block !== null) return { kind: "block", block, port: null };
  const whole = parseAddress(text);
  if (whole !== null) return { kind: "block", block: hostBlock(whole), port: null };
  const match = /^(.+?)(?::(\d{1,5}))?$/.exec(text.toLowerCase());
  if (match === null) return null;
  const port = match[2] === undefined ? null : Number(match[2]);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  const address = parseAddress(match[1]!);
  if (address !== null) return { kind: "block", block: hostBlock(address), port };
  const name = match[1]!.replace(/\.$/, "");
  return NAME.test(name) ? { kind: "name", name, port } : null;
}

function hostBlock(address: Address): Block {
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

function parseHostPattern(text: string): string | null {
  const pattern = text.toLowerCase().replace(/\.$/, "");
  if (pattern === "*") return pattern;
  const address = parseAddress(pattern);
  if (address !== null) return address.toString();
  return NAME.test(pattern.replace(/^\*\./, "")) ? pattern : null;
}

/**
 * The policy of `EGRESS_ALLOW` and `EGRESS_HOSTS`.
 *
 * @throws {TypeError} Naming the entry that cannot be read.
 */
export function parseEgressPolicy(allow: string[], hosts: string[]): EgressPolicy {
  function all<T>(name: string, texts: string[], parse: (text: string) => T | null): T[] {
    return texts.map((text) => {
      const entry = parse(text.trim());
      if (entry === null) throw new TypeError(`${name}: the entry "${text}" is not valid`);
      return entry;
    });
  }
  return {
    allow: all("EGRESS_ALLOW", allow, parseAllowEntry),
    hosts: all("EGRESS_HOSTS", hosts, parseHostPattern),
  };
}

function matchesPattern(host: string, pattern: string): boolean {
  if (pattern === "*") return true;
  if (pattern.startsWith("*.")) {
    return parseAddress(host) === null && host.endsWith(pattern.slice(1)) &&
      host.length > pattern.length - 1;
  }
  return host === pattern;
}

function isNamedInAllow(policy: EgressPolicy, host: string, port: number): boolean {
  return policy.allow.some((entry) =>
    entry.kind === "name" && entry.name === host && (entry.port === null || entry.port === port)
  );
}

function isAddressInAllow(policy: EgressPolicy, address: Address, port: number): boolean {
  return policy.allow.some((entry) =>
    entry.kind === "block" && (entry.port === null || entry.port === port) &&
    isInBlock(address, entry.block)
  );
}

/** Whether the operator names this host, or the address that it is, in `EGRESS_ALLOW`. */
export function isOfOperator(policy: EgressPolicy, host: string, port: number): boolean {
  const literal = parseAddress(host);
  return isNamedInAllow(policy, host, port) ||
    literal !== null && isAddressInAllow(policy, literal, port);
}

function isPortNamed(policy: EgressPolicy, host: string, port: number): boolean {
  const address = parseAddress(host);
  return policy.allow.some((entry) =>
    entry.port === port &&
    (entry.kind === "name"
      ? entry.name === host
      : address !== null && isInBlock(address, entry.block))
  );
}

/**
 * Whether a name or address literal may be asked for at all. Runs before any resolution, so that
 * a refused name is not even looked up.
 *
 * @param host Lower case, without brackets and trailing dot.
 */
export function checkHost(policy: EgressPolicy, host: string, port: number): Refusal {
  if (BLOCKED_PORTS.has(port) && !isPortNamed(policy, host, port)) {
    return `Port ${port} is blocked, unless the operator allows it (EGRESS_ALLOW)`;
  }
  const literal = parseAddress(host);
  if (literal !== null && isAddressInAllow(policy, literal, port)) return null;
  if (isNamedInAllow(policy, host, port)) return null;
  if (isMetadataName(host)) return `The host "${host}" is a metadata service`;
  if (policy.hosts.some((pattern) => matchesPattern(host, pattern))) return null;
  return `The host "${host}" is not among the hosts that the operator allows (EGRESS_HOSTS)`;
}

/**
 * Whether a resolved address may be connected to under the name it was asked for by.
 *
 * @param isOfMachine Whether it is an address of this machine: a service that a firewall keeps from
 * the internet is open to the machine itself, also under a public address.
 */
export function checkAddress(
  policy: EgressPolicy,
  host: string,
  address: Address,
  port: number,
  isOfMachine: boolean,
): Refusal {
  const isPublic = isPublicAddress(address);
  if (isPublic && !isOfMachine) return null;
  if (isAddressInAllow(policy, address, port)) return null;
  if (isNamedInAllow(policy, host, port)) return null;
  return isPublic
    ? `The host "${host}" is the machine that Berth runs on`
    : `The host "${host}" is not on the public internet`;
}
