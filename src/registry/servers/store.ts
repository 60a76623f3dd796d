/**
 * Reading and writing records with their reports and archives. Writes take a transaction: a record,
 * its report and its archive are stored together or not at all.
 *
 * @module
 */
import type { Queryable, Transaction } from "../../database/client.ts";
import type { FetchedRepository } from "../../repository/fetch.ts";
import { keepServerPackages } from "../../packages/store.ts";
import { storeArchive } from "../../repository/archives.ts";
import { listedBuild } from "../../scan/build_schema.ts";
import { type CapabilityDecision, kindsOf, reachedBy } from "../../scan/capabilities_schema.ts";
import {
  decisionColumns,
  decisionOf,
  type DecisionRow,
  withAnswers,
} from "../capabilities/state.ts";
import type { SecurityReport } from "../../scan/schema.ts";
import { publishersIn } from "../ownership/publisher.ts";
import type { RegistryPolicy } from "../deps.ts";
import {
  detailOf,
  fieldColumns,
  type RecordFields,
  rowColumns,
  type ServerRow,
  type StoredServer,
  type StoredSource,
} from "./record.ts";
import { type ServerDetail, ServerName } from "../schema.ts";
import type { ProposedVariable } from "../../keys/variables.ts";
import { storable } from "./stored_text.ts";

/** Channel on which nodes are told of servers whose fields, code or scan are others now. */
export const CHANGED_CHANNEL = "berth_server_changed";

/** A scanned repository, as it goes into a record. */
export interface Scanned {
  repository: FetchedRepository;
  report: SecurityReport;
  /** Tools of the record: those that were reported, or those that were found. */
  tools: string[];
  /** When a record whose scan did not get all that it needs is to be scanned again; null otherwise. */
  retryAt: Date | null;
  /** How often in a row that was so. */
  retries: number;
  /** When a node may build it; null when there is nothing to try. */
  buildAt: Date | null;
}

/** The record's row; null when there is none. `lock` keeps others from changing it. */
export async function findRow(
  sql: Queryable,
  name: string,
  options: { lock?: boolean } = {},
): Promise<ServerRow | null> {
  // What cannot be a name is not looked for: PostgreSQL refuses texts with NUL.
  if (!ServerName.safeParse(name).success) return null;
  const [row] = await sql<ServerRow[]>`
    select ${rowColumns(sql)} from servers where name = ${name}
    ${options.lock ? sql`for update` : sql``}`;
  return row ?? null;
}

/** The record with its report; null when there is none. */
export async function findServer(sql: Queryable, name: string): Promise<StoredServer | null> {
  if (!ServerName.safeParse(name).success) return null;
  const [found] = await sql<(ServerRow & DecisionRow & { report: SecurityReport })[]>`
    select ${rowColumns(sql)}, report, ${decisionColumns(sql)}
    from servers join server_reports using (name) ${withAnswers(sql)} where name = ${name}`;
  if (found === undefined) return null;
  const { report, decision_state, decision_reason, decision_at, ...row } = found;
  const decision = decisionOf({ decision_state, decision_reason, decision_at });
  return { row, report, decision };
}

/** A record's row, and what its scan saw of its tools. */
export interface RowWithTools {
  row: ServerRow;
  /** Null when the scan could not tell. */
  scannedTools: { names: string[]; built: string[]; atRunTime: boolean } | null;
  /** Variables that the code reads, as the report says. */
  readVariables: ProposedVariable[];
  /** Variables without which its build did not start. */
  neededToStart: string[];
  /** Null for servers without capabilities. */
  decision: CapabilityDecision | null;
}

/** What decides whether and how a server runs, in one statement: each session begins with it. */
export async function findRowWithTools(
  sql: Queryable,
  name: string,
): Promise<RowWithTools | null> {
  if (!ServerName.safeParse(name).success) return null;
  const [found] = await sql<
    (ServerRow & DecisionRow & {
      scanned_names: string[] | null;
      built_names: string[];
      is_dynamic: boolean;
      is_told: boolean;
      read_variables: ProposedVariable[] | null;
      needed: string[] | null;
    })[]
  >`
    with reported as materialized (
      select (report -> 'tool_discovery')::jsonb as discovery,
        report -> 'compatibility' -> 'environment' as read_variables,
        report -> 'compatibility' -> 'build' -> 'problem' -> 'variables' as needed
      from server_reports where name = ${name}
    )
    select ${rowColumns(sql)},
      jsonb_path_query_array(discovery -> 'found', '$[*].name') as scanned_names,
      coalesce(jsonb_path_query_array(discovery -> 'built', '$[*].name'), '[]') as built_names,
      (discovery ->> 'dynamic')::boolean as is_dynamic,
      discovery ->> 'error' is null as is_told, read_variables, needed,
      ${decisionColumns(sql)}
    from servers left join reported on true ${withAnswers(sql)} where name = ${name}`;
  if (found === undefined) return null;
  const {
    scanned_names,
    built_names,
    is_dynamic,
    is_told,
    read_variables,
    needed,
    decision_state,
    decision_reason,
    decision_at,
    ...row
  } = found;
  return {
    row,
    scannedTools: is_told && scanned_names !== null
      ? { names: scanned_names, built: built_names, atRunTime: is_dynamic }
      : null,
    readVariables: read_variables ?? [],
    decision: decisionOf({ decision_state, decision_reason, decision_at }),
    neededToStart: row.runs === "needs_variables" ? needed ?? [] : [],
  };
}

