/**
 * Reads what a SonarQube server knows of one commit of a repository. SonarQube gets sources from
 * its own scanner, which the repository's pipeline or the operator runs; here the result is read,
 * and only if it is of exactly the commit that is scanned.
 *
 * @module
 */
import type { FetchedRepository } from "../../repository/fetch.ts";
import {
  ComponentMeasures,
  ComponentTasks,
  GateStatus,
  HotspotPage,
  IssuePage,
  ProjectAnalyses,
  type SonarHotspot,
  type SonarIssue,
  SystemStatus,
} from "./answers.ts";
import {
  createSonarClient,
  type SonarClient,
  type SonarSettings,
  SonarUnavailable,
} from "./client.ts";

/** The part of a repository that decides what is asked for. */
export type SonarRepository = Pick<
  FetchedRepository,
  "owner" | "name" | "ref" | "folder" | "commit"
>;

/** What a server says of a commit. */
export interface SonarAnalysis {
  version: string;
  project: string;
  /** Branch of the analysis; undefined for the main one. */
  branch: string | undefined;
  /** Values by metric, those without one left out. */
  measures: ReadonlyMap<string, number>;
  gate: "OK" | "WARN" | "ERROR" | "NONE";
  issues: SonarIssue[];
  hotspots: SonarHotspot[];
}

/** Metrics that are read; newer servers have those with `software_quality_` too. */
const METRICS = [
  "ncloc",
  "complexity",
  "functions",
  "coverage",
  "duplicated_lines_density",
  "bugs",
  "vulnerabilities",
  "code_smells",
  "security_hotspots",
  "sqale_index",
  "reliability_rating",
  "security_rating",
  "sqale_rating",
  "software_quality_reliability_rating",
  "software_quality_security_rating",
  "software_quality_maintainability_rating",
];

const PAGE_SIZE = 500;
/** SonarQube gives at most 10,000 results of one search. */
const MAX_PAGES = 20;
/** Pages of what fails no scan: worst first, more than a report lists. */
const PAGES_OF_OTHERS = 2;
const WHOLE_MS = 30_000;

export function projectKey(template: string, { owner, name }: SonarRepository): string {
  // Keys have no slashes, which groups of groups have.
  return template.replaceAll("{owner}", owner.replaceAll("/", "_")).replaceAll("{name}", name);
}

function missing(what: string): SonarUnavailable {
  return new SonarUnavailable(`SonarQube has no ${what}`);
}

interface Found {
  key: string;
  branch: string | undefined;
}

/** The newest analysis of the main branch or of the ref's, which must be of the commit. */
async function findAnalysis(
  client: SonarClient,
  project: string,
  { ref, commit }: SonarRepository,
): Promise<Found> {
  const seen: string[] = [];
  let known = false;
  for (const branch of ref === null || ref === commit ? [undefined] : [undefined, ref]) {
    const found = await client.ask(
      "api/project_analyses/search",
      { project, branch, ps: "1" },
      ProjectAnalyses,
    );
    if (found === null) continue;
    known = true;
    const [newest] = found.analyses;
    if (newest?.revision === commit) return { key: newest.key, branch };
    if (newest?.revision !== undefined) seen.push(newest.revision.slice(0, 12));
  }
  if (!known) throw missing(`project ${project}`);
  const tasks = await client.ask("api/ce/component", { component: project }, ComponentTasks);
  const busy = (tasks?.queue.length ?? 0) > 0 ? "; an analysis is in progress" : "";
  const instead = seen.length === 0 ? "" : ` (its latest is of ${seen.join(" and ")})`;
  throw missing(`analysis of commit ${commit.slice(0, 12)} in project ${project}${instead}${busy}`);
}

async function pages<Page extends { paging: { total: number } }, Item>(
  ask: (page: string) => Promise<Page | null>,
  itemsOf: (page: Page) => Item[],
  limit: number,
): Promise<{ items: Item[]; total: number }> {
  const items: Item[] = [];
  let total = 0;
  for (let number = 1; number <= limit; number++) {
    const page = await ask(String(number));
    if (page === null) throw new SonarUnavailable("SonarQube deleted the project during the scan");
    total = page.paging.total;
    items.push(...itemsOf(page));
    if (items.length >= total || itemsOf(page).length === 0) break;
  }
  return { items, total };
}

