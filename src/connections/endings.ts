/**
 * Connections that have ended: their services are told that the tokens are not used any more
 * (RFC 7009), whatever ended them: their user, or the end of the account or of the server.
 *
 * @module
 */
import { tokensIn } from "../keys/connection.ts";
import { type KeptRow, placeOf } from "../keys/store.ts";
import type { ConnectionsDeps } from "./deps.ts";
import { NoAnswer } from "./request.ts";
import { revokeTokens } from "./tokens.ts";

const BATCH = 10;
/** Times that a service which does not answer is told. */
const ATTEMPTS_MAX = 6;
/** Before the second attempt; each further one waits four times as long. */
const FIRST_WAIT_SECONDS = 60;

type Ending = KeptRow & { id: string; attempts: number };

/** Takes what is due; another node does not take it meanwhile. */
async function takeDue({ sql, now }: ConnectionsDeps): Promise<Ending[]> {
  const time = now();
  return await sql<Ending[]>`
    update connection_endings set attempts = attempts + 1,
      due_at = ${time}::timestamptz
        + make_interval(secs => ${FIRST_WAIT_SECONDS} * power(4, attempts))
    where id in (
      select id from connection_endings where due_at <= ${time} order by due_at limit ${BATCH}
      for update skip locked
    )
    returning id, server, subject, name, key_id, wrapped, sealed, attempts`;
}

/** Tells the service; false when it is to be told again. */
async function tell(deps: ConnectionsDeps, ending: Ending): Promise<boolean> {
  const envelope = { keyId: ending.key_id, wrapped: ending.wrapped, sealed: ending.sealed };
  const opened = await deps.ring?.open(placeOf(ending), envelope) ?? null;
  // Under a key that is lost: nobody can tell any more.
  if (opened === null) return true;
  try {
    await revokeTokens(deps.ask, tokensIn(opened));
    return true;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    const { server, name, attempts } = ending;
    deps.log.warn("connections.not_revoked", { server, variable: name, attempts, error });
    return attempts >= ATTEMPTS_MAX;
  }
}

/** Tells services of connections that have ended. @returns How many are done with. */
export async function tellEndings(deps: ConnectionsDeps): Promise<number> {
  let done = 0;
  for (;;) {
    const due = await takeDue(deps);
    for (const ending of due) {
      if (!await tell(deps, ending)) continue;
      await deps.sql`delete from connection_endings where id = ${ending.id}`;
      done += 1;
    }
    if (due.length < BATCH) return done;
  }
}
