/**
 * Records as rows of the `servers` table, and as lists and details show them.
 *
 * @module
 */
import parseSpdx from "spdx-expression-parse";
import type { Queryable } from "../../database/client.ts";
import type { Language, ReportSummary, ScanStatus, SecurityReport } from "../../scan/schema.ts";
import type { ListedBuild, Runs } from "../../scan/build_schema.ts";
import type { CapabilityDecision, Runs as CallerRuns } from "../../scan/capabilities_schema.ts";
import type { RegistryPolicy } from "../deps.ts";
import { storedConfiguration } from "../../keys/stored_variables.ts";
import { type Configuration, variablesOf } from "../../keys/variables.ts";
import { authorKey } from "../../names/namespaces.ts";
import { publisherColumn } from "../ownership/publisher.ts";
import type { ServerDetail, ServerListed } from "../schema.ts";
import type { Visibility } from "../../access/schema.ts";
import type { Category } from "../topics/categories.ts";
import { proposeTopics } from "../topics/propose.ts";
import { searchForm, summarize } from "./stored_text.ts";

/** What a client decides about a record. */
export interface RecordFields {
  version: string;
  description: string;
  author: string;
  lang: Language;
  license: string;
  entrypoint: string;
  repository: { type: "git"; url: string };
  tools: string[];
  /** Whether `tools` is what a scan found, rather than what the client reported. */
  toolsDiscovered: boolean;
  pricing: { currency: string; amount: number };
  /** What the author declares of the variables; null where the scan's word counts. */
  configuration: Configuration | null;
  /** The author's word; null where what is proposed counts. */
  category: Category | null;
  tags: string[] | null;
  visibility: Visibility;
}

/** What was scanned, with what it takes to scan the same bytes again. */
export interface StoredSource {
  commit: string;
  ref: string | null;
  folder: string;
  files: number;
  bytes: number;
  /** Owner, name and address of the repository as the code host spells them. */
  owner: string;
  name: string;
  url: string;
}

/** A row of `servers` without what only searches read. */
export interface ServerRow {
  name: string;
  owner: string;
  version: string;
  description: string;
  author: string;
  lang: Language;
  license: string;
  entrypoint: string;
  repository_type: "git";
  repository_url: string;
  tools: string[];
  tools_discovered: boolean;
  price_currency: string;
  price_amount: number;
  scan_status: ScanStatus;
  total_issues: number;
  critical_issues: number;
  source: StoredSource;
  archive_sha256: string;
  revision: number;
  created_at: Date;
  updated_at: Date;
  retries: number;
  /** What its build said; null where none has. */
  runs: Runs | null;
  runs_reason: string | null;
  /** What its tools run that their callers write. */
  capabilities: CallerRuns[];
  configuration: unknown;
  /** The author's word; null where what is proposed counts. */
  given_category: Category | null;
  given_tags: string[] | null;
  /** What counts; null until it is proposed. */
  category: Category | null;
  tags: string[];
  visibility: Visibility;
  /** Whether the repository names the owner. */
  publisher_verified: boolean;
  /** Whether what was scanned came from a repository that some may not read. */
  repository_private: boolean;
}

/** A record with its report, and where it stands with administrators. */
export interface StoredServer {
  row: ServerRow;
  report: SecurityReport;
  /** Null for servers without capabilities. */
  decision: CapabilityDecision | null;
}

/** The select list that fills a {@link ServerRow}. */
export function rowColumns(sql: Queryable) {
  return sql`
    name, owner, version, description, author, lang, license, entrypoint, repository_type,
    repository_url, tools, tools_discovered, price_currency, price_amount::float8 as price_amount,
    scan_status, total_issues, critical_issues, source, archive_sha256, revision, created_at,
    updated_at, retries, runs, runs_reason, capabilities, configuration, given_category,
    given_tags, category, tags, visibility, repository_private, ${publisherColumn(sql)}`;
}

type SpdxNode = ReturnType<typeof parseSpdx>;

function licensesIn(node: SpdxNode): string[] {
  if ("license" in node) return [node.license];
  return [...licensesIn(node.left), ...licensesIn(node.right)];
}

/** Each license in an expression, in its place. */
export function licensesOf(expression: string): string[] {
  return licensesIn(parseSpdx(expression));
}

/** What the license filter compares with: the whole expression, and each license in it. */
function licenseKeys(expression: string): string[] {
  const keys = [expression, ...licensesOf(expression)].map((key) => key.toLowerCase());
  return [...new Set(keys)];
}

