/**
 * `/servers/{name}/versions`: every scan that is kept, and what changed from each to the next.
 *
 * @module
 */
import type { HistoryEntry } from "../../registry/scan_schema.ts";
import type { Finding } from "../../scan/schema.ts";
import type { PageRequest } from "../layout/context.ts";
import { Empty, plural, Table, Time } from "../layout/parts.tsx";
import { MorePages } from "../layout/audit_table.tsx";
import { showPage } from "../layout/respond.tsx";
import { Verdict } from "../layout/verdict.tsx";
import { Trend } from "./charts.tsx";
import { headOf, ServerFrame } from "./frame.tsx";
import { loadServer } from "./load.ts";

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
            <span class={`severity ${severity}`}>{severity}</span> <bdi>{title}</bdi>
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

/** What one scan found that the one before had not, and the other way round. */
async function Difference({ request, id }: { request: PageRequest; id: string }) {
  const { registry } = request.services.app;
  const { kept, comparison } = await registry.compareScan(id, request.visitor.caller);
  const { new: added, fixed, unchanged } = comparison;
  return (
    <section aria-labelledby="difference">
      <h2 id="difference">Version {kept.version} against the scan before</h2>
      <p class="quiet">
        {plural(added.length, "new finding")}, {fixed.length} fixed, {unchanged} unchanged.
      </p>
      <FindingList title="New" findings={added} />
      <FindingList title="Fixed" findings={fixed} />
    </section>
  );
}

function changes({ new_issues, fixed_issues }: HistoryEntry): string {
  if (new_issues + fixed_issues === 0) return "no difference";
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
      <td>
        <Verdict status={scan.status} />
      </td>
      <td>{scan.summary.total_issues_all_scanners}</td>
      <td>
        {scan.previous === null
          ? <span class="quiet">the first</span>
          : (
            <a href={links.path(`${base}?scan=${scan.id}`)}>
              {changes(scan)}
              <span class="visually-hidden">{` in ${scan.version}`}</span>
            </a>
          )}
      </td>
      <td>{scan.action}</td>
      <td>
        <code>{scan.commit.slice(0, 10)}</code>
      </td>
      <td class="nowrap">
        <Time at={scan.finished_at} exact />
      </td>
    </tr>
  );
}

/** Shows the page. */
export async function showVersions(request: PageRequest): Promise<Response> {
  const loaded = await loadServer(request);
  const { c, services } = request;
  const { name } = loaded.server;
  const cursor = c.req.query("cursor");
  const asked = c.req.query("scan");
  const known = (id: string | undefined) => id !== undefined && /^[\w-]{1,64}$/.test(id);
  const { scans, nextCursor } = await services.app.registry.scans(name, {
    limit: PAGE,
    ...(known(cursor) ? { cursor: cursor! } : {}),
  });
  const points = scans.toReversed().map(({ version, summary }) => ({
    label: version,
    value: summary.total_issues_all_scanners,
  }));
  const base = `/servers/${name}/versions`;
  return await showPage(
    request,
    headOf(loaded, "/versions", "Versions"),
    <ServerFrame request={request} loaded={loaded} tab="/versions">
      {known(asked) ? await Difference({ request, id: asked! }) : null}
      <h2>Versions and scans</h2>
      <p class="quiet">Every scan that was stored, newest first. Sessions run the newest.</p>
      <Trend points={points} what="Findings" />
      {scans.length === 0 ? <Empty title="No scan of this server is kept yet" /> : (
        <Table
          label="Versions"
          columns={[
            "Version",
            "Scan",
            "Findings",
            "Against the one before",
            "Why",
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
