/**
 * What the registry's use cases need from outside.
 *
 * @module
 */
import type { Sql } from "../database/client.ts";
import type { AuthorPolicy } from "../names/namespaces.ts";
import type { Logger } from "../log.ts";
import type { FetchedRepository } from "../repository/fetch.ts";
import type { DependencyAudit, SecurityReport, StageProgress } from "../scan/schema.ts";
import type { ScanInput } from "../scan/stage.ts";
import type { ArchiveLimits } from "./servers/archive_quota.ts";
import type { Jobs } from "./scanning/jobs.ts";

/** How a scan reports and is stopped. */
export interface ScanRequestOptions {
  signal?: AbortSignal;
  onProgress?: (stages: StageProgress[]) => void;
}

/**
 * Rules that an operator chooses (`AUTHOR_POLICY`, `SCAN_POLICY`, `CODE_HOSTS_ALLOW`,
 * `SCANS_PER_HOUR`).
 */
export interface RegistryPolicy extends AuthorPolicy {
  scanPolicy: "record" | "reject";
  codeHosts: readonly string[];
  /** Scans that a user may begin in any hour; administrators begin any number. */
  scansPerHour: number;
  /** Whether servers with a price run only for who paid (`PAYMENTS_WEBHOOK_SECRET` is set). */
  payments: boolean;
  /** What a user may have stored; the fixed limits by default. */
  archives?: ArchiveLimits;
}

export interface RegistryDeps {
  sql: Sql;
  log: Logger;
  now: () => Date;
  newId: () => string;
  /** Scans in progress; closed at shutdown. */
  jobs: Jobs;
  fetchRepository: (
    input: { url: string; entrypoint: string; signal?: AbortSignal },
  ) => Promise<FetchedRepository>;
  /** Stage 3 alone. */
  checkDependencies: (request: ScanInput, signal: AbortSignal) => Promise<DependencyAudit>;
  scan: (request: ScanInput, options: ScanRequestOptions) => Promise<SecurityReport>;
  policy: RegistryPolicy;
  /** Hears of what was scanned once it is stored, to prepare its pages. */
  onStored?: (repository: FetchedRepository) => void;
}
