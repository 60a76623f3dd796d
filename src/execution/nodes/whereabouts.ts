/**
 * What there is of a session that is not at this node.
 *
 * @module
 */
import { Elsewhere } from "./types.ts";
import type { StoredRow } from "../parked/store.ts";
import type { KnownSession } from "../sessions/store.ts";
import type { SessionsDeps } from "../sessions/types.ts";

/** A session that no other node holds. */
export interface Whereabouts {
  known: KnownSession | null;
  /** What was stored of it; null: nothing, or where nodes do not store any. */
  stored: StoredRow | null;
}

/**
 * Looks for the session `id` in the database.
 *
 * @throws {Elsewhere} When another node has it, or it is just changing hands.
 */
export async function whereabouts(
  { store, ownership, clock }: Pick<SessionsDeps, "store" | "ownership" | "clock">,
  moves: { find(id: string): Promise<StoredRow | null> },
  id: string,
): Promise<Whereabouts> {
  if (ownership === undefined) {
    const [known, stored] = await Promise.all([store.find(id, clock.date()), moves.find(id)]);
    return { known, stored };
  }
  const known = await store.find(id, clock.date());
  // What is this node's own and not here has just ended.
  const owner = known?.owner ?? null;
  if (owner !== null && owner.id !== ownership.id) throw new Elsewhere(owner);
  const stored = await moves.find(id);
  if (stored !== null || known === null) return { known, stored };
  // It may have been taken between the two looks.
  const again = await store.find(id, clock.date());
  if (again?.instance !== known.instance) throw new Elsewhere(again?.owner ?? null);
  return { known, stored };
}
