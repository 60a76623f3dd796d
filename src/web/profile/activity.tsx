/**
 * `/profile/activity`: what the audit log has of a user's own doings.
 *
 * @module
 */
import type { AuditEntry } from "../../audit/schema.ts";
import { usernamesOf } from "../../names/users.ts";
import { AuditTable, MorePages, userIdsIn } from "../layout/audit_table.tsx";
import { Empty } from "../layout/parts.tsx";
import { showPage } from "../layout/respond.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import { ProfileFrame } from "./frame.tsx";

const PAGE = 50;

export async function showActivity(request: UserRequest): Promise<Response> {
  const { c, caller, services } = request;
  const cursor = c.req.query("cursor");
  const { entries, nextCursor } = await services.app.audit.list({
    actor: caller.userId,
    limit: PAGE,
    ...(cursor === undefined ? {} : { cursor }),
  });
  // The log's filter takes usernames too: another's could read like this user's id.
  const own: AuditEntry[] = entries.filter(({ actor }) => actor === caller.userId);
  const usernames = await usernamesOf(services.sql, userIdsIn(own));
  return await showPage(
    request,
    { title: "Your activity", section: "profile" },
    <ProfileFrame request={request} tab="/profile/activity">
      <section aria-labelledby="activity">
        <h2 id="activity">Activity</h2>
        <p class="quiet">Changes, sign-ins and tokens of your account, newest first.</p>
        {own.length === 0
          ? <Empty title="No activity yet" />
          : <AuditTable entries={own} label="Your activity" usernames={usernames} />}
        <MorePages href={nextCursor && `?cursor=${encodeURIComponent(nextCursor)}`} />
      </section>
    </ProfileFrame>,
  );
}
