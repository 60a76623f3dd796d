/**
 * What the registry's use cases need from outside.
 *
 * @module
 */
import type { AddressHost } from "../code_host_settings.ts";
import type { Sql } from "../database/client.ts";
import type { AuthorPolicy } from "../names/namespaces.ts";
import type { Logger } from "../log.ts";
import type { ArchiveObjects } from "../repository/objects.ts";
import type { FetchedRepository, RepositoryRequest } from "../repository/fetch.ts";
import type { Built } from "../scan/build.ts";
import type { CapabilityPolicy } from "../scan/capabilities_schema.ts";
import type {
  DependencyAudit,
  Language,
  ScanStatus,
  SecurityReport,
  StageProgress,
} from "../scan/schema.ts";
import type { ResolvedPackage } from "../scan/packages_schema.ts";
import type { ScannedCode } from "../scan/source_schema.ts";
import type { ScanInput } from "../scan/stage.ts";
import type { ArchiveLimits } from "./servers/archive_quota.ts";
import type { Jobs } from "./scanning/jobs.ts";

/** How a scan reports and is stopped. */
export interface ScanRequestOptions {
  signal?: AbortSignal;
  onProgress?: (stages: StageProgress[]) => void;
}

/** A scanned server that is started once, to see whether it runs. */
export interface BuildRequest {
  server: string;
  lang: Language;
  scanStatus: ScanStatus;
  entrypoint: string;
  files: FetchedRepository["files"];
  /** What the scan read as code; null when it did not say. */
  scanned: ScannedCode | null;
  /** The packages that were resolved for it; absent where none were. */
  resolved?: ResolvedPackage[] | undefined;
  /** Whether the scan found nothing that the restricted profile refuses. */
  fitsRestricted?: boolean | undefined;
}

/** What a build says; `again`: it was not tried, and a node may do so later. */
export type BuildOutcome = Built & { again: boolean };

/** Builds a server on this node. Rejects only when the signal aborts. */
export type BuildServer = (request: BuildRequest, signal: AbortSignal) => Promise<BuildOutcome>;

/**
 * Rules that an operator chooses (`AUTHOR_POLICY`, `SCAN_POLICY`, `CODE_HOSTS`,
 * `SCANS_PER_HOUR`).
 */
export interface RegistryPolicy extends AuthorPolicy {
  scanPolicy: "record" | "reject";
  codeHosts: readonly AddressHost[];
  /** Scans that a user may begin in any hour; administrators begin any number. */
  scansPerHour: number;
  /** Whether servers with a price run only for who paid (`PAYMENTS_WEBHOOK_SECRET` is set). */
  payments: boolean;
  /** What becomes of servers that run what their callers write; without it they run. */
  capabilities?: CapabilityPolicy;
  /** Whether servers whose scan failed run too (`EXECUTION_POLICY=any`). */
  runsFailed?: boolean;
  /** What a user may have stored; the fixed limits by default. */
  archives?: ArchiveLimits;
}

export interface RegistryDeps {
  sql: Sql;
  log: Logger;
  now: () => Date;
  newId: () => string;
  /** Draws the next few icons that are not there yet. */
  drawMissingIcons?: () => Promise<void>;
  /** Scans in progress; closed at shutdown. */
  jobs: Jobs;
  fetchRepository: (
    input: RepositoryRequest & { entrypoint: string },
  ) => Promise<FetchedRepository>;
  /** Stage 3 alone. */
  checkDependencies: (request: ScanInput, signal: AbortSignal) => Promise<DependencyAudit>;
  scan: (request: ScanInput, options: ScanRequestOptions) => Promise<SecurityReport>;
  /** Starts what was scanned; absent where builds are off. */
  build?: BuildServer | undefined;
  policy: RegistryPolicy;
  /** Hears of what was scanned once it is stored, to prepare its pages. */
  onStored?: (repository: FetchedRepository) => void;
  /** Where archives are that are not in the database; null or absent: nowhere. */
  objects?: ArchiveObjects | null;
}
