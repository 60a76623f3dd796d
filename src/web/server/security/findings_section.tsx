/**
 * The findings of a report, as the security page shows them.
 *
 * @module
 */
import { SEVERITIES, type StageName, STAGES } from "../../../scan/schema.ts";
import type { PageRequest } from "../../layout/context.ts";
import { SelectField } from "../../layout/forms.tsx";
import { Empty } from "../../layout/parts.tsx";
import { plural } from "../../../text/plural.ts";
import { SeverityBar } from "../history/charts.tsx";
import { hiddenLines } from "../source/excerpt.ts";
import { type FindingContext, FindingItem } from "./finding_item.tsx";
import { FindingKind } from "./finding_kind.tsx";
import {
  findingsAddress,
  type FindingsQuery,
  type FindingsView,
  viewFindings,
} from "./findings.ts";
import type { LoadedServer, ScannedFiles } from "../load.ts";
import { STAGE_TITLES } from "./stages.ts";

/** The heading of a group of findings. */
function headingOf(title: string, group: FindingsQuery["group"]): string {
  if (group === "stage") return STAGE_TITLES[title as StageName] ?? title;
  return group === "severity" ? title[0]!.toUpperCase() + title.slice(1) : title;
}

/** What narrows and groups the findings. */
function Filters({ path, query, view }: {
  path: string;
  query: FindingsQuery;
  view: FindingsView;
}) {
  return (
    <form
      method="get"
      action={path}
      class="filters"
      aria-label="Findings"
      hx-get={path}
      hx-target="#finding-list"
      hx-swap="outerHTML"
      hx-push-url="true"
      hx-trigger="change, submit"
      hx-sync="this:replace"
    >
      <SelectField
        view={{ name: "severity", label: "Severity", value: query.severity ?? "" }}
        options={[["", "Any"], ...SEVERITIES.map((one) => [one, one] as const)]}
      />
      <SelectField
        view={{ name: "stage", label: "Stage", value: query.stage ?? "" }}
        options={[["", "Any"], ...STAGES.map((one) => [one, STAGE_TITLES[one]] as const)]}
      />
      {view.weaknesses.length === 0 ? null : (
        <SelectField
          view={{ name: "cwe", label: "Weakness", value: query.cwe ?? "" }}
          options={[
            ["", "Any"],
            ...view.weaknesses.map(([cwe, count]) => [cwe, `${cwe} (${count})`] as const),
          ]}
        />
      )}
      {view.decisive.size === 0 ? null : (
        <SelectField
          view={{ name: "failing", label: "Show", value: String(query.failing) }}
          options={[["false", "All findings"], ["true", "Blocking only"]]}
        />
      )}
      <SelectField
        view={{ name: "group", label: "Group by", value: query.group }}
        options={[["severity", "Severity"], ["stage", "Stage"], ["file", "File"], [
          "rule",
          "Rule",
        ]]}
      />
      <button type="submit" class="secondary">Filter</button>
    </form>
  );
}

/** Why the numbers of findings elsewhere, which count no remarks, are lower. */
function forInformation({ counts: { info }, total }: FindingsView): string {
  if (info === 0) return "";
  return info === total ? ", for information only" : `, of which ${info} for information only`;
}

function Nothing({ query, view }: { query: FindingsQuery; view: FindingsView }) {
  if (query.finding !== null) return <Empty title="The latest scan does not have this finding" />;
  return <Empty title={view.total === 0 ? "No findings" : "No matching findings"} />;
}

/** The findings that `query` asks for; replaced as a whole when a script asks again. */
export async function Findings(
  request: PageRequest,
  { server }: LoadedServer,
  query: FindingsQuery,
  files: ScannedFiles,
) {
  const { links } = request;
  const base = `/servers/${server.name}/security`;
  const report = server.security_report;
  const view = viewFindings(report, query);
  const context: FindingContext = {
    links,
    server: server.name,
    files: view.matching === 0 ? new Map() : await files(server),
    hidden: hiddenLines(report),
    decisive: view.decisive,
  };
  const path = links.path(base);
  const page = (to: number) => links.path(findingsAddress(base, { ...query, page: to }));
  return (
    <section aria-labelledby="findings" id="finding-list">
      <h2 id="findings">Findings</h2>
      <SeverityBar counts={view.counts} />
      <Filters path={path} query={query} view={view} />
      <p class="quiet" role="status">
        {view.matching === view.total
          ? plural(view.total, "finding") + forInformation(view)
          : `${plural(view.matching, "finding")} of ${view.total}`}
      </p>
      {view.matching === 0
        ? <Nothing query={query} view={view} />
        : view.groups.map(({ title, count, rows }) => (
          <>
            <h3 class="group">
              <bdi>{headingOf(title, query.group)}</bdi>
              <span class="count">{count}</span>
            </h3>
            <ul class="findings">
              {rows.map((row) =>
                row.length === 1
                  ? <FindingItem context={context} finding={row[0]!} />
                  : <FindingKind context={context} findings={row} />
              )}
            </ul>
          </>
        ))}
      {query.finding === null ? null : (
        <p>
          <a href={`${path}#findings`}>Show all findings</a>
        </p>
      )}
      {view.pages === 1 ? null : (
        <nav class="pages" aria-label="Pages of findings">
          {query.page > 0
            ? <a href={page(query.page - 1)} class="button secondary" rel="prev">Previous</a>
            : null}
          <span class="quiet">Page {query.page + 1} of {view.pages}</span>
          {query.page + 1 < view.pages
            ? <a href={page(query.page + 1)} class="button secondary" rel="next">Next</a>
            : null}
        </nav>
      )}
    </section>
  );
}
