/**
 * Scanning a fetched repository for a record.
 *
 * @module
 */
import type { FetchedRepository } from "../../repository/fetch.ts";
import { markedPending, withBuild } from "../../scan/build.ts";
import type { Language, SecurityReport } from "../../scan/schema.ts";
import type { RegistryDeps, RegistryPolicy } from "../deps.ts";
import { scanFailed, scanIncomplete } from "../failures.ts";
import { ToolName } from "../schema.ts";
import type { Scanned } from "../servers/store.ts";
import { findPackagesBefore } from "../servers/get.ts";
import { storable } from "../servers/stored_text.ts";
import type { HeldScan } from "./lease.ts";
import { registryFacts } from "./registry_facts.ts";

/** The record that is scanned for, as it is or becomes. */
export interface ScanSubject {
  server: string;
  version: string;
  lang: Language;
  entrypoint: string;
  /** Reported tools; null when the tools that are found become the record's. */
  tools: string[] | null;
  /** How often in a row the record's scan has ended in `error` so far. */
  retries: number;
}

const MAX_TOOLS = 1000;
const MINUTE_MS = 60_000;
/** Minutes until a record in `error` is scanned again, the last for ever after. */
const RETRY_MINUTES = [1, 5, 30, 60];

/** How often in a row a scan is tried again only because a source of packages did not answer. */
const PACKAGE_RETRIES = 24;

/** When a record in `error` is scanned again after `retries` such scans in a row. */
export function retryTime(now: Date, retries: number): Date {
  const minutes = RETRY_MINUTES[Math.min(retries, RETRY_MINUTES.length - 1)]!;
  return new Date(now.getTime() + minutes * MINUTE_MS);
}

/** The names of the tools that a scan or its build found, but for those that nobody could report. */
export function foundTools({ tool_discovery: { found, built = [] } }: SecurityReport): string[] {
  const names = [...found, ...built].map((tool) => tool.name);
  return [...new Set(names)].filter((name) => ToolName.safeParse(name).success).slice(0, MAX_TOOLS);
}

/** The report with what the build of `repository` says, and whether another try may say more. */
async function built(
  deps: RegistryDeps,
  held: HeldScan,
  { server, lang, entrypoint }: ScanSubject,
  { files }: FetchedRepository,
  report: SecurityReport,
): Promise<{ report: SecurityReport; again: boolean }> {
  if (deps.build === undefined || lang !== "python") return { report, again: false };
  const scanned = report.source.scanned ?? null;
  const resolved = report.packages?.resolved;
  const scanStatus = report.status;
  const fitsRestricted = report.compatibility?.restricted;
  const request = {
    server,
    lang,
    entrypoint,
    files,
    scanned,
    scanStatus,
    resolved,
    fitsRestricted,
  };
  const outcome = await deps.build(request, held.signal);
  return { report: withBuild(report, markedPending(outcome)), again: outcome.again };
}

/** Scans `repository`, then builds it. Then nothing is left to do but to store, which ends the scan. */
export async function scanRepository(
  deps: RegistryDeps,
  held: HeldScan,
  subject: ScanSubject,
  repository: FetchedRepository,
): Promise<Scanned> {
  held.signal.throwIfAborted();
  const { lang, entrypoint, tools, server: serverName } = subject;
  const registry = await registryFacts(deps.sql, serverName, subject.version);
  const packagesBefore = await findPackagesBefore(deps.sql, serverName, {
    archiveSha256: repository.sha256,
    folder: repository.folder,
    entrypoint,
  });
  const audited = await deps.scan(
    { repository, lang, entrypoint, tools, serverName, registry, packagesBefore },
    { signal: held.signal, onProgress: held.onProgress },
  );
  const { report: complete, again } = await built(deps, held, subject, repository, audited);
  const report = storable(complete);
  await held.release();
  const failed = report.status === "error" ||
    report.packages?.unreached === true && subject.retries < PACKAGE_RETRIES;
  return {
    repository,
    report,
    tools: tools ?? foundTools(report),
    retryAt: failed ? retryTime(deps.now(), subject.retries) : null,
    retries: failed ? subject.retries + 1 : 0,
    buildAt: again ? deps.now() : null,
  };
}

/**
 * Refuses a report that `SCAN_POLICY=reject` does not let in.
 *
 * @throws {AppError} `repository_refused` for a failed scan, `unavailable` for one in `error`.
 */
export function acceptReport(
  policy: Pick<RegistryPolicy, "scanPolicy">,
  report: SecurityReport,
): void {
  if (policy.scanPolicy === "record" || report.status === "passed") return;
  throw report.status === "error" ? scanIncomplete() : scanFailed(report);
}
