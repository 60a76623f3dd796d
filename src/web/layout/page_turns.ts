/**
 * Pages are made in turns: one of an address at a time, whatever the number of its connections, so
 * that whoever asks for pages as fast as they come slows themselves down and not the others. Pages
 * are not counted by the hour, as requests of the API are. What waits is bounded by the connections
 * that an address may have.
 *
 * @module
 */
import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "../../http/environment.ts";
import { addressBlock } from "../../limits/address.ts";

/** Lets the reading requests of one address be answered one after the other, but for those below `exempt`. */
export function pageTurns(exempt: readonly string[] = []): MiddlewareHandler<HttpEnv> {
  /** By address, what ends when the last request that asked for a turn has had it. */
  const last = new Map<string, Promise<void>>();

  return async function pageTurns(c, next) {
    // What changes something is bounded by itself, and may take long.
    const reads = c.req.method === "GET" || c.req.method === "HEAD";
    const { path } = c.req;
    const isExempt = exempt.some((one) => path === one || path.startsWith(`${one}/`));
    if (!reads || isExempt) return await next();
    const client = c.get("client");
    const address = client === null ? "" : addressBlock(client);
    const before = last.get(address);
    const turn = Promise.withResolvers<void>();
    last.set(address, turn.promise);
    try {
      await before;
      // Nobody waits for it any more.
      if (c.req.raw.signal.aborted) return c.body(null, 408);
      await next();
    } finally {
      turn.resolve();
      if (last.get(address) === turn.promise) last.delete(address);
    }
  };
}
