/**
 * What changed since the last version: findings that are new, and findings that are gone.
 *
 * @module
 */
import type { HistoryEntry } from "../../../registry/scanning/scan_schema.ts";
import type { Finding } from "../../../scan/schema.ts";
import { plural } from "../../../text/plural.ts";
import type { PageRequest } from "../../layout/context.ts";
import { Prose } from "../../layout/prose.tsx";
import { shortVersion } from "../history/trends.tsx";

/** Findings that are shown. */
const SHOWN = 5;

/** The newest scan, and the newest one of an earlier version; else the one before. */
function comparedScans(scans: readonly HistoryEntry[]): [HistoryEntry, HistoryEntry] | null {
  const [newest, ...older] = scans;
  const before = older.find(({ version }) => version !== newest?.version) ?? older[0];
  return newest === undefined || before === undefined ? null : [newest, before];
}

function List({ title, findings }: { title: string; findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  const more = findings.length - SHOWN;
  return (
    <>
      <h3>{title}</h3>
      <ul class="compact">
        {findings.slice(0, SHOWN).map(({ severity, title: text, file }) => (
          <li>
            <span class={`severity ${severity}`}>{severity}</span> <Prose text={text} />
            {file === null ? null : <span class="quiet">{` ${file}`}</span>}
          </li>
        ))}
        {more > 0 ? <li class="quiet">and {more} more</li> : null}
      </ul>
    </>
  );
}

/** The section; nothing for a server that was scanned once. */
export async function Changes(
  { request, name, scans }: {
    request: PageRequest;
    name: string;
    /** The kept scans, newest first. */
    scans: readonly HistoryEntry[];
  },
) {
  const { services, visitor, links } = request;
  const compared = comparedScans(scans);
  if (compared === null) return null;
  const [newest, before] = compared;
  const { comparison } = await services.app.registry.compareScan(
    newest.id,
    visitor.caller,
    before.id,
  );
  const { new: added, fixed } = comparison;
  const versions = links.path(`/servers/${name}/versions`);
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">
        Since{" "}
        {newest.version === before.version ? "the scan before" : `version ${shortVersion(before)}`}
      </h2>
      <p>
        {added.length + fixed.length === 0
          ? "Nothing has changed."
          : `${plural(added.length, "new finding")}, ${fixed.length} fixed.`}{" "}
        <a href={`${versions}?scan=${newest.id}&against=${before.id}`}>Compare the scans</a>
      </p>
      <List title="New" findings={added} />
      <List title="Fixed" findings={fixed} />
    </section>
  );
}
