/**
 * User ids for sandboxed processes, one for each that lives: what runs as another user can neither
 * send it signals nor look into it.
 *
 * @module
 */

/**
 * The first of the ids. From here on no distribution, container or service manager hands any out
 * (systemd, "Users, Groups, UIDs and GIDs": 1879048192 to 2147352575 are unused).
 */
const FIRST_USER = 1_900_000_000;

/** Ids of one kind of processes of one Berth. */
const USERS = 2048;
const KINDS = ["session", "analysis"] as const;
const BERTHS = 4096;

/** What a sandboxed process is for: each kind has ids of its own. */
export type ProcessKind = typeof KINDS[number];

/** The ids of one kind. */
export interface Users {
  /** Any of them, to try out whether they can be used here. */
  readonly first: number;
  /** An id that no living process has; null when all are in use. */
  take(): number | null;
  giveBack(user: number): void;
}

/** The ids for processes of a Berth with this process id: two on one machine seldom share any. */
export function createUsers(kind: ProcessKind, pid: number): Users {
  const block = (pid % BERTHS) * KINDS.length + KINDS.indexOf(kind);
  const first = FIRST_USER + block * USERS;
  const taken = new Set<number>();
  let next = 0;
  return {
    first,
    take() {
      // Not the one that was given back last: it may still be on its way out.
      for (let tried = 0; tried < USERS; tried++) {
        const user = first + next;
        next = (next + 1) % USERS;
        if (taken.has(user)) continue;
        taken.add(user);
        return user;
      }
      return null;
    },
    giveBack: (user) => void taken.delete(user),
  };
}
