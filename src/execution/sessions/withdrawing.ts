/**
 * Values that sessions lose while they run, because whoever kept them has removed or replaced them.
 *
 * @module
 */
import type { Entry } from "./entry.ts";
import type { SessionsDeps } from "./types.ts";

type WithdrawDeps = Pick<SessionsDeps, "keptOrigins" | "log">;

/** What is kept now; where nobody can say, nothing is taken to be. */
async function originsNow(
  { keptOrigins, log }: WithdrawDeps,
  { row }: Entry,
): Promise<Set<string>> {
  try {
    return await keptOrigins?.(row.server, row.userId!) ?? new Set();
  } catch (error) {
    log.error("session.kept_values_unknown", { server: row.server, session: row.instance, error });
    return new Set();
  }
}

/**
 * Has the broker send nothing any more of what the session has from what is not kept as it was.
 *
 * @returns Whether its code has some of that itself: then only its end helps.
 */
export async function withdrawGone(deps: WithdrawDeps, entry: Entry): Promise<boolean> {
  const { kept, sealed } = entry.values;
  if (Object.keys(kept).length === 0) return false;
  const now = await originsNow(deps, entry);
  const gone = Object.keys(kept).filter((name) => !now.has(kept[name]!));
  for (const secret of sealed) if (gone.includes(secret.name)) secret.isWithdrawn = true;
  return gone.some((name) => !sealed.some((secret) => secret.name === name));
}

/** {@link withdrawGone}, and ends the session where that is needed. */
export async function recheckKept(
  deps: WithdrawDeps,
  entry: Entry,
  finish: (entry: Entry, reason: string) => Promise<void>,
): Promise<void> {
  const check = async () => {
    if (await withdrawGone(deps, entry)) await finish(entry, "key_removed");
  };
  await check();
  // One that is just beginning, or being stored, may have read its values before.
  await Promise.allSettled([entry.ready, entry.leaving]);
  await check();
}
