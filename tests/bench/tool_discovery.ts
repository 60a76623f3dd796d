// deno-lint-ignore-file no-console -- A script whose output is its result.
/**
 * Tool discovery against a walk of CPython's syntax trees that was written apart from it:
 * `deno run -A tests/bench/tool_discovery.ts FOLDER TABLE [python3]`.
 *
 * FOLDER holds a checkout `owner__name` of each repository of TABLE, as for `mcp_benign.ts`. Tools that
 * one side has and the other has not are listed; the table's own list is a third opinion.
 *
 * @module
 */
import { z } from "zod";
import { analyse } from "../../workers/analysis/discovery/mod.ts";
import { readServers, serverFiles } from "./servers.ts";

const Walked = z.object({ tools: z.record(z.string(), z.string()), dynamic: z.boolean() });
const Discovered = z.object({
  tools: z.array(z.object({ name: z.string(), file: z.string(), line: z.number() })),
  dynamic: z.boolean(),
});

const [folder, table, python = "python3"] = Deno.args;
if (folder === undefined || table === undefined) {
  throw new Error("Give a folder of checkouts and a table of servers");
}

async function walked(root: string, entrypoint: string): Promise<z.infer<typeof Walked>> {
  const script = new URL("declared_tools.py", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command(python, { args: [script, root, entrypoint] })
    .output();
  try {
    return Walked.parse(JSON.parse(new TextDecoder().decode(stdout)));
  } catch {
    throw new Error(`Cannot walk ${root}: ${new TextDecoder().decode(stderr)}`);
  }
}

const sum = {
  servers: 0,
  walked: 0,
  both: 0,
  missing: 0,
  invented: 0,
  table: 0,
  inTable: 0,
  exact: 0,
};
for (const server of readServers(table)) {
  const { files, entrypoint } = serverFiles(folder, server);
  const below = server.folder === "" ? "" : `/${server.folder}`;
  const root = `${folder}/${server.repository.replace("/", "__")}${below}`;
  const theirs = await walked(root, entrypoint);
  const ours = Discovered.parse(
    await analyse({
      lang: "python",
      entrypoint,
      files: new Map([...files].filter(([path]) => path.endsWith(".py"))),
      options: {},
      threads: 1,
      begin: () => {},
      refuse: () => {},
    }),
  );
  const found = new Set(ours.tools.map(({ name }) => name));
  const names = Object.keys(theirs.tools);
  const missing = names.filter((name) => !found.has(name));
  const invented = ours.tools.filter(({ name }) => theirs.tools[name] === undefined);
  const listed = server.tools.filter((name) => name !== "<dynamic>");
  const lost = listed.filter((name) => !found.has(name));
  sum.servers++;
  sum.walked += names.length;
  sum.both += names.length - missing.length;
  sum.missing += missing.length;
  sum.invented += invented.length;
  sum.table += listed.length;
  sum.inTable += listed.length - lost.length;
  if (lost.length === 0 && found.size === listed.length && !ours.dynamic) sum.exact++;
  if (missing.length + invented.length + lost.length > 0 || theirs.dynamic !== ours.dynamic) {
    console.log(server.repository, server.entrypoint, {
      dynamic: `${theirs.dynamic}/${ours.dynamic}`,
      missing: missing.map((name) => `${name} ${theirs.tools[name]}`),
      invented: invented.map(({ name, file, line }) => `${name} ${file}:${line}`),
      notInTable: lost,
    });
  }
}
console.log(sum);
console.log(`found ${(100 * sum.both / sum.walked).toFixed(2)} % of ${sum.walked} tools`);
