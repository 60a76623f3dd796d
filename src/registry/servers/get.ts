/**
 * Reading one server.
 *
 * @module
 */
import type { Queryable } from "../../database/client.ts";
import { loadArchive } from "../../repository/archives.ts";
import type { CapabilityDecision, Runs } from "../../scan/capabilities_schema.ts";
import type { Language, ScanStatus } from "../../scan/schema.ts";
import type { Packages, ResolvedPackage } from "../../scan/packages_schema.ts";
import type { ScannedCode } from "../../scan/source_schema.ts";
import { type Variable, variablesOf } from "../../keys/variables.ts";
import type { Viewer } from "../../access/rule.ts";
import { checkReadable } from "../access/check.ts";
import type { Visibility } from "../../access/schema.ts";
import { serverNotFound } from "../failures.ts";
import type { RegistryDeps, RegistryPolicy } from "../deps.ts";
import { etagOf } from "./etag.ts";
import type { ServerDetail } from "../schema.ts";
import { configurationOf } from "./record.ts";
import { findDetail, findRow, findRowWithTools } from "./store.ts";

/** The record in detail form with its entity tag. @throws {AppError} `not_found`. */
export async function getServer(
  deps: Pick<RegistryDeps, "sql"> & { policy: Pick<RegistryPolicy, "payments" | "capabilities"> },
  name: string,
  viewer: Viewer,
): Promise<{ server: ServerDetail; etag: string }> {
  await checkReadable(deps.sql, viewer, name);
  const server = await findDetail(deps.sql, name, deps.policy);
  if (server === null) throw serverNotFound(name);
  return { server, etag: await etagOf(server) };
}

/** The archive that was scanned, and its SHA-256 in hexadecimal. @throws {AppError} `not_found`. */
export async function getArchive(
  deps: Pick<RegistryDeps, "sql" | "objects">,
  name: string,
  viewer: Viewer,
): Promise<{ bytes: Uint8Array; sha256: string; visibility: Visibility }> {
  await checkReadable(deps.sql, viewer, name);
  const row = await findRow(deps.sql, name);
  const bytes = row === null ? null : await loadArchive(deps.sql, row.archive_sha256, deps.objects);
  if (row === null || bytes === null) throw serverNotFound(name);
  return { bytes, sha256: row.archive_sha256, visibility: row.visibility };
}

/** Names of the servers that `userId` owns, in order. */
export async function ownedServers(
  deps: Pick<RegistryDeps, "sql">,
  userId: string,
): Promise<string[]> {
  const rows = await deps.sql<{ name: string }[]>`
    select name from servers where owner = ${userId} order by name`;
  return rows.map((row) => row.name);
}

/** Tools of a server, as its scan saw them. */
export interface ScannedTools {
  /** At most 500 characters each. */
  names: string[];
  /** What else the server listed when it was built, which was not found in its source. */
  built?: string[];
  /** Whether the server makes tools while it runs, which no scan sees. */
  atRunTime: boolean;
}

/** What the execution side needs of a record. */
export interface RunnableServer {
  name: string;
  version: string;
  /** Token subject. */
  owner: string;
  lang: Language;
  entrypoint: string;
  /** Folder of the archive that `entrypoint` is relative to; empty for its root. */
  folder: string;
  archiveSha256: string;
  scanStatus: ScanStatus;
  variables: Variable[];
  /** Of these the server needs one at least to start, as its build found. */
  neededToStart: string[];
  /** Null when the scan could not tell. */
  scannedTools: ScannedTools | null;
  /** What its tools run that their callers write. */
  runs: Runs[];
  /** What an administrator answered to that; null where there is nothing to answer. */
  decision?: CapabilityDecision | null;
  pricing: { currency: string; amount: number };
  /** Rises with every change of the record. */
  revision: number;
}

/** What sessions need of the report of a server's archive. */
export interface StoredCode {
  /** What the scan read as code; null where a version of Berth did not say it. */
  scanned: ScannedCode | null;
  /** The packages that were resolved; null where nothing is said of packages. */
  resolved: ResolvedPackage[] | null;
}

/** What is stored of a server's code; nothing where its report is of another archive. */
export async function findStoredCode(
  sql: Queryable,
  name: string,
  archiveSha256: string,
): Promise<StoredCode> {
  const [row] = await sql<StoredCode[]>`
    select report->'source'->'scanned' as scanned, report->'packages'->'resolved' as resolved
    from server_reports
    where name = ${name} and report->'source'->>'archive_sha256' = ${archiveSha256}`;
  return { scanned: row?.scanned ?? null, resolved: row?.resolved ?? null };
}

/** What the last scan resolved for a server; undefined where it was of other content. */
export async function findPackagesBefore(
  sql: Queryable,
  name: string,
  { archiveSha256, folder, entrypoint }: {
    archiveSha256: string;
    folder: string;
    entrypoint: string;
  },
): Promise<Packages | undefined> {
  const [row] = await sql<{ packages: Packages | null }[]>`
    select report->'packages' as packages from server_reports join servers using (name)
    where name = ${name} and entrypoint = ${entrypoint}
      and report->'source'->>'archive_sha256' = ${archiveSha256}
      and report->'source'->>'folder' = ${folder}`;
  return row?.packages ?? undefined;
}

/** What it takes to run the server; null when there is none of this name. */
export async function findRunnable(sql: Queryable, name: string): Promise<RunnableServer | null> {
  const found = await findRowWithTools(sql, name);
  if (found === null) return null;
  const { row, scannedTools, readVariables, neededToStart, decision } = found;
  const configuration = configurationOf(row);
  return {
    name: row.name,
    version: row.version,
    owner: row.owner,
    lang: row.lang,
    entrypoint: row.entrypoint,
    folder: row.source.folder,
    archiveSha256: row.archive_sha256,
    scanStatus: row.scan_status,
    scannedTools,
    runs: row.capabilities,
    decision,
    variables: variablesOf(configuration, readVariables),
    neededToStart: configuration === null ? neededToStart : [],
    pricing: { currency: row.price_currency, amount: row.price_amount },
    revision: row.revision,
  };
}
