/**
 * `/admin/audit`: the audit log.
 *
 * @module
 */
import { AuditQuery } from "../../audit/schema.ts";
import { AuditTable, MorePages } from "../layout/audit_table.tsx";
import { TextField } from "../layout/forms.tsx";
import { Empty } from "../layout/parts.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import { showAdmin } from "./frame.tsx";

/** Shows the audit log. */
export async function showAudit(request: UserRequest): Promise<Response> {
  const { c, services } = request;
  const names = ["actor", "subject", "action"] as const;
  const asked = names.map((name) => [name, (c.req.query(name) ?? "").trim()] as const);
  const given = Object.fromEntries(asked.filter(([, value]) => value !== ""));
  const cursor = c.req.query("cursor");
  const parsed = AuditQuery.safeParse({ ...given, ...(cursor ? { cursor } : {}), limit: "50" });
  const page = parsed.success
    ? await services.app.audit.list(parsed.data)
    : { entries: [], nextCursor: null };
  const next = page.nextCursor === null
    ? null
    : `?${new URLSearchParams({ ...given, cursor: page.nextCursor })}`;
  return await showAdmin(request, {
    tab: "/admin/audit",
    title: "Audit log",
    content: (
      <>
        <form method="get" action={request.links.path("/admin/audit")} class="filters spaced">
          {asked.map(([name, value]) => (
            <TextField
              view={{
                name,
                label: { actor: "Who", subject: "What it was done to", action: "Action" }[name],
                value,
                required: false,
                attributes: { autocomplete: "off" },
              }}
            />
          ))}
          <button type="submit" class="secondary">Show</button>
        </form>
        {page.entries.length === 0
          ? <Empty title="No entry matches" />
          : <AuditTable entries={page.entries} label="Audit log" who />}
        <MorePages href={next} />
      </>
    ),
  });
}
