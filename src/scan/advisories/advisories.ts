/**
 * Known vulnerabilities of packages, wherever they are kept.
 *
 * @module
 */
import type { Ecosystem } from "../../../workers/analysis/advisories/ecosystem.ts";
import type { OsvRecord } from "../../../workers/analysis/advisories/osv_schema.ts";

/** Asks for the advisories of one package, at one version or at all of them. */
export interface PackageQuery {
  ecosystem: Ecosystem;
  /** In the ecosystem's normal form. */
  name: string;
  /** Null asks for the advisories of every version. */
  version: string | null;
}

/** Thrown when advisories are unavailable: the scan ends in `error`, not in `passed`. */
export class AdvisoriesUnavailable extends Error {
  /** @param message Shown in the report: names no address. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "AdvisoriesUnavailable";
  }
}

/** Thrown when what a repository asks for cannot be answered: its own doing, so its scan fails. */
export class QueryRefused extends Error {
  /** @param message Shown in the report. */
  constructor(readonly code: "limit" | "not_analysable", message: string) {
    super(message);
    this.name = "QueryRefused";
  }
}

/** A source of advisories. Both functions throw {@link AdvisoriesUnavailable}. */
export interface Advisories {
  /** Name and version for the report's list of engines. */
  readonly engine: string;
  /**
   * It answers with the advisories of every version, also where one is asked for: versions of a
   * repository are compared in the analysis processes.
   */
  readonly everyVersion?: true;
  /**
   * The advisories of each package in the order of `packages`, withdrawn ones included.
   *
   * @throws {QueryRefused} When there are too many, or a package is not understood.
   */
  query(packages: readonly PackageQuery[], signal: AbortSignal): Promise<readonly OsvRecord[][]>;
  /** The records with these ids; an id that the source does not know is left out. */
  byIds(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, OsvRecord>>;
}
