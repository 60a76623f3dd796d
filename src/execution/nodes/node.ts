/**
 * All that makes this node one of several.
 *
 * @module
 */
import { createForward, type Forward } from "./forward.ts";
import { createGate, type Gate } from "./gate.ts";
import { createKeys } from "./keys.ts";
import { Membership, type MembershipDeps } from "./membership.ts";
import { createReach } from "./reach.ts";

/** A node among others; it joins them with `membership.start()`. */
export interface SharingNode {
  membership: Membership;
  /** Hands requests to the others. */
  forward: Forward;
  /** Lets in what the others forward. */
  gate: Gate;
}

/** A node that has not joined yet, with keys of its own. */
export async function createNode(
  deps: Omit<MembershipDeps, "publicKey"> & { fetch: typeof fetch },
): Promise<SharingNode> {
  const keys = await createKeys();
  const membership = new Membership({ ...deps, publicKey: keys.publicKey });
  const forward = createForward({ ...deps, membership, keys, reach: createReach(deps.clock) });
  return { membership, forward, gate: createGate(membership) };
}
