/**
 * A scan from fetching to storing: what creation, change and repeated scan have in common.
 *
 * @module
 */
import type { Transaction } from "../../database/client.ts";
import { AppError } from "../../errors.ts";
import type { FetchedRepository } from "../../repository/fetch.ts";
import type { Language, SecurityReport } from "../../scan/schema.ts";
import type { RegistryDeps } from "../deps.ts";
import { type HeldScan, holdScan } from "./lease.ts";
import { registryFacts } from "./registry_facts.ts";
import { keepReport } from "./scan_reports.ts";
import { endRefused, endStored, refusalOf } from "./scans.ts";
import { type ServerDetail, ToolName } from "../schema.ts";
import { findDetail, type Scanned } from "../servers/store.ts";
import { storable } from "../servers/stored_text.ts";

/** How a scan ended. */
export type ScanOutcome =
  | { kind: "stored"; server: ServerDetail }
  | { kind: "refused"; error: AppError };

/** A scan that has begun. */
export interface StartedScan {
  scanId: string;
  /** Settles when the scan has ended; never rejects. */
  done: Promise<ScanOutcome>;
}

/** What a scan does. */
export interface ScanJob {
  /** Of a scan that `beginScan` has recorded. */
  scanId: string;
  server: string;
  /** The version that the record has or gets. */
  version: string;
  lang: Language;
  entrypoint: string;
  /** Reported tools; null when the tools that are found become the record's. */
  tools: string[] | null;
  /** Gets the content. */
  load: (signal: AbortSignal) => Promise<FetchedRepository>;
  /** Throws when the outcome is not to be stored. */
  accept?: (report: SecurityReport) => void;
  /** How often in a row the record's scan has ended in `error` so far. */
  retries: number;
  /** Stores the record, in the transaction that also ends the scan. */
  save: (sql: Transaction, scanned: Scanned, tools: string[]) => Promise<void>;
  /** Called when the record is stored. */
  afterwards?: () => Promise<void>;
}

const MAX_TOOLS = 1000;
const MINUTE_MS = 60_000;
/** Minutes until a record in `error` is scanned again, the last for ever after. */
const RETRY_MINUTES = [1, 5, 30, 60];

/** When a record in `error` is scanned again after `retries` such scans in a row. */
export function retryTime(now: Date, retries: number): Date {
  const minutes = RETRY_MINUTES[Math.min(retries, RETRY_MINUTES.length - 1)]!;
  return new Date(now.getTime() + minutes * MINUTE_MS);
}

/** The names of the tools that a scan found, but for those that no client could report. */
function foundTools(report: SecurityReport): string[] {
  const names = report.tool_discovery.found.map((tool) => tool.name);
  return [...new Set(names)].filter((name) => ToolName.safeParse(name).success).slice(0, MAX_TOOLS);
}

function scannedOf(repository: FetchedRepository, report: SecurityReport, job: ScanJob, now: Date) {
  const failed = report.status === "error";
  return {
    repository,
    report,
    retryAt: failed ? retryTime(now, job.retries) : null,
    retries: failed ? job.retries + 1 : 0,
  };
}

/** The refusal of a scan that `error` stopped. */
async function refusedBy(deps: RegistryDeps, job: ScanJob, error: unknown): Promise<AppError> {
  // When others have ended the scan, what stopped the work is only a consequence.
  const ended = await refusalOf(deps.sql, job.scanId);
  if (ended !== null) return ended;
  if (error instanceof AppError) return error;
  if (deps.jobs.signal.aborted) {
    const options = { cause: error, headers: { "Retry-After": "30" } };
    return new AppError("unavailable", "Berth is stopping: send the request again", options);
  }
  deps.log.error("scan.crashed", { scan: job.scanId, server: job.server, error });
  return new AppError("internal", "The scan stopped with an internal error", { cause: error });
}

