/**
 * One public server as its author would publish it, and what came of that.
 *
 * @module
 */
import type { BerthProcess } from "../../helpers/berth_process.ts";
import { type RegistryClient, sendMessage } from "../../helpers/clients.ts";
import { decisiveOf } from "../../../src/scan/decisive.ts";
import type { SecurityReport } from "../../../src/scan/schema.ts";
import { compareTools, type Difference, type Outcome, placeholder, type Row } from "./table.ts";

/** What came of publishing a server and listing its tools. */
export interface Published extends Difference {
  repository: string;
  folder: string;
  entrypoint: string;
  needs: string;
  /** The verdict, or `refused` when nothing was stored. */
  status: string;
  /** What fails the scan: rule, place and title. */
  blocking: string[];
  /** Name, version, source. */
  packages: string[];
  /** What was not to be had, with the reason. */
  missingPackages: string[];
  /** What the build says. */
  runs: string;
  problem: string;
  /** Whether it started with placeholders for variables only. */
  withEnvironment: boolean;
  /** Why no tools were listed. */
  message: string;
  ms: number;
}

/** Where to publish. */
export interface Registry {
  berth: BerthProcess;
  call: RegistryClient;
}

function blockingOf(report: SecurityReport): string[] {
  const findings = decisiveOf(report).map(({ severity, rule, file, line, title }) =>
    `${severity} ${rule} ${file}:${line} ${title}`
  );
  const missing = report.tool_discovery.missing.map((name) => `reported tool not found: ${name}`);
  const sections = [
    report.quality_analysis,
    report.tool_discovery,
    report.dependency_audit,
    report.secrets_detection,
    report.mcp_audit,
  ];
  const errors = sections.flatMap(({ error }) => error === null ? [] : [error.message]);
  return [...findings, ...missing, ...errors];
}

/** All tools of a new session, or why there is none. */
async function listTools(
  { berth }: Registry,
  server: string,
  environment: Record<string, string>,
): Promise<{ names: string[]; message: string }> {
  const target = { server, session: crypto.randomUUID() };
  const env = Object.keys(environment).length === 0
    ? {}
    : { _meta: { "berth/environment": environment } };
  const send = (id: number, method: string, params: object) =>
    sendMessage(berth.workerUrl, target, { id, method, params });
  const opened = await send(1, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
    ...env,
  });
  if (opened.body?.error !== undefined) return { names: [], message: opened.body.error.message };
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await send(2, "tools/list", cursor === undefined ? {} : { cursor });
    if (body.error !== undefined) return { names: [], message: body.error.message };
    names.push(...body.result.tools.map(({ name }: { name: string }) => name));
    cursor = body.result.nextCursor;
  } while (cursor !== undefined);
  await fetch(`${berth.workerUrl}/mcp?name=${server}`, {
    method: "DELETE",
    headers: { "Mcp-Session-Id": target.session },
  });
  return { names, message: "" };
}

function fromReport(report: SecurityReport): Partial<Published> {
  const { packages, compatibility } = report;
  const build = compatibility?.build;
  return {
    status: report.status,
    blocking: blockingOf(report),
    packages:
      packages?.resolved.map((one) =>
        `${one.name} ${one.version} (${one.source}${one.python_part ? ", Python part" : ""}` +
        `${one.instead === null ? "" : `, in place of ${one.instead}`})`
      ) ?? [],
    missingPackages: [
      ...packages?.missing.map(({ name, by, reason }) =>
        `${name}${by === "" ? "" : ` (for ${by})`}: ${reason}`
      ) ?? [],
      ...[packages?.problem ?? []].flat(),
    ],
    runs: build?.runs ?? "",
    problem: build?.problem?.message ?? build?.reason ?? "",
  };
}

/** Starts of one server, each with more variables. */
const MAX_STARTS = 5;
const ORDER: Outcome[] = ["failed", "none", "others", "all"];

/** Variables that a start that failed names, which have not been given. */
function named(message: string, given: Record<string, string>): string[] {
  const NAMES = /(?:^ +|environment variables? )(\w+(?:, \w+)*) (?:is|are) not set/gm;
  const names = [...message.matchAll(NAMES)].flatMap(([, list]) => list!.split(", "));
  return names.filter((name) => given[name] === undefined);
}

/** Starts a session without variables, then with those that it names, then with all there are. */
async function start(
  registry: Registry,
  row: Row,
  { name, environment, found }: {
    name: string;
    environment: Record<string, string>;
    found: Published;
  },
): Promise<void> {
  let variables: Record<string, string> = {};
  for (let round = 0; round < MAX_STARTS; round++) {
    const { names, message } = await listTools(registry, name, variables);
    const difference = compareTools(row, names);
    if (message !== "") difference.outcome = "failed";
    // With variables given, a failure says more than that they are missing.
    const isBetter = ORDER.indexOf(difference.outcome) > ORDER.indexOf(found.outcome) ||
      difference.outcome === "failed" && found.outcome === "failed";
    if (round === 0 || isBetter) {
      Object.assign(found, difference, { message, withEnvironment: round > 0 });
    }
    if (found.outcome === "all" || variables === environment) return;
    const more = named(message, variables);
    const given = more.map((key) => [key, environment[key] ?? placeholder(key)]);
    variables = more.length === 0 || round === MAX_STARTS - 2
      ? environment
      : { ...variables, ...Object.fromEntries(given) };
    if (Object.keys(variables).length === 0) return;
  }
}

/** Publishes the server of `row` under `name` and lists its tools, with `environment` if it must. */
export async function publish(
  registry: Registry,
  row: Row,
  { name, environment }: { name: string; environment: Record<string, string> },
): Promise<Published> {
  const { repository, folder, entrypoint, needs } = row;
  const begun = performance.now();
  const found: Published = {
    repository,
    folder,
    entrypoint,
    needs,
    status: "refused",
    blocking: [],
    packages: [],
    missingPackages: [],
    runs: "",
    problem: "",
    outcome: "failed",
    missing: row.tools,
    extra: [],
    withEnvironment: false,
    message: "",
    ms: 0,
  };
  const below = folder === "" ? "" : `/tree/main/${folder}`;
  const { status, body } = await registry.call("POST", "/servers", {
    user: "ada",
    body: {
      name,
      version: "1.0.0",
      description: repository,
      lang: "python",
      license: "MIT",
      entrypoint,
      repository: { url: `https://github.com/${repository}${below}` },
    },
  });
  if (status !== 201) return { ...found, message: `${status} ${JSON.stringify(body)}` };
  Object.assign(found, fromReport(body.server.security_report));
  await start(registry, row, { name, environment, found });
  found.ms = Math.round(performance.now() - begun);
  return found;
}
