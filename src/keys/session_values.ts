/**
 * What is kept for the sessions of a user.
 *
 * @module
 */

/** A value that is kept, or why it is of no use. */
export type KeptValue =
  | {
    state: "ready";
    name: string;
    value: string;
    /** Hosts that its user agreed to; null where the code gets it. */
    hosts: readonly string[] | null;
  }
  /** `changed`: the server asks for more than its user agreed to. */
  | { state: "changed" | "unreadable"; name: string };
