/**
 * Nodes that share sessions, as the registry of sessions sees them.
 *
 * @module
 */

/** One run of a node, from when it joined until it leaves or is lost. */
export interface Peer {
  /** Never used again by another run. */
  id: string;
  /** Where other nodes reach it, without a trailing slash. */
  url: string;
  /** What it signs with. */
  publicKey: Uint8Array<ArrayBuffer>;
  /** Rises while it lives. */
  beat: number;
  /** Without a new beat for so long it is lost. */
  leaseMs: number;
}

/** The node that holds a session. */
export type Owner = Pick<Peer, "id" | "url" | "beat">;

/** What this node's sessions are held by. */
export interface Ownership {
  /** The id of this run; null while this node is cut off from the others. */
  readonly id: string | null;
  /**
   * Whether sessions of this node are its own now: at once while that is certain, else when the
   * database has said so.
   */
  hold(): boolean | Promise<boolean>;
}

/** The session that a request means is not here. */
export class Elsewhere extends Error {
  /** @param owner The node that has it; null: to be looked for again. */
  constructor(readonly owner: Owner | null) {
    super("The session is at another node");
    this.name = "Elsewhere";
  }
}

/** Throws unless sessions of this node are its own now. @throws {Elsewhere} */
export async function checkHeld(ownership: Ownership | undefined): Promise<void> {
  const held = ownership?.hold() ?? true;
  if (held !== true && !await held) throw new Elsewhere(null);
}
