/**
 * `/scans/{id}`: a scan while it runs, and what came of it.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import type { ScanView } from "../../registry/scanning/scan_schema.ts";
import type { ServerDetail } from "../../registry/schema.ts";
import type { StageProgress } from "../../scan/schema.ts";
import { FieldFaults } from "../errors/failure.tsx";
import type { PageRequest } from "../layout/context.ts";
import { Alert } from "../layout/parts.tsx";
import { plural } from "../../text/plural.ts";
import { showPage, showPart } from "../layout/respond.tsx";
import { RunsHere } from "../layout/runs.tsx";
import { Verdict } from "../layout/verdict.tsx";
import { rightsOf } from "../server/load.ts";
import { STAGE_TITLES } from "../server/security/stages.ts";
import { RecommendationList } from "../server/security/recommendations.tsx";

const STATES: Record<StageProgress["state"], string> = {
  waiting: "waiting",
  running: "running…",
  done: "done",
  failed: "not finished",
};

function took({ started_at: from, finished_at: to }: StageProgress): string {
  if (from === null || to === null) return "";
  const milliseconds = Date.parse(to) - Date.parse(from);
  return milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function Stages({ scan }: { scan: ScanView }) {
  const done = scan.stages.filter(({ state }) => state === "done" || state === "failed").length;
  return (
    <>
      <label for="progress" class="visually-hidden">Completed stages</label>
      <progress id="progress" value={done} max={scan.stages.length}></progress>
      <ol class="stage-list">
        {scan.stages.map((stage) => (
          <li class={stage.state}>
            <strong>{STAGE_TITLES[stage.stage]}</strong>
            <span>{STATES[stage.state]}</span>
            <span class="quiet">
              {stage.issues === null ? "" : plural(stage.issues, "finding")}
            </span>
            <span class="quiet">{took(stage)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

function Failure({ scan, request }: { scan: ScanView; request: PageRequest }) {
  const { failure } = scan;
  if (failure === null) return null;
  return (
    <>
      <Alert>
        <p>{failure.message}.</p>
        <FieldFaults error={failure} />
      </Alert>
      <p>Nothing was changed.</p>
      <p>
        <a
          href={request.links.path(
            scan.action === "create" ? "/publish" : `/servers/${scan.server}/manage`,
          )}
          class="button"
        >
          Try again
        </a>
      </p>
    </>
  );
}

function Outcome({ scan, server, isOwn, request }: ResultProps) {
  const { links } = request;
  const base = `/servers/${scan.server}`;
  if (scan.outcome === null) return null;
  const { status, summary } = scan.outcome;
  const recommendations = server?.security_report.recommendation_details.slice(0, 5) ?? [];
  return (
    <>
      <p>
        <Verdict status={status} large />
      </p>
      {server === null ? null : (
        <p>
          <RunsHere build={server.build} full />
        </p>
      )}
      <p>
        {plural(summary.total_issues_all_scanners, "finding")}, {summary.critical_issues}{" "}
        critical or high.
      </p>
      {recommendations.length === 0 ? null : (
        <>
          <h2>What to fix</h2>
          <RecommendationList shown={recommendations} />
        </>
      )}
      <p class="actions">
        {isOwn ? <a href={links.path(`${base}/next`)} class="button">What to do next</a> : null}
        <a href={links.path(base)} class={isOwn ? "button secondary" : "button"}>View server</a>
        <a href={links.path(`${base}/security`)} class="button secondary">Full report</a>
        <a href={links.path(`${base}/try`)} class="button secondary">Try it</a>
      </p>
    </>
  );
}

interface ResultProps {
  scan: ScanView;
  server: ServerDetail | null;
  /** Whether the visitor may change the server. */
  isOwn: boolean;
  request: PageRequest;
}

/** The part that changes while the scan runs; a script asks for it again until it has ended. */
function Progress({ scan, server, isOwn, request }: ResultProps) {
  const running = scan.state === "running";
  const path = request.links.path(`/scans/${scan.id}`);
  const again = running ? { "hx-get": path, "hx-trigger": "every 1s", "hx-swap": "outerHTML" } : {};
  return (
    <div id="scan" {...again}>
      <p role="status" class="quiet">
        {running
          ? "The scan is running."
          : scan.state === "stored"
          ? "The scan is complete."
          : "The scan was refused."}
      </p>
      <Stages scan={scan} />
      <Failure scan={scan} request={request} />
      <Outcome scan={scan} server={server} isOwn={isOwn} request={request} />
    </div>
  );
}

async function serverOf(request: PageRequest, scan: ScanView): Promise<ServerDetail | null> {
  if (scan.state !== "stored") return null;
  try {
    return (await request.services.app.registry.get(scan.server, request.visitor.caller)).server;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  }
}

/** Shows the page, or the part of it that changes. */
export async function showScan(request: PageRequest): Promise<Response> {
  const { c, visitor, services } = request;
  const scan = await services.app.registry.scan(c.req.param("id") ?? "", visitor.caller);
  const server = await serverOf(request, scan);
  const isOwn = server !== null && (await rightsOf(request, server.name)).change;
  const progress = <Progress scan={scan} server={server} isOwn={isOwn} request={request} />;
  if (request.isPart) return await showPart(request, progress);
  return await showPage(
    request,
    {
      title: `Scan of ${scan.server}`,
      section: "publish",
      ...(scan.state === "running" ? { refreshSeconds: 2 } : {}),
    },
    <>
      <h1>Scan of {scan.server}</h1>
      {progress}
    </>,
  );
}
