/**
 * What the broker asks of the machine it runs on.
 *
 * @module
 */
import { lookup } from "node:dns/promises";

/** Every address of a name, as the machine's own resolver (hosts file included) gives them. */
export async function resolveName(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true, verbatim: true });
  return [...new Set(found.map(({ address }) => address))];
}

/** Addresses of this machine's network interfaces. */
export function interfaceAddresses(): string[] {
  return Deno.networkInterfaces().map(({ address }) => address);
}
