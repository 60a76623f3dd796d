/**
 * The row of a session that is being launched, which is written meanwhile: a launch takes longer than
 * the database, and most go well.
 *
 * @module
 */
import type { Logger } from "../../log.ts";
import type { SessionRow, SessionStore } from "./store.ts";

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
  now: () => Date;
}

/**
 * Begins to write `row`. `replaces`: its id had a session that has ended, which is still to be seen
 * after {@link Recording.undo}.
 */
export function record(deps: RecordingDeps, row: SessionRow, replaces: boolean): Recording {
  const { store, log, now } = deps;
  const written = store.begin(row, now());
  // Heard of by who waits for it, after the launch.
  written.catch(() => {});
  return {
    written,
    async undo() {
      try {
        await written;
      } catch {
        return;
      }
      try {
        if (replaces) await store.end(row, "not_started", now());
        else await store.forget(row);
      } catch (error) {
        log.error("session.undo_failed", { server: row.server, session: row.instance, error });
      }
    },
  };
}
