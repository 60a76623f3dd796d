/**
 * What nodes tell each other, as far as sessions that run depend on it.
 *
 * @module
 */
import { z } from "zod";
import { LEFT_CHANNEL } from "../account/delete.ts";
import type { Sql } from "../database/client.ts";
import type { Execution } from "../execution/execution.ts";
import { GROUPS_CHANNEL } from "../identity/groups.ts";
import { KEPT_CHANNEL, KeptChange } from "../keys/store.ts";
import type { Logger } from "../log.ts";
import { RIGHT_ENDED_CHANNEL } from "../payments/receive.ts";
import { CHANGED_CHANNEL } from "../registry/servers/store.ts";

/** Channel on which nodes tell each other of servers that were removed, or refused to run. */
export const ENDED_CHANNEL = "berth_server_removed";

const EndedRight = z.object({ server: z.string(), userId: z.string() });

type Told = (execution: Execution, text: string) => Promise<void>;

/** What is done about each message, and the log's name for its failure. */
const CHANNELS: readonly (readonly [channel: string, failure: string, told: Told])[] = [
  [
    ENDED_CHANNEL,
    "sessions.end_failed",
    (execution, name) => execution.endServerSessions(name),
  ],
  [
    CHANGED_CHANNEL,
    "sessions.end_waiting_failed",
    (execution, name) => execution.endWaiting(name),
  ],
  [RIGHT_ENDED_CHANNEL, "sessions.recheck_failed", async (execution, text) => {
    const { server, userId } = EndedRight.parse(JSON.parse(text));
    await execution.recheckPayment(server, userId);
  }],
  [
    LEFT_CHANNEL,
    "sessions.end_of_user_failed",
    (execution, userId) => execution.endUserSessions(userId),
  ],
  [
    GROUPS_CHANNEL,
    "sessions.recheck_user_failed",
    (execution, userId) => execution.recheckUser(userId),
  ],
  [KEPT_CHANNEL, "sessions.recheck_kept_failed", async (execution, text) => {
    const { server, subject } = KeptChange.parse(JSON.parse(text));
    await execution.recheckKept(server, subject);
  }],
];

/** Has the sessions of this node follow what others tell. @returns What ends it. */
export async function listenForSessions(
  sql: Sql,
  log: Logger,
  execution: Execution,
): Promise<() => Promise<void>> {
  const listening: Awaited<ReturnType<Sql["listen"]>>[] = [];
  /** What was told while there was no connection is lost. */
  function again() {
    execution.recheckAll().catch((error) => log.error("sessions.recheck_failed", { error }));
  }
  for (const [channel, failure, told] of CHANNELS) {
    let isFirst = true;
    const one = await sql.listen(channel, (text) => {
      told(execution, text).catch((error) => log.error(failure, { error }));
    }, () => {
      // All channels have one connection.
      if (!isFirst && channel === ENDED_CHANNEL) again();
      isFirst = false;
    });
    listening.push(one);
  }
  return async () => {
    for (const one of listening) await one.unlisten();
  };
}