async function readIssues(
  client: SonarClient,
  component: string,
  branch: string | undefined,
): Promise<SonarIssue[]> {
  const issues = new Map<string, SonarIssue>();
  for (const type of ["VULNERABILITY", "BUG", "CODE_SMELL"]) {
    // Vulnerabilities decide, so that all of them are needed.
    const all = type === "VULNERABILITY";
    const { items, total } = await pages(
      (p) =>
        client.ask("api/issues/search", {
          // The name of versions since 10.2, and the one before.
          components: component,
          componentKeys: component,
          branch,
          types: type,
          resolved: "false",
          s: "SEVERITY",
          asc: "false",
          ps: String(PAGE_SIZE),
          p,
        }, IssuePage),
      ({ issues }) => issues,
      all ? MAX_PAGES : PAGES_OF_OTHERS,
    );
    if (all && items.length < total) {
      throw new SonarUnavailable(
        `SonarQube returned only ${items.length} of ${total} vulnerabilities`,
      );
    }
    for (const issue of items) issues.set(issue.key, issue);
  }
  return [...issues.values()];
}

async function readHotspots(
  client: SonarClient,
  project: string,
  branch: string | undefined,
): Promise<SonarHotspot[]> {
  const { items } = await pages(
    (p) =>
      client.ask("api/hotspots/search", {
        // The name of versions since 10.7, and the one before.
        project,
        projectKey: project,
        branch,
        status: "TO_REVIEW",
        ps: String(PAGE_SIZE),
        p,
      }, HotspotPage),
    ({ hotspots }) => hotspots,
    MAX_PAGES,
  );
  return items;
}

async function readAnalysis(
  client: SonarClient,
  project: string,
  repository: SonarRepository,
): Promise<SonarAnalysis> {
  const system = await client.ask("api/system/status", {}, SystemStatus);
  if (system === null) throw new SonarUnavailable("SonarQube returned status 404");
  if (system.status !== "UP") {
    throw new SonarUnavailable(`SonarQube is not ready: its status is ${system.status}`);
  }
  const { key, branch } = await findAnalysis(client, project, repository);
  const component = repository.folder === "" ? project : `${project}:${repository.folder}`;
  const measured = await client.ask(
    "api/measures/component",
    { component, branch, metricKeys: METRICS.join(",") },
    ComponentMeasures,
  );
  if (measured === null) throw missing(`measures of ${component}`);
  const gate = await client.ask("api/qualitygates/project_status", { analysisId: key }, GateStatus);
  if (gate === null) throw missing(`quality gate of project ${project}`);
  const issues = await readIssues(client, component, branch);
  const hotspots = await readHotspots(client, project, branch);
  const again = await findAnalysis(client, project, repository);
  if (again.key !== key) {
    throw new SonarUnavailable("SonarQube started a new analysis during the scan");
  }
  const measures = measured.component.measures.flatMap(({ metric, value }) => {
    const number = Number(value ?? NaN);
    return Number.isFinite(number) && number >= 0 ? [[metric, number] as const] : [];
  });
  return {
    version: system.version,
    project,
    branch,
    measures: new Map(measures),
    gate: gate.projectStatus.status,
    issues,
    hotspots,
  };
}

/**
 * What the server says of the repository's commit.
 *
 * @throws {SonarUnavailable} When it says nothing usable of exactly this commit, or not in time.
 */
export async function readSonar(
  settings: SonarSettings,
  repository: SonarRepository,
  signal: AbortSignal,
): Promise<SonarAnalysis> {
  const whole = AbortSignal.timeout(settings.wholeMs ?? WHOLE_MS);
  const client = createSonarClient(settings, AbortSignal.any([signal, whole]));
  try {
    return await readAnalysis(client, projectKey(settings.projectKey, repository), repository);
  } catch (error) {
    signal.throwIfAborted();
    if (!whole.aborted || error instanceof SonarUnavailable) throw error;
    throw new SonarUnavailable("SonarQube took too long to respond", { cause: error });
  }
}
