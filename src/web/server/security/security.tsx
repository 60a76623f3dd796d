/**
 * `/servers/{name}/security`: the verdict, the stages and every finding.
 *
 * @module
 */
import type { HistoryEntry } from "../../../registry/scanning/scan_schema.ts";
import type { SecurityReport } from "../../../scan/schema.ts";
import type { Links } from "../../../http/links.ts";
import { Term } from "../../guide/glossary.tsx";
import type { PageRequest } from "../../layout/context.ts";
import { Notice, Table, Time } from "../../layout/parts.tsx";
import { plural } from "../../../text/plural.ts";
import { showPage, showPart } from "../../layout/respond.tsx";
import { Verdict } from "../../layout/verdict.tsx";
import { Rating } from "../history/charts.tsx";
import { BuildSection } from "./build_section.tsx";
import { Changes } from "./changes.tsx";
import { ComplexFunctions } from "./complex_functions.tsx";
import { readFindingsQuery } from "./findings.ts";
import { Findings } from "./findings_section.tsx";
import { FlowSection } from "./flow_picture.tsx";
import { headOf, ServerFrame } from "../frame.tsx";
import { type LoadedServer, loadServer, type ScannedFiles } from "../load.ts";
import { CapabilitiesSection } from "./capabilities_section.tsx";
import { PackagesSection } from "./packages_section.tsx";
import { RecommendationList } from "./recommendations.tsx";
import { StageTimes } from "./stage_times.tsx";
import { stagesOf } from "./stages.ts";
import { verdictSentence } from "./verdict_sentence.ts";
import { FindingsTrend } from "../history/trends.tsx";

/** Scans that the chart goes back. */
const SCANS = 30;

/** There is no score: a scan has blocking findings or it passes. */
function VerdictRules({ links }: { links: Links }) {
  return (
    <details class="more">
      <summary>How the verdict is decided</summary>
      <p>
        A <Term word="scan" links={links}>scan</Term> fails if it finds any of the following.{" "}
        <Term word="verdict" links={links}>What a verdict means</Term>. There is no score.
      </p>
      <ul class="compact">
        <li>A secret that is not a documented placeholder.</li>
        <li>A vulnerability of high or critical severity in the code.</li>
        <li>
          An <Term word="advisory" links={links}>advisory</Term>{" "}
          of high or critical severity that affects every version of a dependency that the
          requirements allow.
        </li>
        <li>
          A package that differs from the lock file, or a new one whose name looks like a popular
          package's.
        </li>
        <li>
          A finding of high or critical severity in the security audit or in what the tools tell
          models.
        </li>
        <li>A reported tool that was not found.</li>
        <li>Relevant files that could not be analysed.</li>
      </ul>
      <p>
        Ratings, bugs, code smells and hotspots never fail a scan. A scan is not finished while an
        external service such as the advisory database is unavailable.
      </p>
    </details>
  );
}

function Summary({ report, links }: { report: SecurityReport; links: Links }) {
  const { quality_analysis: quality } = report;
  return (
    <section aria-labelledby="verdict" class="summary">
      <div>
        <h2 id="verdict">
          <span class="visually-hidden">Verdict:</span>
          <Verdict status={report.status} large />
        </h2>
        <p class="verdict-sentence">
          <bdi>{verdictSentence(report)}</bdi>.
        </p>
        <VerdictRules links={links} />
        <p class="quiet">
          Scanned <Time at={report.metadata.scan_date} exact /> by{" "}
          {report.metadata.scanners_used.join(", ")}
        </p>
      </div>
      <ul class="ratings" aria-label="Ratings">
        <Rating label="Reliability" grade={quality.reliability_rating} />
        <Rating label="Security" grade={quality.security_rating} />
        <Rating label="Maintainability" grade={quality.maintainability_rating} />
      </ul>
    </section>
  );
}

function Stages({ report }: { report: SecurityReport }) {
  const stages = stagesOf(report);
  return (
    <section aria-labelledby="stages">
      <h2 id="stages">Scan stages</h2>
      <Table label="Stages" dense stack columns={["Stage", "Outcome", "Findings", "Scanned"]}>
        {stages.map((stage, index) => (
          <tr>
            <th scope="row">
              {index + 1}. {stage.title}
            </th>
            <td data-label="Outcome">
              <Verdict
                status={stage.error !== null ? "error" : stage.passed ? "passed" : "failed"}
              />
              {stage.error === null ? null : <span class="small">{` ${stage.error.message}`}</span>}
            </td>
            <td data-label="Findings">{stage.issues}</td>
            <td class="wrap" data-label="Scanned">{stage.looked}</td>
          </tr>
        ))}
      </Table>
      <StageTimes stages={stages} />
    </section>
  );
}

