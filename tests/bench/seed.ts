/**
 * A registry of many records, written directly in SQL.
 *
 * @module
 */
import type { Sql } from "../../src/database/client.ts";
import { fieldColumns, type RecordFields } from "../../src/registry/servers/record.ts";
import { storeArchive } from "../../src/repository/archives.ts";
import { reportOn, repositoryOf } from "../helpers/registry.ts";

/** Words of names and descriptions, from common to rare. */
const WORDS = Array.from({ length: 2000 }, (_, rank) => `topic${rank.toString(36)}x`);
// As common as a subject is: each is in a few of a hundred records.
"weather forecast city document search database mail calendar payment video".split(" ")
  .forEach((word, index) => WORDS[150 + 15 * index] = word);
["server", "tools", "api"].forEach((word, index) => WORDS[index] = word);

const BATCH = 1000;
const MINUTE_MS = 60_000;
const START = Date.parse("2026-01-01T00:00:00Z");
const GIN_INDEXES = [
  "servers_tools on servers using gin (tools)",
  "servers_licenses on servers using gin (license_keys)",
  "servers_tags on servers using gin (tags)",
  "servers_search on servers using gin (search)",
  "servers_search_text on servers using gin (search_text gin_trgm_ops)",
  "servers_name_words on servers using gin (name gin_trgm_ops)",
  "servers_names on servers using gin (server_names(search_text) gin_trgm_ops)",
];

/** A finding of realistic length; `%` is replaced so that no two are alike. */
const FINDING = JSON.stringify({
  id: "%",
  stage: "quality_analysis",
  rule: "PLR2004",
  severity: "low",
  cwe: null,
  title: "Magic value used in comparison",
  detail:
    "Replace the value with a constant that says what it stands for, such as a limit or a key",
  file: "src/%/handlers/requests.py",
  line: 120,
  end_line: 120,
  fingerprint: "%%",
  url: "https://docs.astral.sh/ruff/rules/magic-value-comparison",
  class: "code_smell",
});

/** Numbers below `limit` in a fixed order that looks random. */
function createDice(): (limit: number) => number {
  let state = 42;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * limit);
  };
}

type Dice = ReturnType<typeof createDice>;

/** A word, by Zipf's law. */
function word(dice: Dice): string {
  return WORDS[Math.floor(WORDS.length ** (dice(1e9) / 1e9)) - 1]!;
}

function words(dice: Dice, count: number): string[] {
  return Array.from({ length: count }, () => word(dice));
}

function record(dice: Dice, n: number, archive: string) {
  const [subject, object] = [word(dice), word(dice)];
  const name = `${subject}-${object}-${n.toString(36)}`;
  const owner = n % 9000;
  const fields: RecordFields = {
    version: "1.0.0",
    description: `Works with ${words(dice, 20 + dice(50)).join(" ")}.`,
    author: `Author ${owner}`,
    lang: (["python", "python", "python", "typescript", "go"] as const)[dice(5)]!,
    license: ["MIT", "Apache-2.0", "MIT OR Apache-2.0"][dice(3)]!,
    entrypoint: "server.py",
    repository: { type: "git", url: `https://github.com/acme/${name}` },
    tools: [...new Set([`get_${subject}`, `list_${object}`, words(dice, 2).join("_")])],
    toolsDiscovered: true,
    configuration: null,
    category: null,
    tags: null,
    visibility: "public",
    pricing: { currency: "USD", amount: dice(10) === 0 ? dice(50) : 0 },
  };
  return {
    name,
    owner: `user-${owner}`,
    ...fieldColumns(name, fields),
    scan_status: dice(4) === 0 ? "failed" : "passed",
    total_issues: dice(30),
    critical_issues: dice(3),
    source: { commit: "a".repeat(40), ref: null, folder: "", files: 12, bytes: 90_000 },
    archive_sha256: archive,
    created_at: new Date(START + n * MINUTE_MS),
    updated_at: new Date(START + dice(1_000_000) * MINUTE_MS),
  };
}

/** Writes the reports of the last batch, each with 2 to 60 findings. */
async function writeReports(sql: Sql, report: string, names: string[]): Promise<void> {
  const [head, ...rest] = report.split('"issues":[]');
  const tail = rest.join('"issues":[]');
  await sql`
    insert into server_reports (name, report)
    select name, (${head!}::text || '"issues":[' || (
      select string_agg(replace(${FINDING}::text, '%', md5(name || n)), ',')
      from generate_series(1, 2 + abs(hashtext(name)) % 59) n
    ) || ']' || ${tail}::text)::json
    from unnest(${names}::text[]) as name`;
}

/** Writes `count` records with reports of 4 to 45 kB. */
export async function seed(sql: Sql, count: number): Promise<void> {
  // Made at the end, as one does with many records.
  for (const index of GIN_INDEXES) await sql.unsafe(`drop index ${index.split(" ")[0]}`);
  const repository = await repositoryOf("https://github.com/acme/weather");
  const report = JSON.stringify(reportOn({ repository, serverName: "weather" }));
  await sql.begin((tx) => storeArchive(tx, repository.sha256, repository.archive));
  const dice = createDice();
  for (let from = 0; from < count; from += BATCH) {
    const size = Math.min(BATCH, count - from);
    const rows = Array.from({ length: size }, (_, i) => record(dice, from + i, repository.sha256));
    await sql`insert into servers ${sql(rows as never[])}`;
    await writeReports(sql, report, rows.map((row) => row.name));
  }
  for (const index of GIN_INDEXES) await sql.unsafe(`create index ${index}`);
  await sql.unsafe("vacuum analyze");
}