/** The record in detail form; null when there is none. */
export async function findDetail(
  sql: Queryable,
  name: string,
  policy: Pick<RegistryPolicy, "payments" | "capabilities">,
): Promise<ServerDetail | null> {
  const found = await findServer(sql, name);
  return found === null ? null : detailOf(found, policy);
}

function sourceOf(repository: FetchedRepository): StoredSource {
  const { commit, ref, folder, bytes, owner, name, url, files } = repository;
  return { commit, ref, folder, files: files.size, bytes, owner, name, url };
}

/** The columns that follow from what a report says of its build. */
function buildColumns({ compatibility }: SecurityReport) {
  const build = compatibility?.build;
  if (build === undefined) return { runs: null, runs_reason: null };
  const { runs, reason } = listedBuild(build);
  return { runs, runs_reason: reason };
}

function scanColumns(sql: Queryable, scanned: Scanned) {
  const { summary, status } = scanned.report;
  return {
    scan_status: status,
    total_issues: summary.total_issues_all_scanners,
    critical_issues: summary.critical_issues,
    source: sql.json({ ...storable(sourceOf(scanned.repository)) }),
    archive_sha256: scanned.repository.sha256,
    retry_at: scanned.retryAt,
    retries: scanned.retries,
    ...buildColumns(scanned.report),
    capabilities: kindsOf(scanned.report.capabilities),
    reaches: reachedBy(scanned.report.capabilities),
    build_at: scanned.buildAt,
    publishers: publishersIn(scanned.repository),
    repository_private: scanned.repository.isPrivate,
  };
}

function configurationColumn(sql: Queryable, { configuration }: RecordFields) {
  return configuration === null ? null : sql.json(storable(configuration));
}

async function putReport(sql: Transaction, name: string, report: SecurityReport): Promise<void> {
  // What was checked is kept with the scan: a lock file may name thousands of packages.
  const { packages: _, ...dependencies } = report.dependency_audit;
  const shown = { ...report, dependency_audit: dependencies };
  // As text: a jsonb parameter would lose the order of the report's sections.
  await sql`
    insert into server_reports (name, report)
    values (${name}, ${JSON.stringify(shown)}::text::json)
    on conflict (name) do update set report = excluded.report`;
  const wheels = report.packages?.resolved.flatMap(({ sha256 }) => sha256 ?? []) ?? [];
  await keepServerPackages(sql, name, wheels);
}

/**
 * Puts what a later build says into a record and into the kept report of the scan that it completes.
 *
 * @param complete Gives a report with the build: the kept one lists what the record's leaves out.
 */
export async function putBuild(
  tx: Transaction,
  name: string,
  { report, complete, buildAt }: {
    report: SecurityReport;
    complete: (report: SecurityReport) => SecurityReport;
    buildAt: Date | null;
  },
): Promise<void> {
  await putReport(tx, name, report);
  await tx`
    update servers set ${tx({ ...buildColumns(report), build_at: buildAt })} where name = ${name}`;
  const [kept] = await tx<{ scan_id: string; report: SecurityReport }[]>`
    select scan_id, report from scan_reports where server = ${name}
    order by position desc limit 1`;
  if (kept === undefined || kept.report.source.archive_sha256 !== report.source.archive_sha256) {
    return;
  }
  await tx`
    update scan_reports set report = ${JSON.stringify(complete(kept.report))}::text::json
    where scan_id = ${kept.scan_id}`;
}

/** A record that is stored for the first time. */
export interface NewServer {
  name: string;
  owner: string;
  fields: RecordFields;
  scanned: Scanned;
  now: Date;
}

/** Stores a new record. */
export async function insertServer(sql: Transaction, server: NewServer): Promise<void> {
  const { name, owner, fields, scanned, now } = server;
  await storeArchive(sql, scanned.repository.sha256, scanned.repository.archive);
  const columns = {
    name,
    owner,
    ...fieldColumns(name, fields),
    configuration: configurationColumn(sql, fields),
    ...scanColumns(sql, scanned),
    created_at: now,
    updated_at: now,
  };
  await sql`insert into servers ${sql(columns)}`;
  await putReport(sql, name, scanned.report);
}

/** Changes a record's fields, and what was scanned when that is given. */
export async function changeServer(
  sql: Transaction,
  name: string,
  change: { fields: RecordFields; scanned?: Scanned; updatedAt?: Date },
): Promise<void> {
  const { fields, scanned, updatedAt } = change;
  if (scanned !== undefined) {
    await storeArchive(sql, scanned.repository.sha256, scanned.repository.archive);
    await putReport(sql, name, scanned.report);
  }
  const columns = {
    ...fieldColumns(name, fields),
    configuration: configurationColumn(sql, fields),
    ...(scanned === undefined ? {} : scanColumns(sql, scanned)),
    ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
  };
  await sql`
    update servers set ${sql(columns)}, revision = revision + 1
    where name = ${name}`;
  await sql`select pg_notify(${CHANGED_CHANNEL}, ${name})`;
}
