/**
 * Requests that other nodes forward to this one.
 *
 * @module
 */
import { type Client, clientOf } from "../admission/clients.ts";
import type { Membership } from "./membership.ts";
import { digestOf, NODE_HEADER, passedHeaders, readPassport } from "./passport.ts";

/** A request that another node has checked. */
export interface Forwarded {
  client: Client;
  /** The run of this node that it is for. */
  node: string;
  /** Whether these are the bytes that it was sent with. */
  isBody(bytes: Uint8Array): Promise<boolean>;
}

/** Lets in what nodes have signed for this one. */
export interface Gate {
  /** What the other node says of the request; null: it is not for this node, or nobody's. */
  admit(request: Request): Promise<Forwarded | null>;
}

/** Beats for which a passport counts. */
const BEATS = 5;

/** Lets in what is signed, for this run of the node, fresh, and seen for the first time. */
export function createGate(membership: Pick<Membership, "id" | "beat" | "peer">): Gate {
  /** Numbers that were used, with the beat until which they would count. */
  const used = new Map<string, number>();
  let swept = 0;

  /** Whether it is used for the first time. */
  function use(nonce: string): boolean {
    const { beat } = membership;
    if (beat !== swept) {
      for (const [old, until] of used) if (until < beat) used.delete(old);
      swept = beat;
    }
    if (used.has(nonce)) return false;
    used.set(nonce, beat + 2 * BEATS);
    return true;
  }

  return {
    async admit(request) {
      const header = request.headers.get(NODE_HEADER);
      if (header === null || membership.id === null) return null;
      const passport = await readPassport(header, async (node) => {
        return (await membership.peer(node))?.publicKey ?? null;
      });
      if (passport === null || passport.to !== membership.id) return null;
      if (Math.abs(passport.beat - membership.beat) > BEATS) return null;
      const { pathname, search } = new URL(request.url);
      if (passport.method !== request.method || passport.target !== pathname + search) return null;
      const headers = await digestOf(JSON.stringify(passedHeaders(request.headers)));
      if (passport.headers !== headers || !use(passport.nonce)) return null;
      const { userId, address, isAdmin, body } = passport;
      return {
        client: clientOf(userId, address, { isAdmin }),
        node: passport.to,
        isBody: async (bytes) => await digestOf(bytes) === body,
      };
    },
  };
}
