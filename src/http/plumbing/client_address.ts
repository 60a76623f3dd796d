/**
 * The address of a client, also behind proxies that the operator trusts.
 *
 * @module
 */
import ipaddr from "ipaddr.js";
import { isPlainIpv4 } from "../../limits/address.ts";

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Whose `X-Forwarded-For` is believed. */
export interface TrustedProxies {
  /** Whether `address` is one of them. */
  includes(address: string): boolean;
}

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = text.trim().replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
  try {
    return ipaddr.process(bare);
  } catch {
    return null;
  }
}

/**
 * The proxies of `TRUSTED_PROXIES`: CIDRs and single addresses.
 *
 * @throws {TypeError} Naming the first entry that is neither.
 */
export function trustedProxies(entries: readonly string[]): TrustedProxies {
  const ranges = entries.map((entry): Range => {
    try {
      if (entry.includes("/")) return ipaddr.parseCIDR(entry);
      const address = ipaddr.process(entry);
      return [address, address.kind() === "ipv4" ? 32 : 128];
    } catch {
      throw new TypeError(`TRUSTED_PROXIES: "${entry}" is neither an address nor a CIDR`);
    }
  });
  return {
    includes(text) {
      const address = parseAddress(text);
      return address !== null &&
        ranges.some(([range, bits]) =>
          range.kind() === address.kind() && address.match([range, bits] as never)
        );
    },
  };
}

/**
 * The client's address in its normal form: that of the connection, or, when the connection comes
 * from a trusted proxy, the last entry of `X-Forwarded-For` that no trusted proxy wrote for
 * another. What a client itself puts there is never believed.
 */
export function clientAddress(
  remote: string,
  forwardedFor: string | null,
  trusted: TrustedProxies,
): string {
  if (forwardedFor === null && isPlainIpv4(remote)) return remote;
  const hops = forwardedFor === null ? [] : forwardedFor.split(",");
  let client = parseAddress(remote)?.toString() ?? remote;
  while (trusted.includes(client) && hops.length > 0) {
    const next = parseAddress(hops.pop()!);
    if (next === null) break;
    client = next.toString();
  }
  return client;
}
