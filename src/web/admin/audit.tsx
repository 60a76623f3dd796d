/**
 * `/admin/audit`: the audit log.
 *
 * @module
 */
import { type AuditEntry, type AuditPage, AuditQuery } from "../../audit/schema.ts";
import { AppError } from "../../errors.ts";
import { usernamesOf } from "../../names/users.ts";
import { issueText } from "../../issues.ts";
import { AuditTable, MorePages, userIdsIn } from "../layout/audit_table.tsx";
import { TextField } from "../layout/forms.tsx";
import { Alert, Empty } from "../layout/parts.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import { showAdmin } from "./frame.tsx";

const LABELS = {
  actor: "Actor",
  subject: "Target",
  action: "Action",
  since: "From (UTC)",
  until: "To (UTC)",
} as const;
type FieldName = keyof typeof LABELS;
const NAMES = Object.keys(LABELS) as FieldName[];
const ATTRIBUTES: Partial<Record<FieldName, Record<string, string>>> = {
  actor: { placeholder: "username" },
  subject: { placeholder: "weather" },
  action: { placeholder: "server.create" },
  since: { type: "date" },
  until: { type: "date" },
};
const DAY_MS = 86_400_000;

type Asked = Readonly<Record<FieldName, string>>;
type Faults = Partial<Record<FieldName | "cursor", string>>;

/** The days that the form has, as the times that the log is read by; the last day counts too. */
function timeOf(name: FieldName, value: string): string {
  const day = name === "since" || name === "until" ? Date.parse(value) : NaN;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value) || Number.isNaN(day)) return value;
  return new Date(name === "until" ? day + DAY_MS : day).toISOString();
}

/** The page that is asked for, or what is wrong with what was typed. */
async function read(
  { c, services }: UserRequest,
  asked: Asked,
): Promise<AuditPage<AuditEntry> | Faults> {
  const cursor = c.req.query("cursor");
  const given = NAMES.filter((name) => asked[name] !== "")
    .map((name) => [name, timeOf(name, asked[name])]);
  const query = { ...Object.fromEntries(given), ...(cursor ? { cursor } : {}), limit: "50" };
  const parsed = AuditQuery.safeParse(query);
  if (!parsed.success) {
    return Object.fromEntries(
      parsed.error.issues.map((issue) => [String(issue.path[0]), issueText(issue)]),
    );
  }
  try {
    return await services.app.audit.list(parsed.data);
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_request") {
      return { cursor: error.message };
    }
    throw error;
  }
}

export async function showAudit(request: UserRequest): Promise<Response> {
  const { c, services, links } = request;
  const asked = Object.fromEntries(
    NAMES.map((name) => [name, (c.req.query(name) ?? "").trim()]),
  ) as Asked;
  const found = await read(request, asked);
  const isPage = "entries" in found;
  const faults = isPage ? {} : found;
  const { entries, nextCursor } = isPage
    ? found as AuditPage<AuditEntry>
    : { entries: [], nextCursor: null };
  const usernames = await usernamesOf(services.sql, userIdsIn(entries));
  const next = nextCursor === null ? null : `?${new URLSearchParams({
    ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== "")),
    cursor: nextCursor,
  })}`;
  return await showAdmin(request, {
    tab: "/admin/audit",
    title: "Audit log",
    status: isPage ? 200 : 400,
    content: (
      <>
        <form method="get" action={links.path("/admin/audit")} class="filters spaced">
          {NAMES.map((name) => (
            <TextField
              view={{
                name,
                label: LABELS[name],
                value: asked[name],
                required: false,
                fault: faults[name] === undefined ? undefined : `This value ${faults[name]}`,
                attributes: { autocomplete: "off", ...ATTRIBUTES[name] },
              }}
            />
          ))}
          <button type="submit" class="secondary">Filter</button>
        </form>
        {faults.cursor === undefined ? null : (
          <Alert>
            <p>{faults.cursor}</p>
          </Alert>
        )}
        {entries.length > 0
          ? <AuditTable entries={entries} label="Audit log" who usernames={usernames} />
          : isPage
          ? <Empty title="No matching entries" />
          : null}
        <MorePages href={next} />
      </>
    ),
  });
}
