/**
 * `/servers/{name}/versions`: every scan that is kept, and what changed from each to the next.
 *
 * @module
 */
import type { HistoryEntry } from "../../../registry/scanning/scan_schema.ts";
import type { Finding } from "../../../scan/schema.ts";
import type { PageRequest } from "../../layout/context.ts";
import { Empty, Table, Time } from "../../layout/parts.tsx";
import { plural } from "../../../text/plural.ts";
import { SelectField } from "../../layout/forms.tsx";
import { Prose } from "../../layout/prose.tsx";
import { MorePages } from "../../layout/audit_table.tsx";
import { showPage } from "../../layout/respond.tsx";
import { Verdict } from "../../layout/verdict.tsx";
import { headOf, ServerFrame } from "../frame.tsx";
import { loadServer } from "../load.ts";
import { ChangesTrend, FindingsTrend, shortVersion } from "./trends.tsx";

const PAGE = 30;
const SHOWN_MAX = 50;

function FindingList({ title, findings }: { title: string; findings: Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <>
      <h3>
        {title}
        <span class="count">{findings.length}</span>
      </h3>
      <ul class="compact">
        {findings.slice(0, SHOWN_MAX).map(({ severity, title, file, line }) => (
          <li>
            <span class={`severity ${severity}`}>{severity}</span> <Prose text={title} />
            {file === null
              ? null
              : <span class="quiet">{` ${file}${line === null ? "" : `:${line}`}`}</span>}
          </li>
        ))}
        {findings.length > SHOWN_MAX
          ? <li class="quiet">and {findings.length - SHOWN_MAX} more</li>
          : null}
      </ul>
    </>
  );
}

/** What one scan found that another one had not, and the other way round. */
async function Difference(
  { request, id, against }: { request: PageRequest; id: string; against: string | undefined },
) {
  const { registry } = request.services.app;
  const caller = request.visitor.caller;
  const { kept, with: other, comparison } = await registry.compareScan(id, caller, against);
  const earlier = against === undefined || other === null
    ? null
    : (await registry.scanReport(other, caller)).version;
  const { new: added, fixed, unchanged } = comparison;
  return (
    <section aria-labelledby="difference">
      <h2 id="difference">
        Version {kept.version} compared with{" "}
        {earlier === null ? "the previous scan" : `version ${earlier}`}
      </h2>
      <p class="quiet">
        {plural(added.length, "new finding")}, {fixed.length} fixed, {unchanged} unchanged.
      </p>
      <FindingList title="New" findings={added} />
      <FindingList title="Fixed" findings={fixed} />
    </section>
  );
}

/** A form that compares any two scans of the page. */
function Compare(
  { request, base, scans, asked }: {
    request: PageRequest;
    base: string;
    scans: readonly HistoryEntry[];
    asked: { scan: string | undefined; against: string | undefined };
  },
) {
  if (scans.length < 2) return null;
  const options = scans.map((scan) =>
    [scan.id, `${shortVersion(scan)} · ${scan.finished_at.slice(0, 16).replace("T", " ")}`] as const
  );
  return (
    <form
      method="get"
      action={request.links.path(base)}
      class="filters compare spaced"
      aria-label="Compare two scans"
    >
      <SelectField
        view={{ name: "scan", label: "Compare", value: asked.scan ?? scans[0]!.id }}
        options={options}
      />
      <SelectField
        view={{ name: "against", label: "With", value: asked.against ?? scans[1]!.id }}
        options={options}
      />
      <button type="submit" class="secondary">Compare</button>
    </form>
  );
}

function changes({ new_issues, fixed_issues }: HistoryEntry): string {
  if (new_issues + fixed_issues === 0) return "no changes";
  return [
    new_issues > 0 ? `${new_issues} new` : null,
    fixed_issues > 0 ? `${fixed_issues} fixed` : null,
  ].filter((part) => part !== null).join(", ");
}

function Row({ request, base, scan }: { request: PageRequest; base: string; scan: HistoryEntry }) {
  const { links } = request;
  return (
    <tr>
      <th scope="row">
        <a href={links.path(`/scans/${scan.id}`)}>{scan.version}</a>
      </th>
      <td data-label="Scan">
        <Verdict status={scan.status} />
      </td>
      <td data-label="Findings">{scan.summary.total_issues_all_scanners}</td>
      <td data-label="Changes">
        {scan.previous === null
          ? <span class="quiet">first scan</span>
          : (
            <a href={links.path(`${base}?scan=${scan.id}`)}>
              {changes(scan)}
              <span class="visually-hidden">{` in ${scan.version}`}</span>
            </a>
          )}
      </td>
      <td data-label="Trigger">{scan.action}</td>
      <td data-label="Commit">
        <code>{scan.commit.slice(0, 10)}</code>
      </td>
      <td class="nowrap" data-label="Scanned">
        <Time at={scan.finished_at} exact />
      </td>
    </tr>
  );
}

export async function showVersions(request: PageRequest): Promise<Response> {
  const loaded = await loadServer(request);
  const { c, services } = request;
  const { name } = loaded.server;
  const idIn = (name: string) => /^[\w-]{1,64}$/.exec(c.req.query(name) ?? "")?.[0];
  const asked = { scan: idIn("scan"), against: idIn("against") };
  const cursor = idIn("cursor");
  const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
  const { scans, nextCursor } = await services.app.registry.scans(
    name,
    query,
    request.visitor.caller,
  );
  const oldestFirst = scans.toReversed();
  const base = `/servers/${name}/versions`;
  return await showPage(
    request,
    headOf(loaded, "/versions", "Versions"),
    <ServerFrame request={request} loaded={loaded} tab="/versions">
      {asked.scan === undefined
        ? null
        : await Difference({ request, id: asked.scan, against: asked.against })}
      <h2>Versions and scans</h2>
      <p class="quiet">All stored scans, newest first. Sessions run the latest version.</p>
      <div class="trends">
        <FindingsTrend scans={oldestFirst} />
        <ChangesTrend scans={oldestFirst} />
      </div>
      <Compare request={request} base={base} scans={scans} asked={asked} />
      {scans.length === 0 ? <Empty title="No stored scans yet" /> : (
        <Table
          label="Versions"
          stack
          columns={[
            "Version",
            "Scan",
            "Findings",
            "Changes",
            "Trigger",
            "Commit",
            "Scanned",
          ]}
        >
          {scans.map((scan) => <Row request={request} base={base} scan={scan} />)}
        </Table>
      )}
      <MorePages href={nextCursor && `?cursor=${encodeURIComponent(nextCursor)}`} />
    </ServerFrame>,
  );
}