/** Database columns for the fields that an owner sets, and the search columns derived from them. */
export function fieldColumns(name: string, fields: RecordFields) {
  const searched = [name, fields.tools.join(" "), fields.description].map(searchForm);
  const proposed = proposeTopics({ name, ...fields });
  return {
    version: fields.version,
    description: fields.description,
    summary: summarize(fields.description),
    author: fields.author,
    author_key: authorKey(fields.author),
    lang: fields.lang,
    license: fields.license,
    license_keys: licenseKeys(fields.license),
    entrypoint: fields.entrypoint,
    repository_type: fields.repository.type,
    repository_url: fields.repository.url,
    tools: fields.tools,
    tools_discovered: fields.toolsDiscovered,
    price_currency: fields.pricing.currency,
    price_amount: fields.pricing.amount,
    given_category: fields.category,
    given_tags: fields.tags,
    category: fields.category ?? proposed.category,
    tags: fields.tags ?? proposed.tags,
    visibility: fields.visibility,
    search_text: searched.join("\n"),
  };
}

/** What a client decided about the record in `row`. */
export function fieldsOf(row: ServerRow): RecordFields {
  return {
    version: row.version,
    description: row.description,
    author: row.author,
    lang: row.lang,
    license: row.license,
    entrypoint: row.entrypoint,
    repository: { type: row.repository_type, url: row.repository_url },
    tools: row.tools,
    toolsDiscovered: row.tools_discovered,
    pricing: { currency: row.price_currency, amount: row.price_amount },
    configuration: configurationOf(row),
    category: row.given_category,
    tags: row.given_tags,
    visibility: row.visibility,
  };
}

/** Members in the order of the schema: the column keeps its own. */
export function configurationOf({ configuration }: Pick<ServerRow, "configuration">) {
  return storedConfiguration(configuration);
}

/** The fields of a row that lists and details show alike. */
type ShownRow =
  & Pick<ServerRow, "name" | "version" | "author" | "lang" | "license" | "entrypoint" | "tools">
  & Pick<ServerRow, "repository_type" | "repository_url" | "price_currency" | "price_amount">
  & Pick<ServerRow, "runs" | "runs_reason" | "capabilities" | "category" | "tags">
  & Pick<ServerRow, "visibility" | "publisher_verified">;

function buildOf({ runs, runs_reason: reason }: ShownRow): ListedBuild | null {
  return runs === null ? null : { runs, reason };
}

function shown(row: ShownRow, description: string) {
  return {
    name: row.name,
    version: row.version,
    description,
    author: row.author,
    lang: row.lang,
    license: row.license,
    entrypoint: row.entrypoint,
    repository: { type: row.repository_type, url: row.repository_url },
    tools: { count: row.tools.length, names: row.tools },
    pricing: { currency: row.price_currency, amount: row.price_amount },
    category: row.category ?? "other",
    tags: row.tags,
    visibility: row.visibility,
    build: buildOf(row),
    capabilities: row.capabilities,
    publisher_verified: row.publisher_verified,
  };
}

/** What a list reads of a record. */
export type ListedRow =
  & ShownRow
  & Pick<ServerRow, "scan_status" | "total_issues" | "critical_issues">
  & {
    summary: string;
  };

/** The summary of the report, from the record's own columns. */
function reportSummary(
  row: Pick<ServerRow, "scan_status" | "total_issues" | "critical_issues">,
): ReportSummary {
  return {
    scan_passed: row.scan_status === "passed",
    total_issues_all_scanners: row.total_issues,
    critical_issues: row.critical_issues,
  };
}

/** A record in list form. */
export function listedOf(row: ListedRow): ServerListed {
  return { ...shown(row, row.summary), security_report: { summary: reportSummary(row) } };
}

/** A record in detail form. */
export function detailOf(
  { row, report, decision }: StoredServer,
  policy: Pick<RegistryPolicy, "payments" | "capabilities">,
): ServerDetail {
  const { commit, ref, folder, files, bytes } = row.source;
  const configuration = configurationOf(row);
  return {
    ...shown(row, row.description),
    capability_decision: policy.capabilities === "ask" ? decision : null,
    payment_required: policy.payments && row.price_amount > 0,
    configuration,
    variables: variablesOf(configuration, report.compatibility?.environment ?? []),
    security_report: report,
    source: { commit, ref, folder, archive_sha256: row.archive_sha256, files, bytes },
    repository_private: row.repository_private,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
