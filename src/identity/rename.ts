/**
 * Changing one's username.
 *
 * @module
 */
import { recordChange } from "../audit/audit.ts";
import type { Sql } from "../database/client.ts";
import { isUniqueViolation } from "../database/errors.ts";
import type { RequestContext } from "../request.ts";
import { claimUsername } from "../names/namespaces.ts";
import type { Caller } from "./caller.ts";
import { callerNotFound, usernameFixed, usernameTaken } from "./failures.ts";

export interface RenameDeps {
  sql: Sql;
  now: () => Date;
}

/**
 * Gives `caller` another username, once. Asking for the present one changes nothing.
 *
 * @throws {AppError} `conflict` when the name is taken, as a username or as an author, or when it
 * was changed before.
 */
export async function renameUser(
  { sql, now }: RenameDeps,
  caller: Caller,
  username: string,
  context: RequestContext,
): Promise<Caller> {
  const subject = caller.userId;
  try {
    await sql.begin(async (tx) => {
      const [user] = await tx<{ username: string; changed: boolean }[]>`
        select username, username_changed_at is not null as changed
        from users where subject = ${subject} for update`;
      if (user === undefined) throw callerNotFound();
      if (user.username === username) return;
      if (user.changed) throw usernameFixed();
      const at = now();
      await tx`
        update users set username = ${username}, username_changed_at = ${at}
        where subject = ${subject}`;
      if (!await claimUsername(tx, username, subject, at)) throw usernameTaken(username);
      await recordChange(tx, {
        actor: subject,
        action: "user.rename",
        subject: username,
        requestId: context.requestId,
        at,
        details: { before: user.username },
      });
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw usernameTaken(username);
    throw error;
  }
  return { ...caller, username };
}
