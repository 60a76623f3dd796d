/**
 * Name resolution as the system does it.
 *
 * @module
 */
import { lookup } from "node:dns/promises";

/** Every address of `hostname`; rejects when it has none. */
export async function resolveHost(hostname: string): Promise<string[]> {
  const addresses = await lookup(hostname, { all: true });
  return addresses.map(({ address }) => address);
}