function Recommendations({ report }: { report: SecurityReport }) {
  const shown = report.recommendation_details.slice(0, 10);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="todo">
      <h2 id="todo">Recommendations</h2>
      <RecommendationList shown={shown} />
    </section>
  );
}

function Quality({ report }: { report: SecurityReport }) {
  const { quality_analysis: quality, compatibility } = report;
  const facts: [string, string][] = [
    ["Quality gate", quality.quality_gate === "OK" ? "passed" : "failed"],
    ["Bugs", String(quality.bugs)],
    ["Vulnerabilities", String(quality.vulnerabilities)],
    ["Code smells", String(quality.code_smells)],
    ["Hotspots", String(quality.security_hotspots)],
    ["Duplicated lines", `${quality.duplications} %`],
    ["Coverage", quality.coverage_measured ? `${quality.coverage} %` : "not measured"],
    ["Lines of code", quality.lines_of_code.toLocaleString("en")],
    [
      "Complexity",
      `${quality.complexity.total} in ${plural(quality.complexity.functions, "function")}`,
    ],
    ["Remediation effort", plural(quality.debt_minutes, "minute")],
  ];
  return (
    <section aria-labelledby="quality">
      <h2 id="quality">Metrics</h2>
      <dl class="facts">
        {facts.map(([term, value]) => (
          <div>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ComplexFunctions quality={quality} />
      {compatibility === undefined || compatibility.refused.length === 0 ? null : (
        <Notice>
          <p>
            The restricted profile does not support{" "}
            {plural(compatibility.refused.length, "construct")} used by this server:
          </p>
          <ul>
            {compatibility.refused.slice(0, 10).map(({ construct, file, line, hint }) => (
              <li>
                <code>{construct}</code> in {file}:{line}: {hint}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </section>
  );
}

function Downloads({ request, loaded }: { request: PageRequest; loaded: LoadedServer }) {
  const { name, source } = loaded.server;
  const { links } = request;
  return (
    <section aria-labelledby="scanned">
      <h2 id="scanned">Scanned source</h2>
      <dl class="facts long">
        <div>
          <dt>Commit</dt>
          <dd>
            <code>{source.commit}</code>
          </dd>
        </div>
        <div>
          <dt>SHA-256 of the archive</dt>
          <dd>
            <code>{source.archive_sha256}</code>
          </dd>
        </div>
      </dl>
      <p class="quiet">This archive was scanned and, byte for byte, is what runs.</p>
      <ul class="links">
        <li>
          <a href={links.path(`/api/v1/servers/${name}/archive`)} download>Archive</a>
        </li>
        <li>
          <a href={links.path(`/servers/${name}/report.json`)} download>Report (JSON)</a>
        </li>
        <li>
          <a href={links.path(`/servers/${name}/report.sarif`)} download>SARIF 2.1.0</a>
        </li>
        <li>
          <a href={links.path(`/servers/${name}/sbom.cdx.json`)} download>CycloneDX 1.6</a>
        </li>
      </ul>
    </section>
  );
}

/** How findings went over the kept scans. */
function History(
  { request, name, scans }: {
    request: PageRequest;
    name: string;
    scans: readonly HistoryEntry[];
  },
) {
  if (scans.length < 2) return null;
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <p>
        <a href={request.links.path(`/servers/${name}/versions`)}>All scans</a>
      </p>
      <FindingsTrend scans={scans.toReversed()} />
    </section>
  );
}

/** Shows the page, or its findings alone. */
export async function showSecurity(request: PageRequest, files: ScannedFiles): Promise<Response> {
  const loaded = await loadServer(request);
  const { name, security_report: report } = loaded.server;
  const query = readFindingsQuery(new URL(request.c.req.url).searchParams);
  const findings = await Findings(request, loaded, query, files);
  if (request.isPart) return await showPart(request, findings);
  const { services: { app }, visitor } = request;
  const { scans } = await app.registry.scans(name, { limit: SCANS }, visitor.caller);
  return await showPage(
    request,
    headOf(loaded, "/security", "Security"),
    <ServerFrame request={request} loaded={loaded} tab="/security">
      <Summary report={report} links={request.links} />
      {await Changes({ request, name, scans })}
      <Recommendations report={report} />
      {findings}
      <FlowSection report={report} path={request.links.path(`/servers/${name}/security`)} />
      <CapabilitiesSection report={report} />
      <BuildSection report={report} />
      <Stages report={report} />
      <PackagesSection report={report} />
      <History request={request} name={name} scans={scans} />
      <Quality report={report} />
      <Downloads request={request} loaded={loaded} />
    </ServerFrame>,
  );
}
