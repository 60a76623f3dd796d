/**
 * The registry's use cases with a code host and a scan that tests control.
 *
 * @module
 */
import { GITHUB } from "./code_host.ts";
import { assertEquals, assertRejects } from "@std/assert";
import type { Database } from "../../src/database/open.ts";
import { AppError, type ErrorCode } from "../../src/errors.ts";
import type { Caller } from "../../src/identity/caller.ts";
import type { FetchedRepository } from "../../src/repository/fetch.ts";
import { sha256Of } from "../../src/bytes.ts";
import type { RegistryDeps } from "../../src/registry/deps.ts";
import { createJobs } from "../../src/registry/scanning/jobs.ts";
import type { ScanInput } from "../../src/scan/stage.ts";
import { CreateServer } from "../../src/registry/schema.ts";
import { type ScanStatus, type SecurityReport, STAGES } from "../../src/scan/schema.ts";
import { archiveOf } from "./code_host_archive.ts";
import { silentLog } from "./database.ts";

/** The failure of `work`, which must have this code. */
export async function refusal(work: () => Promise<unknown>, code: ErrorCode): Promise<AppError> {
  const error = await assertRejects(work, AppError);
  assertEquals(error.code, code, error.message);
  return error;
}

/** A caller called `name`; its user id is `user-` and the name. */
export function callerOf(name: string, more: Partial<Caller> = {}): Caller {
  return {
    userId: `user-${name}`,
    username: name,
    email: null,
    emailVerified: null,
    signInProvider: null,
    isAdmin: false,
    authTime: null,
    expiresAt: new Date("2100-01-01T00:00:00Z"),
    tokenDigest: "0".repeat(64),
    issuedAt: new Date("2026-01-01T00:00:00Z"),
    ...more,
  };
}

/** Users whom tests know by name; each publishes under its own author name. */
export const alice = callerOf("alice");
export const bob = callerOf("bob");
export const carol = callerOf("carol");
export const admin = callerOf("root", { isAdmin: true });
/** Of the request that a test makes. */
export const context = { requestId: "req-1" };

/** A valid body of a creation, as the route hands it on. */
export function serverInput(name: string, more: Record<string, unknown> = {}): CreateServer {
  return CreateServer.parse({
    name,
    version: "1.0.0",
    description: `The ${name} server`,
    lang: "python",
    license: "MIT",
    entrypoint: "server.py",
    repository: { url: `https://github.com/acme/${name}` },
    ...more,
  });
}

/** A repository with one file whose text is `text`. */
export async function repositoryOf(url: string, text = "print()"): Promise<FetchedRepository> {
  const name = url.split("/")[4] ?? "server";
  const commit = "a".repeat(40);
  const content = new TextEncoder().encode(text);
  const archive = await archiveOf({ "server.py": text }, { top: `acme-${name}`, commit });
  return {
    owner: "acme",
    name,
    url: `https://github.com/acme/${name}`,
    ref: null,
    folder: "",
    commit,
    archive,
    sha256: await sha256Of(archive),
    files: new Map([["server.py", content]]),
    bytes: content.length,
    isPrivate: false,
  };
}

const audit = {
  scan_passed: true,
  total_issues: 0,
  severity_counts: { high: 0, medium: 0, low: 0 },
  total_lines_scanned: 1,
  issues: [],
  duration_ms: 1,
  error: null,
};

/** A report on `request` with the verdict `status`, in which `tools` were found. */
export function reportOn(
  { repository, serverName }: Pick<ScanInput, "repository" | "serverName">,
  options: { status?: ScanStatus; tools?: string[]; recommendations?: string[] } = {},
): SecurityReport {
  const { status = "passed", tools = ["hello"], recommendations = [] } = options;
  const scan_passed = status === "passed";
  const critical_issues = status === "failed" ? 2 : 0;
  return {
    status,
    metadata: {
      repository: `${repository.owner}/${repository.name}`,
      repo_url: repository.url,
      scan_date: "2026-01-02T03:04:05.000Z",
      scanners_used: ["test 1.0"],
    },
    summary: {
      scan_passed,
      total_issues_all_scanners: critical_issues,
      critical_issues,
      quality_url: `http://registry.test/api/v1/servers/${serverName}`,
    },
    quality_analysis: {
      scan_passed: true,
      total_issues: 0,
      bugs: 0,
      vulnerabilities: 0,
      code_smells: 0,
      security_hotspots: 0,
      quality_gate: "OK",
      reliability_rating: "A",
      security_rating: "A",
      maintainability_rating: "A",
      coverage: 0,
      coverage_measured: false,
      duplications: 0,
      lines_of_code: 1,
      debt_minutes: 0,
      complexity: { total: 1, functions: 1, highest: [] },
      issues: [],
      duration_ms: 1,
      error: null,
    },
    tool_discovery: {
      scan_passed: true,
      total_issues: 0,
      reported: [],
      found: tools.map((name, index) => ({
        name,
        file: "server.py",
        line: index + 1,
        signature: `${name}()`,
        description: null,
        declaration: "@mcp.tool()",
      })),
      missing: [],
      undeclared: [],
      unverified: [],
      dynamic: false,
      issues: [],
      files_scanned: 1,
      duration_ms: 1,
      error: null,
    },
    dependency_audit: { ...audit, packages_checked: 0, unpinned: 0, manifests: [] },
    secrets_detection: {
      scan_passed: true,
      total_secrets: 0,
      secrets: [],
      files_scanned: 1,
      duration_ms: 1,
      error: null,
    },
    python_audit: audit,
    mcp_audit: audit,
    source: {
      commit: repository.commit,
      ref: repository.ref,
      folder: repository.folder,
      archive_sha256: repository.sha256,
      files: repository.files.size,
      bytes: repository.bytes,
    },
    recommendations,
    recommendation_details: [],
  };
}

/** The registry's dependencies, with what tests turn. */
export interface TestRegistry extends RegistryDeps {
  /** What `now` answers; tests set it forward. */
  clock: { time: Date };
  /** What was fetched and scanned, in order. */
  fetched: string[];
  scanned: ScanInput[];
}

/** The use cases' dependencies over `database`; every scan passes unless `overrides` says else. */
export function testRegistry(
  database: Database,
  overrides: Partial<RegistryDeps> = {},
): TestRegistry {
  const clock = { time: new Date("2026-01-01T00:00:00.000Z") };
  const fetched: string[] = [];
  const scanned: ScanInput[] = [];
  const { fetchRepository, scan, ...rest } = overrides;
  return {
    clock,
    fetched,
    scanned,
    sql: database.sql,
    log: silentLog,
    now: () => new Date(clock.time),
    newId: () => crypto.randomUUID(),
    jobs: createJobs(),
    policy: {
      authorPolicy: "claimed",
      scanPolicy: "record",
      codeHosts: [GITHUB],
      scansPerHour: 1000,
      payments: false,
    },
    checkDependencies: (request) => Promise.resolve(reportOn(request).dependency_audit),
    fetchRepository(input) {
      fetched.push(input.url);
      return fetchRepository?.(input) ?? repositoryOf(input.url);
    },
    scan(request, options) {
      scanned.push(request);
      options.onProgress?.(STAGES.map((stage) => ({
        stage,
        state: "done",
        started_at: clock.time.toISOString(),
        finished_at: clock.time.toISOString(),
        issues: 0,
      })));
      return scan?.(request, options) ?? Promise.resolve(reportOn(request));
    },
    ...rest,
  };
}
