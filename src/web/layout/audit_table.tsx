/**
 * Entries of the audit log as a table.
 *
 * @module
 */
import type { Child } from "hono/jsx";
import type { ServerAuditEntry } from "../../audit/schema.ts";
import { Table, Time } from "./parts.tsx";

/** What only machines remember: ids and digests. */
const ID = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,})$/i;
const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
/** Details that are user ids. */
const USERS = ["owner", "from", "to"];
/** Actions whose subject is a user's id. */
const ON_USERS = /^(account\.|user\.\w+_admin$)/;

type Value = ServerAuditEntry["details"][string];
type Usernames = ReadonlyMap<string, string>;

/** The user ids that entries name, to be looked up for {@link AuditTable}. */
export function userIdsIn(entries: readonly ServerAuditEntry[]): string[] {
  const ids = entries.flatMap(({ action, subject, details }) => [
    ...(ON_USERS.test(action) ? [subject] : []),
    ...USERS.map((key) => details[key]).filter((value) => typeof value === "string"),
  ]);
  return [...new Set(ids)];
}

/** What an entry shows in words, and the ids behind it. */
interface Shown {
  subject: string | null;
  details: [label: string, value: Child][];
  ids: [label: string, id: string][];
}

function valueOf(value: Value): Child {
  if (typeof value === "string" && TIME.test(value)) return <Time at={value} exact />;
  return <bdi>{Array.isArray(value) ? value.join(", ") : String(value)}</bdi>;
}

function shownOf(entry: ServerAuditEntry, usernames: Usernames): Shown {
  const { action, subject, details } = entry;
  const isId = ID.test(subject);
  const named = ON_USERS.test(action) ? usernames.get(subject) : undefined;
  const shown: Shown = {
    // A token is known by its name, which is among its details.
    subject: named ?? (isId ? null : subject),
    details: [],
    ids: named !== undefined || isId ? [[action.split(".")[0]!, subject]] : [],
  };
  for (const [key, value] of Object.entries(details)) {
    const label = key.replaceAll("_", " ");
    const user = USERS.includes(key) ? usernames.get(String(value)) : undefined;
    if (user !== undefined) shown.details.push([label, <bdi>{user}</bdi>]);
    if (user !== undefined || (typeof value === "string" && ID.test(value))) {
      shown.ids.push([label, String(value)]);
    } else shown.details.push([label, valueOf(value)]);
  }
  return shown;
}

function Ids({ ids }: { ids: Shown["ids"] }) {
  if (ids.length === 0) return null;
  return (
    <details class="ids">
      <summary>{ids.length === 1 ? "Id" : "Ids"}</summary>
      {ids.map(([label, id]) => (
        <p>
          {label}: <code>{id}</code>
        </p>
      ))}
    </details>
  );
}

function Row(
  { entry, who, usernames }: { entry: ServerAuditEntry; who: boolean; usernames: Usernames },
) {
  const { subject, details, ids } = shownOf(entry, usernames);
  return (
    <tr>
      <td class="nowrap" data-label="Time">
        <Time at={entry.at} exact />
      </td>
      {who ? <td data-label="Actor">{entry.username ?? entry.by}</td> : null}
      <td data-label="Action">
        <code>{entry.action}</code> {subject === null ? null : <bdi>{subject}</bdi>}
      </td>
      <td class="wrap" data-label="Details">
        {details.map(([label, value], index) => (
          <>
            {index === 0 ? "" : " · "}
            {label}: {value}
          </>
        ))}
        <Ids ids={ids} />
      </td>
    </tr>
  );
}

const NO_NAMES: Usernames = new Map();

/** The table; `who` adds a column. Names of the users behind ids are in `usernames`. */
export function AuditTable(
  { entries, label, who = false, usernames = NO_NAMES }: {
    entries: readonly ServerAuditEntry[];
    label: string;
    who?: boolean;
    usernames?: Usernames;
  },
) {
  const columns = ["Time", ...(who ? ["Actor"] : []), "Action", "Details"];
  return (
    <Table label={label} dense stack columns={columns}>
      {entries.map((entry) => <Row entry={entry} who={who} usernames={usernames} />)}
    </Table>
  );
}

/** A link to the next page of a list, where there is one. */
export function MorePages({ href, label = "Older" }: { href: string | null; label?: string }) {
  if (href === null) return null;
  return (
    <nav class="pages" aria-label="Pages">
      <a href={href} rel="next" class="button secondary">{label}</a>
    </nav>
  );
}
