/**
 * What the broker asks of the machine it runs on.
 *
 * @module
 */
import { lookup } from "node:dns/promises";
import type { OwnAddresses, OwnEndpoint } from "./own.ts";

/** Every address of a name, as the machine's own resolver (hosts file included) gives them. */
export async function resolveName(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true, verbatim: true });
  return [...new Set(found.map(({ address }) => address))];
}

/** Addresses of this machine's network interfaces, at present. */
export function interfaceAddresses(): string[] {
  return Deno.networkInterfaces().map(({ address }) => address);
}

/** What is never reached: `endpoints`, and what this machine's addresses make of them. */
export function ownAddresses(endpoints: readonly OwnEndpoint[]): OwnAddresses {
  return {
    endpoints,
    get interfaces() {
      return interfaceAddresses();
    },
    resolve: resolveName,
  };
}
