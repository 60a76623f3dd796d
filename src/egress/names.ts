/**
 * Name resolution within bounds. A lookup cannot be cancelled and holds a thread of the process
 * until the system's resolver gives up, long after the request that asked for it has.
 *
 * @module
 */

export type Resolve = (name: string) => Promise<string[]>;

/** Lookups that one session may have under way. */
const SESSION_LOOKUPS_MAX = 8;
/** Lookups that all sessions of the node may have under way. */
const NODE_LOOKUPS_MAX = 128;

/** Why a lookup was not even begun. */
export class TooManyLookups extends Error {
  /** @param message Shown to the code in the sandbox. */
  constructor(message: string) {
    super(message);
    this.name = "TooManyLookups";
  }
}

/** Gives each session its own bounded resolver over `resolve`. */
export function boundedResolvers(resolve: Resolve): () => Resolve {
  let ofNode = 0;
  return () => {
    let ofSession = 0;
    return async (name) => {
      if (ofSession >= SESSION_LOOKUPS_MAX) {
        throw new TooManyLookups(
          `Too many DNS lookups at once: a session may have ${SESSION_LOOKUPS_MAX}`,
        );
      }
      if (ofNode >= NODE_LOOKUPS_MAX) {
        throw new TooManyLookups("Too many DNS lookups at once. Try again in a moment");
      }
      ofNode += 1;
      ofSession += 1;
      try {
        return await resolve(name);
      } finally {
        ofNode -= 1;
        ofSession -= 1;
      }
    };
  };
}
