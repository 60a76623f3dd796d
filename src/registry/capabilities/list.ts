/**
 * The servers that administrators decide on, with the evidence.
 *
 * @module
 */
import type { DeclaredRun, Runs } from "../../scan/capabilities_schema.ts";
import type { ScanStatus } from "../../scan/schema.ts";
import type { RegistryDeps } from "../deps.ts";
import type { CapabilityCase, CapabilityQuery } from "./schema.ts";

/** Servers of one state, sorted by name. */
export interface CasePage {
  cases: CapabilityCase[];
  /** For `cursor` of the next page; null on the last. */
  nextCursor: string | null;
}

interface CaseRow {
  name: string;
  version: string;
  author: string;
  owner: string | null;
  scan_status: ScanStatus;
  updated_at: Date;
  state: CapabilityCase["state"];
  capabilities: Runs[];
  runs: DeclaredRun[] | null;
  answer: "allow" | "refuse" | null;
  covers: Runs[];
  reason: string;
  answered_by: string | null;
  answered_at: Date;
}

function caseOf(row: CaseRow): CapabilityCase {
  const { name, version, author, owner, scan_status, state, capabilities, runs, answer } = row;
  return {
    name,
    version,
    author,
    owner,
    scan_status,
    updated_at: row.updated_at.toISOString(),
    state,
    capabilities,
    runs: runs ?? [],
    answer: answer === null ? null : {
      answer,
      capabilities: row.covers,
      reason: row.reason,
      by: row.answered_by,
      at: row.answered_at.toISOString(),
    },
  };
}

/**
 * A page of the servers with capabilities that stand where the query says. Servers whose scan failed
 * are left out where they would not run anyway.
 */
export async function listCapabilities(
  { sql, policy }: Pick<RegistryDeps, "sql" | "policy">,
  { state, limit, cursor }: CapabilityQuery,
): Promise<CasePage> {
  const rows = await sql<CaseRow[]>`
    select name, version, author, owners.username as owner, scan_status, servers.updated_at,
      capability_state(capabilities, owner, capability_answers) as state, capabilities,
      report -> 'capabilities' -> 'runs' as runs,
      answer, covers, reason, administrators.username as answered_by, answered_at
    from servers join server_reports using (name) left join capability_answers using (name)
      left join users owners on owners.subject = servers.owner
      left join users administrators on administrators.subject = answered_by
    where capabilities <> '{}'
      and capability_state(capabilities, owner, capability_answers) = ${state}
      and ${policy.runsFailed ? sql`true` : sql`scan_status <> 'failed'`}
      and ${cursor === undefined ? sql`true` : sql`name > ${cursor}`}
    order by name limit ${limit + 1}`;
  const cases = rows.slice(0, limit).map(caseOf);
  return { cases, nextCursor: rows.length > limit ? cases.at(-1)!.name : null };
}

/** How many servers wait for an administrator. */
export async function countWaiting(
  { sql, policy }: Pick<RegistryDeps, "sql" | "policy">,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from servers left join capability_answers using (name)
    where capabilities <> '{}'
      and capability_state(capabilities, owner, capability_answers) = 'waiting'
      and ${policy.runsFailed ? sql`true` : sql`scan_status <> 'failed'`}`;
  return row.count;
}
