/**
 * Entries of the audit log as a table.
 *
 * @module
 */
import type { ServerAuditEntry } from "../../audit/schema.ts";
import { Table, Time } from "./parts.tsx";

function shown(details: ServerAuditEntry["details"]): string {
  return Object.entries(details)
    .map(([key, value]) => `${key}: ${Array.isArray(value) ? value.join(", ") : String(value)}`)
    .join(" · ");
}

/** The table; `who` adds a column. */
export function AuditTable(
  { entries, label, who = false }: {
    entries: readonly ServerAuditEntry[];
    label: string;
    who?: boolean;
  },
) {
  return (
    <Table label={label} dense columns={["When", ...(who ? ["Who"] : []), "What", "Details"]}>
      {entries.map((entry) => (
        <tr>
          <td class="nowrap">
            <Time at={entry.at} exact />
          </td>
          {who ? <td>{entry.username ?? entry.by}</td> : null}
          <td>
            <code>{entry.action}</code> <bdi>{entry.subject}</bdi>
          </td>
          <td class="wrap">
            <bdi>{shown(entry.details)}</bdi>
          </td>
        </tr>
      ))}
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
