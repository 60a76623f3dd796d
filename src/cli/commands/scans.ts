/**
 * `berth scans`: the scans of a server, and how one differs from another.
 *
 * @module
 */
import { z } from "zod";
import { HistoryEntry } from "../../registry/scanning/scan_schema.ts";
import { Finding } from "../../scan/schema.ts";
import type { Cli } from "../cli.ts";
import { checkName } from "../client/server.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import type { Style } from "../output/style.ts";
import { oneLine } from "../output/terminal_text.ts";
import { findingLines, verdictText } from "../reports/report_text.ts";

const History = z.object({ scans: z.array(HistoryEntry), next_cursor: z.string().nullish() });

const Compared = z.object({
  server: z.string(),
  version: z.string(),
  comparison: z.object({
    with: z.string().nullable(),
    new: z.array(Finding),
    fixed: z.array(Finding),
    unchanged: z.number(),
  }),
});
type Compared = z.infer<typeof Compared>;

function rowOf(scan: HistoryEntry, style: Style): string[] {
  return [
    scan.id,
    oneLine(scan.version),
    verdictText(scan.status, style),
    String(scan.summary.total_issues_all_scanners),
    scan.previous === null ? "" : `+${scan.new_issues}`,
    scan.previous === null ? "" : `-${scan.fixed_issues}`,
    oneLine(scan.commit).slice(0, 10),
    scan.action,
    scan.finished_at,
  ];
}

const HEAD = [
  "SCAN",
  "VERSION",
  "VERDICT",
  "FINDINGS",
  "NEW",
  "FIXED",
  "COMMIT",
  "TRIGGER",
  "SCANNED",
];

/** Lists the stored scans of a server, the last first. */
async function listScans(cli: Cli, name: string, limit: number): Promise<void> {
  const api = await cli.api();
  const path = `/servers/${checkName(name)}/scans?limit=${limit}`;
  const { body, data } = await api.read(path, History);
  cli.output.table(body, () => ({
    head: HEAD,
    rows: data.scans.map((scan) => rowOf(scan, cli.output.style)),
  }));
  if (data.next_cursor) cli.output.note("Older scans exist. Use --limit to show up to 100");
}

function part(title: string, findings: Finding[], style: Style): string {
  if (findings.length === 0) return "";
  const lines = findings.map((finding) => findingLines(finding, style)).join("");
  return `\n${style.bold(title)}\n${lines}`;
}

function comparisonText({ version, comparison }: Compared, style: Style): string {
  const { with: other, new: added, fixed, unchanged } = comparison;
  const against = other === null ? "the first scan" : `against ${other}`;
  return `${oneLine(version)}, ${against}: ${added.length} new, ${fixed.length} fixed, ` +
    `${unchanged} unchanged\n${part("New", added, style)}${part("Fixed", fixed, style)}`;
}

/** Shows what a scan found that another of the same server had not, and the other way round. */
async function showDifference(
  cli: Cli,
  name: string,
  { scan, against }: { scan: string; against: string | undefined },
): Promise<void> {
  const ids = [scan, against].filter((id) => id !== undefined);
  if (!ids.every((id) => /^[\w-]{1,64}$/.test(id))) {
    throw usageError("Not a valid scan id", `List the scans with berth scans ${name}`);
  }
  const api = await cli.api();
  const query = against === undefined ? "" : `?compare=${against}`;
  const { body, data } = await api.read(`/scans/${scan}/report${query}`, Compared);
  if (data.server !== checkName(name)) {
    throw new CliError(EXIT.failure, `The scan does not belong to ${name}`, {
      hint: `List the scans with berth scans ${name}`,
    });
  }
  cli.output.data(body, () => comparisonText(data, cli.output.style));
}

/** Lists scans, or shows how `scan` differs from the one before or from `against`. */
export async function scans(
  cli: Cli,
  name: string,
  scan: string | undefined,
  options: { limit?: number | undefined; against?: string | undefined },
): Promise<void> {
  const { limit = 20, against } = options;
  if (scan !== undefined) return await showDifference(cli, name, { scan, against });
  if (against !== undefined) {
    throw usageError("--against requires a scan", `berth scans ${name} SCAN --against OTHER`);
  }
  await listScans(cli, name, limit);
}
