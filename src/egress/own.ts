/**
 * Berth's own listeners and database, which sandboxed code never reaches whatever is allowed.
 *
 * @module
 */
import { type Address, isLocal, isSameAddress, parseAddress, unwrap } from "./addresses.ts";
import type { Refusal } from "./policy.ts";

/** An endpoint of Berth itself or of its database; `host` is a name or an address. */
export interface OwnEndpoint {
  host: string;
  port: number;
}

/** What {@link checkOwn} compares with. */
export interface OwnAddresses {
  endpoints: readonly OwnEndpoint[];
  /** Addresses of this machine's network interfaces, read at each check: they change. */
  interfaces: readonly string[];
  /** Addresses of a name; empty when it has none. */
  resolve: (name: string) => Promise<string[]>;
}

/** Whether a resolved address is an endpoint of Berth itself; those are refused whatever is allowed. */
export async function checkOwn(
  own: OwnAddresses,
  host: string,
  address: Address,
  port: number,
): Promise<Refusal> {
  const refusal = `The host "${host}" on port ${port} belongs to Berth itself`;
  const target = unwrap(address);
  for (const endpoint of own.endpoints) {
    if (endpoint.port !== port) continue;
    if (endpoint.host.toLowerCase() === host) return refusal;
    const literal = parseAddress(endpoint.host);
    const addresses = literal === null ? await own.resolve(endpoint.host) : [endpoint.host];
    for (const text of addresses) {
      const mine = parseAddress(text);
      if (mine === null) continue;
      if (isSameAddress(mine, target)) return refusal;
      // Bound here: then every address of this machine leads to it.
      if (isOfMachine(mine, own) && isOfMachine(target, own)) return refusal;
    }
  }
  return null;
}

/** Whether `address` leads to this machine. */
export function isOfMachine(
  address: Address,
  own: Pick<OwnAddresses, "interfaces">,
): boolean {
  return isLocal(address) || own.interfaces.some((text) => {
    const mine = parseAddress(text.replace(/%.*$/, ""));
    return mine !== null && isSameAddress(mine, address);
  });
}