/** Ends a scan that `cause` stopped. Does not throw: the lease frees what cannot be ended now. */
async function refuse(deps: RegistryDeps, job: ScanJob, cause: unknown): Promise<AppError> {
  try {
    const error = await refusedBy(deps, job, cause);
    await endRefused(deps.sql, job.scanId, error, deps.now());
    return error;
  } catch (failure) {
    deps.log.error("scan.not_ended", { scan: job.scanId, error: failure, cause });
    return new AppError("internal", "The scan could not be recorded", { cause: failure });
  }
}

async function fetchAndScan(
  deps: RegistryDeps,
  job: ScanJob,
  held: HeldScan,
): Promise<Scanned> {
  const repository = await job.load(held.signal);
  held.signal.throwIfAborted();
  const { lang, entrypoint, tools, server: serverName } = job;
  const registry = await registryFacts(deps.sql, serverName, job.version);
  const report = storable(
    await deps.scan(
      { repository, lang, entrypoint, tools, serverName, registry },
      { signal: held.signal, onProgress: held.onProgress },
    ),
  );
  job.accept?.(report);
  return scannedOf(repository, report, job, deps.now());
}

async function store(deps: RegistryDeps, job: ScanJob, scanned: Scanned): Promise<ServerDetail> {
  const tools = job.tools ?? foundTools(scanned.report);
  const server = await deps.sql.begin(async (tx) => {
    // First, so that a scan which has lost its hold on the name stores nothing.
    await endStored(tx, job.scanId, scanned.report, deps.now());
    await job.save(tx, scanned, tools);
    // The scan held the record against the advisories of now.
    await tx`
      update servers set advisories_checked_at = ${deps.now()} where name = ${job.server}`;
    await keepReport(tx, { ...job, report: scanned.report });
    return await findDetail(tx, job.server, deps.policy);
  });
  return server!;
}

async function perform(deps: RegistryDeps, job: ScanJob): Promise<ServerDetail> {
  const held = holdScan(deps, job.scanId);
  let leave = () => {};
  try {
    leave = await deps.jobs.enter(held.signal);
    const scanned = await fetchAndScan(deps, job, held).finally(held.release);
    const server = await store(deps, job, scanned);
    deps.onStored?.(scanned.repository);
    return server;
  } finally {
    leave();
    await held.release();
  }
}

/** Runs a scan that has begun. */
export function runScanJob(deps: RegistryDeps, job: ScanJob): Promise<ScanOutcome> {
  return deps.jobs.run(async () => {
    const log = deps.log.child({ scan: job.scanId, server: job.server });
    try {
      const server = await perform(deps, job);
      await job.afterwards?.();
      log.info("scan.stored", { status: server.security_report.status });
      return { kind: "stored", server };
    } catch (cause) {
      const error = await refuse(deps, job, cause);
      log.info("scan.refused", { code: error.code, reason: error.message });
      return { kind: "refused", error };
    }
  });
}

/** Waits for a scan and returns the stored record. @throws {AppError} Why it was refused. */
export async function storedServer(started: StartedScan): Promise<ServerDetail> {
  const outcome = await started.done;
  if (outcome.kind === "refused") throw outcome.error;
  return outcome.server;
}

const SHOWN_REASONS = 20;

/**
 * Refuses a report that `SCAN_POLICY=reject` does not let in.
 *
 * @throws {AppError} `repository_refused` for a failed scan, `unavailable` for one in `error`.
 */
export function acceptReport(deps: Pick<RegistryDeps, "policy">, report: SecurityReport): void {
  if (deps.policy.scanPolicy === "record" || report.status === "passed") return;
  if (report.status === "error") {
    throw new AppError(
      "unavailable",
      "The security scan could not be completed because a service it needs was unavailable: " +
        "try again later",
      { headers: { "Retry-After": "60" } },
    );
  }
  const count = report.summary.critical_issues;
  throw new AppError(
    "repository_refused",
    `The security scan failed with ${count} critical issue${count === 1 ? "" : "s"}: ` +
      "this registry only takes servers that pass",
    {
      errors: report.recommendations.slice(0, SHOWN_REASONS).map((message) => ({
        path: "repository",
        message,
      })),
    },
  );
}
