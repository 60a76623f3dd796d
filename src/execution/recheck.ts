/**
 * Sessions whose server or payment may have changed without this node being told.
 *
 * @module
 */
import { eachAtOnce } from "../at_once.ts";
import { type AdmissionDeps, mayStillSee } from "./admission/admission.ts";
import { whyNotCapable } from "./admission/runnable.ts";
import type { Sessions } from "./sessions/sessions.ts";

/** What is done about a server that has changed. */
interface Endings {
  endServerSessions(name: string): Promise<void>;
  endWaiting(name: string): Promise<void>;
}

/** Whether a server is no more, or its capabilities are refused, which ends its sessions. */
async function isRemoved(deps: AdmissionDeps, name: string): Promise<boolean> {
  const server = await deps.findRunnable(name);
  return server === null || whyNotCapable(server, deps.capabilities ?? "show")?.by === "refused";
}

/** Ends sessions of a server, or of a user, whose clients may not read their servers any more. */
export async function endUnreadable(
  deps: Pick<AdmissionDeps, "mayRead" | "isAdministrator">,
  sessions: Pick<Sessions, "endAll">,
  which: { server: string } | { userId: string },
): Promise<void> {
  await sessions.endAll(async (row, client) => {
    const isMeant = "server" in which ? row.server === which.server : row.userId === which.userId;
    return isMeant && !await mayStillSee(deps, row.server, client);
  }, "not_readable");
}

/** Sessions that are looked at anew at once. */
const RECHECKED_AT_ONCE = 4;

/** Looks at all sessions anew: what was told of their servers and users may have been told in vain. */
export async function recheckAll(
  deps: AdmissionDeps,
  sessions: Sessions,
  { endServerSessions, endWaiting }: Endings,
): Promise<void> {
  const live = sessions.list();
  const names = new Set(live.map(({ server }) => server));
  await eachAtOnce([...names], RECHECKED_AT_ONCE, async (name) => {
    if (await isRemoved(deps, name)) return await endServerSessions(name);
    await Promise.all([endWaiting(name), sessions.recheckKept(name, null)]);
  });
  await eachAtOnce(live, RECHECKED_AT_ONCE, async ({ server, userId }) => {
    if (userId !== null) await sessions.recheckPayment(server, userId);
  });
}
