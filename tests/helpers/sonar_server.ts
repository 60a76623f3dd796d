/**
 * A SonarQube server on loopback: the part of its web API that Berth reads, in its answer shapes.
 *
 * @module
 */

/** How the server misbehaves. */
export type SonarFailure =
  | "down"
  | "hang"
  | "redirect"
  | "starting"
  | "web_page"
  | "wrong_shape"
  | "forbidden";

/** An issue as `api/issues/search` gives it. */
export interface ServedIssue {
  type?: "BUG" | "VULNERABILITY" | "CODE_SMELL";
  severity?: string;
  impacts?: { softwareQuality: string; severity: string }[];
  file: string;
  line?: number;
  rule?: string;
  message?: string;
}

/** What the server knows. */
export interface SonarProject {
  key: string;
  /** Analysed commits by branch, newest first; `main` is the main one. */
  revisions: Record<string, string[]>;
  measures: Record<string, string>;
  gate: string;
  issues: ServedIssue[];
  hotspots: { file: string; line: number; securityCategory: string; message: string }[];
  /** Background tasks that wait or run. */
  queue?: number;
  /** Measures of a folder. */
  folders?: Record<string, Record<string, string>>;
}

/** The running server. */
export interface SonarServer {
  /** Its address (`SONAR_URL`), without a trailing slash. */
  url: string;
  /** Path and query of each request. */
  requests: URL[];
  /** Misbehaves from now on; null ends it. */
  fail(failure: SonarFailure | null): void;
  close(): Promise<void>;
}

/** The token that the server accepts. */
export const SONAR_TOKEN = "squ_0123456789";

function errors(status: number, msg: string): Response {
  return Response.json({ errors: [{ msg }] }, { status });
}

function misbehave(failure: SonarFailure, path: string): Response | null {
  switch (failure) {
    case "down":
      return errors(500, "An error has occurred. Please contact your administrator");
    case "redirect":
      return new Response(null, { status: 302, headers: { location: "http://127.0.0.1:9/" } });
    case "web_page":
      return new Response("<!doctype html><title>Sign in</title>");
    case "forbidden":
      return path === "/api/system/status" ? null : errors(403, "Insufficient privileges");
    case "starting":
      return Response.json({ id: "147B411E", version: "10.7.0.96327", status: "STARTING" });
    case "wrong_shape":
      return path === "/api/issues/search" ? Response.json({ issues: "many" }) : null;
    default:
      return null;
  }
}

function pageOf<T>(parameters: URLSearchParams, all: readonly T[]) {
  const pageIndex = Number(parameters.get("p") ?? 1);
  const pageSize = Number(parameters.get("ps") ?? 100);
  const from = (pageIndex - 1) * pageSize;
  return {
    paging: { pageIndex, pageSize, total: all.length },
    items: all.slice(from, from + pageSize),
  };
}

function issueOf(project: string, { file, line, ...given }: ServedIssue, index: number) {
  const range = line === undefined
    ? {}
    : { line, textRange: { startLine: line, endLine: line, startOffset: 0, endOffset: 9 } };
  return {
    key: `issue-${file}-${index}`,
    rule: "python:S1481",
    component: `${project}:${file}`,
    project,
    status: "OPEN",
    message: "Remove the unused local variable.",
    effort: "5min",
    tags: ["unused"],
    flows: [],
    ...range,
    ...given,
  };
}

function answer(project: SonarProject, path: string, parameters: URLSearchParams): Response {
  const branch = parameters.get("branch") ?? "main";
  const revisions = project.revisions[branch];
  const asked = parameters.get("project") ?? parameters.get("component") ??
    parameters.get("components") ?? project.key;
  const [key, folder] = asked.split(":", 2);
  const unknown = `Component '${asked}' on branch '${branch}' not found`;
  if (key !== project.key || revisions === undefined) return errors(404, unknown);
  switch (path) {
    case "/api/project_analyses/search": {
      const analyses = revisions.map((revision, index) => ({
        key: `analysis-${branch}-${revisions.length - index}`,
        date: "2026-11-12T17:12:45+0100",
        projectVersion: "not provided",
        manualNewCodePeriodBaseline: false,
        revision,
        events: [],
      }));
      const { paging, items } = pageOf(parameters, analyses);
      return Response.json({ paging, analyses: items });
    }
    case "/api/ce/component": {
      const queue = Array.from({ length: project.queue ?? 0 }, (_, index) => ({
        id: `task-${index}`,
        type: "REPORT",
        componentKey: project.key,
        status: "PENDING",
        submittedAt: "2026-11-12T17:12:45+0100",
      }));
      return Response.json({ queue, current: { id: "task", type: "REPORT", status: "SUCCESS" } });
    }
    case "/api/measures/component": {
      const measures = folder === undefined ? project.measures : project.folders?.[folder];
      if (measures === undefined) return errors(404, unknown);
      const wanted = parameters.get("metricKeys")?.split(",") ?? [];
      return Response.json({
        component: {
          key: asked,
          name: asked,
          qualifier: folder === undefined ? "TRK" : "DIR",
          measures: Object.entries(measures)
            .filter(([metric]) => wanted.includes(metric))
            .map(([metric, value]) => ({ metric, value, bestValue: false })),
        },
      });
    }
    case "/api/qualitygates/project_status":
      return Response.json({ projectStatus: { status: project.gate, conditions: [] } });
    case "/api/issues/search": {
      const issues = project.issues
        .map((each, index) => issueOf(project.key, each, index))
        .filter(({ type }) => type === undefined || type === parameters.get("types"));
      const { paging, items } = pageOf(parameters, issues);
      return Response.json({ total: paging.total, p: paging.pageIndex, paging, issues: items });
    }
    case "/api/hotspots/search": {
      const hotspots = project.hotspots.map(({ file, ...given }, index) => ({
        key: `hotspot-${index}`,
        component: `${project.key}:${file}`,
        project: project.key,
        vulnerabilityProbability: "MEDIUM",
        status: "TO_REVIEW",
        ruleKey: "python:S2077",
        ...given,
      }));
      const { paging, items } = pageOf(parameters, hotspots);
      return Response.json({ paging, hotspots: items, components: [] });
    }
    default:
      return errors(404, `Unknown url : ${path}`);
  }
}

/** Starts a server that knows one project. */
export function startSonarServer(project: SonarProject): SonarServer {
  const requests: URL[] = [];
  const hanging = Promise.withResolvers<void>();
  let failure: SonarFailure | null = null;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const url = new URL(request.url);
    requests.push(url);
    if (failure === "hang") await hanging.promise;
    const wrong = failure === null ? null : misbehave(failure, url.pathname);
    if (wrong !== null) return wrong;
    if (url.pathname === "/api/system/status") {
      return Response.json({ id: "147B411E", version: "10.7.0.96327", status: "UP" });
    }
    if (request.headers.get("authorization") !== `Bearer ${SONAR_TOKEN}`) {
      return new Response(null, { status: 401 });
    }
    return answer(project, url.pathname, url.searchParams);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    fail(next) {
      failure = next;
    },
    async close() {
      hanging.resolve();
      await server.shutdown();
    },
  };
}
