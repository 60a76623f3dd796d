/**
 * How sessions that were live end.
 *
 * @module
 */
import type { Entry } from "./entry.ts";
import type { SessionsDeps } from "./types.ts";

/** Whether a session is one that is to end. */
export type Meant = (row: Entry["row"], client: Entry["client"]) => boolean | Promise<boolean>;

/** Asks of all at once, so that one that takes time holds none up. */
export async function meantOf(entries: readonly Entry[], meant: Meant): Promise<Entry[]> {
  const are = await Promise.all(entries.map(({ row, client }) => meant(row, client)));
  return entries.filter((_, index) => are[index]);
}

/** Ends the interpreter of a session that is not to be found any more, and says so. Never rejects. */
export async function end(
  { metrics, log, store, clock }: SessionsDeps,
  { row, session, streams }: Entry,
  reason: string,
): Promise<void> {
  metrics.sessionsActive -= 1;
  metrics.sessionsEnded[reason] = (metrics.sessionsEnded[reason] ?? 0) + 1;
  log.info("session.ended", { server: row.server, session: row.instance, reason });
  try {
    await Promise.all([session.close(), store.end(row, reason, clock.date())]);
  } catch (error) {
    log.error("session.end_failed", { server: row.server, session: row.instance, error });
  }
  streams.close();
}

/** Calls `onIdle` once nobody has used the session for the idle time. */
export function watchIdle(
  { clock, idleMs }: Pick<SessionsDeps, "clock" | "idleMs">,
  entry: Entry,
  onIdle: () => void,
): void {
  const idle = entry.uses > 0 ? 0 : clock.now() - entry.lastActive;
  entry.cancelTimer = clock.after(Math.max(0, idleMs - idle), () => {
    const isIdle = entry.uses === 0 && clock.now() - entry.lastActive >= idleMs;
    if (isIdle) onIdle();
    else watchIdle({ clock, idleMs }, entry, onIdle);
  });
}
