/**
 * Several additions to the issuer as one.
 *
 * @module
 */
import type { IssuerExtensions } from "./deps.ts";

/** All of `parts` together; of client sources, the first that knows an id. */
export function mergeExtensions(...parts: readonly IssuerExtensions[]): IssuerExtensions {
  const sources = parts.map(({ clients }) => clients).filter((one) => one !== undefined);
  return {
    upstream: parts.flatMap(({ upstream }) => upstream ?? []),
    routes: (deps, current) => parts.flatMap(({ routes }) => routes?.(deps, current) ?? []),
    clients: {
      async find(id) {
        for (const source of sources) {
          const found = await source.find(id);
          if (found !== undefined) return found;
        }
        return undefined;
      },
    },
    configure: (configuration) =>
      parts.reduce((changed, part) => part.configure?.(changed) ?? changed, configuration),
    async sweep(now) {
      for (const { sweep } of parts) await sweep?.(now);
    },
  };
}
