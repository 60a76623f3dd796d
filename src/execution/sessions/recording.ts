/**
 * The row of a session that is being launched, which is written meanwhile: a launch takes longer than
 * the database, and most go well.
 *
 * @module
 */
import type { Logger } from "../../log.ts";
import type { Clock } from "../clock.ts";
import { nodeCutOff } from "../failures.ts";
import { Elsewhere, type Ownership } from "../nodes/types.ts";
import type { KnownSession, SessionRow, SessionStore } from "./store.ts";

/** A row on its way into the database. */
export interface Recording {
  /** Resolves when it is written; rejects when it could not be. */
  readonly written: Promise<void>;
  /** The session came to nothing: nobody sees later that it was tried. Never rejects. */
  undo(): Promise<void>;
}

export interface RecordingDeps {
  store: SessionStore;
  log: Logger;
  clock: Pick<Clock, "date">;
}

/** The row while and after it is `written`. */
function recording(
  { store, log, clock }: RecordingDeps,
  row: SessionRow,
  replaces: boolean,
  written: Promise<void>,
): Recording {
  return {
    written,
    async undo() {
      try {
        await written;
      } catch {
        return;
      }
      try {
        if (replaces) await store.end(row, "not_started", clock.date());
        else await store.forget(row);
      } catch (error) {
        log.error("session.undo_failed", { server: row.server, session: row.instance, error });
      }
    },
  };
}

/**
 * Begins to write `row`. `replaces`: its id had a session that has ended, which is still to be seen
 * after {@link Recording.undo}.
 */
export function record(deps: RecordingDeps, row: SessionRow, replaces: boolean): Recording {
  const written = deps.store.begin(row, deps.clock.date());
  // Heard of by who waits for it, after the launch.
  written.catch(() => {});
  return recording(deps, row, replaces, written);
}

/** Makes the session this node's before anything of it runs. */
async function recordOwn(
  deps: RecordingDeps,
  row: SessionRow,
  known: KnownSession | null,
  ownership: Ownership,
): Promise<Recording> {
  const node = ownership.id;
  if (node === null) throw nodeCutOff();
  const own = recording(deps, row, known?.isRecent ?? false, Promise.resolve());
  let isTaken: boolean;
  try {
    isTaken = await deps.store.acquire(row, deps.clock.date(), {
      node,
      seen: known?.instance ?? null,
    });
  } catch (error) {
    // It may be written all the same.
    await own.undo();
    throw error;
  }
  if (!isTaken) throw new Elsewhere(null);
  return own;
}

/**
 * Begins to write the row of a session, of whose id `known` was found. Where nodes share sessions it
 * is written, and the session this node's, before anything of it runs.
 *
 * @throws {Elsewhere} When another node was first.
 */
export async function recordBegin(
  deps: RecordingDeps & { ownership?: Ownership | undefined },
  row: SessionRow,
  known: KnownSession | null,
): Promise<Recording> {
  const { ownership } = deps;
  if (ownership !== undefined) return await recordOwn(deps, row, known, ownership);
  return record(deps, row, known?.isRecent ?? false);
}
