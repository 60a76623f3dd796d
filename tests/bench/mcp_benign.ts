// deno-lint-ignore-file no-console -- A script whose output is its result.
/**
 * MCP checks on benign servers: `deno run -A tests/bench/mcp_benign.ts FOLDER TABLE [--all]`.
 *
 * FOLDER holds a checkout `owner__name` of each repository of TABLE (tab-separated: `repository`,
 * `project_folder`, `entrypoint`, `tools`). Servers with a finding of `mcp_audit` of high or worse are
 * false alarms; `--all` lists all of stage 5 of medium
 * or worse.
 *
 * @module
 */
import { auditServer, readServers, serverFiles } from "./servers.ts";

const [folder, table] = Deno.args;
if (folder === undefined || table === undefined) {
  throw new Error("Give a folder of checkouts and a table of servers");
}
const counts = new Map<string, number>();
let [servers, alarms, failures] = [0, 0, 0];
for (const server of readServers(table)) {
  const { files, entrypoint } = serverFiles(folder, server);
  const { code, mcp } = await auditServer(files, entrypoint);
  servers++;
  const isGrave = ({ severity }: { severity: string }) => /^(critical|high)$/.test(severity);
  if (mcp.some(isGrave)) alarms++;
  if ([...code, ...mcp].some(isGrave)) failures++;
  const told = Deno.args.includes("--all") ? [...code, ...mcp] : mcp;
  const seen = new Set(told.map(({ rule, severity }) => `${rule} ${severity}`));
  for (const each of seen) counts.set(each, (counts.get(each) ?? 0) + 1);
  for (const each of told) {
    if (isGrave(each) || (Deno.args.includes("--all") && each.severity === "medium")) {
      const place = `${server.repository} ${each.file}:${each.line}`;
      console.log(`${each.severity} ${each.rule} ${place} ${each.title}`);
    }
  }
}
console.table([...counts].sort().map(([rule, servers]) => ({ rule, servers })));
console.log(
  `${servers} servers, ${alarms} with a severe finding of mcp_audit ` +
    `(${(100 * alarms / servers).toFixed(1)} %), ${failures} with a blocking one of stage 5`,
);
