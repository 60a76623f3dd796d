/**
 * Which address a request comes from, through the proxies that the operator trusts.
 *
 * @module
 */
import type { Context } from "hono";
import ipaddr from "ipaddr.js";
import type { HttpEnv } from "./environment.ts";

/** Finds the client's address in a request's context. */
export type ClientAddress = (c: Context<HttpEnv>) => string;

const UNKNOWN = "unknown";

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = text.trim().replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}

/**
 * The peer, or behind trusted proxies the last address in `X-Forwarded-For` that is none of theirs:
 * what stands left of it was written by the client.
 *
 * @param trustedProxies Addresses and CIDR blocks (`TRUSTED_PROXIES`).
 * @throws {TypeError} Naming the entry that cannot be read.
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const blocks = trustedProxies.map((text) => {
    try {
      if (text.includes("/")) return ipaddr.parseCIDR(text);
      const address = ipaddr.parse(text);
      return [address, address.kind() === "ipv4" ? 32 : 128] as ReturnType<typeof ipaddr.parseCIDR>;
    } catch {
      throw new TypeError(`TRUSTED_PROXIES: cannot read the entry "${text}"`);
    }
  });
  function isTrusted(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
    return blocks.some((block) => address.kind() === block[0].kind() && address.match(block));
  }
  return (c) => {
    let address = parse(c.env?.remoteAddr?.hostname ?? "");
    if (address === null) return UNKNOWN;
    const forwarded = (c.req.header("x-forwarded-for") ?? "").split(",").reverse();
    for (const text of forwarded) {
      if (!isTrusted(address)) break;
      const next = parse(text);
      if (next === null) break;
      address = next;
    }
    return address.toString();
  };
}
