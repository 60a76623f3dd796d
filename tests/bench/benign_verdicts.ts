// deno-lint-ignore-file no-console -- A script whose output is its result.
/**
 * Whole scans of honest servers: `deno run -A tests/bench/benign_verdicts.ts FOLDER TABLE`.
 *
 * FOLDER holds a checkout `owner__name` of each repository of TABLE (tab-separated: `repository`,
 * `project_folder`, `entrypoint`, `tools`). Prints a line for each finding that fails a scan and for
 * each stage that could not finish, then how many servers pass. Advisories are left out: they
 * change by the day. Compare two runs with `diff`.
 *
 * @module
 */
import { createLogger } from "../../src/log.ts";
import type { Advisories } from "../../src/scan/advisories/advisories.ts";
import { createAnalysis } from "../../src/scan/analysis/analysis.ts";
import { decisiveOf } from "../../src/scan/decisive.ts";
import { runScan } from "../../src/scan/pipeline.ts";
import { scanInput } from "../scan/input.ts";
import { readServers, serverFiles } from "./servers.ts";
import { NO_WALLS } from "../../src/sandbox/walls.ts";

const [folder, table] = Deno.args;
if (folder === undefined || table === undefined) {
  throw new Error("Give a folder of checkouts and a table of servers");
}
const log = createLogger({ level: "error", format: "text", write: (line) => console.error(line) });
const advisories: Advisories = {
  engine: "none",
  query: (packages) => Promise.resolve(packages.map(() => [])),
  byIds: () => Promise.resolve(new Map()),
};
const analysis = createAnalysis({ walls: NO_WALLS, log });
const outcomes: Record<string, number> = {};
for (const server of readServers(table)) {
  const { files, entrypoint } = serverFiles(folder, server);
  const plain = await scanInput({}, { entrypoint });
  const dynamic = server.tools.some((name) => name.startsWith("<"));
  const input = {
    ...plain,
    tools: dynamic ? null : server.tools,
    repository: { ...plain.repository, files },
  };
  const now = () => new Date();
  const report = await runScan({ analysis, advisories, now, log, qualityUrl: () => "" }, input);
  const { status } = report;
  outcomes[status] = (outcomes[status] ?? 0) + 1;
  console.log(`${status} ${server.repository} ${server.entrypoint}`);
  for (const { severity, rule, file, line, title } of decisiveOf(report)) {
    console.log(`  ${severity} ${rule} ${file}:${line} ${title}`);
  }
  for (const name of report.tool_discovery.missing) console.log(`  missing tool ${name}`);
  const stages = [
    report.quality_analysis,
    report.tool_discovery,
    report.dependency_audit,
    report.secrets_detection,
    report.mcp_audit,
  ];
  for (const { error } of stages) {
    if (error !== null) console.log(`  ${error.code} ${error.message}`);
  }
}
await analysis.close();
console.log(outcomes);
