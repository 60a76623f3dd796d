/**
 * `berth admin capabilities`, `allow` and `refuse`.
 *
 * @module
 */
import { z } from "zod";
import { kindsInWords, kindsOf, Runs } from "../../scan/capabilities_schema.ts";
import type { Cli } from "../cli.ts";
import { getServer } from "../client/server.ts";
import type { Decision } from "../definitions/choices.ts";
import { CliError, EXIT } from "../failure.ts";
import { oneLine } from "../output/terminal_text.ts";

const Case = z.object({
  name: z.string(),
  version: z.string(),
  owner: z.string().nullable(),
  runs: z.array(z.object({
    kind: Runs,
    tools: z.array(z.string()),
    file: z.string(),
    line: z.number(),
  })),
  answer: z.object({ reason: z.string() }).nullable(),
});
const Cases = z.object({ servers: z.array(Case), next_cursor: z.string().nullish() });
const Answered = z.object({ message: z.string() });

const TOOLS_SHOWN = 5;

/** Lists the servers that stand where `state` says, a row for each place in their code. */
export async function listCapabilities(
  cli: Cli,
  { state, limit }: { state: Decision; limit?: number | undefined },
): Promise<void> {
  const query = new URLSearchParams({
    state,
    ...(limit === undefined ? {} : { limit: `${limit}` }),
  });
  const api = await cli.api();
  const { body, data } = await api.read(`/capabilities?${query}`, Cases, { auth: "required" });
  cli.output.table(body, () => ({
    head: ["NAME", "VERSION", "OWNER", "RUNS", "TOOLS", "PLACE", "REASON"],
    rows: data.servers.flatMap(({ name, version, owner, runs, answer }) =>
      runs.map(({ kind, tools, file, line }) => [
        oneLine(name),
        oneLine(version, 20),
        oneLine(owner ?? "–"),
        kind,
        oneLine(tools.slice(0, TOOLS_SHOWN).join(", "), 80),
        oneLine(`${file}:${line}`, 80),
        oneLine(answer?.reason ?? "–", 60),
      ])
    ),
  }));
  if (data.servers.length === 0) cli.output.note("No matching servers");
  else if (data.next_cursor) cli.output.note("There are more servers. Use --limit to list them");
}

/** Answers to the capabilities that the server has now. */
export async function answerCapabilities(
  cli: Cli,
  answer: "allow" | "refuse",
  name: string,
  reason: string,
): Promise<void> {
  const api = await cli.api();
  const { server } = await getServer(api, name);
  const capabilities = kindsOf(server.security_report.capabilities);
  if (capabilities.length === 0) {
    throw new CliError(EXIT.failure, `${name} runs nothing that its callers write`, {
      hint: "It needs no permission",
    });
  }
  const { body, data } = await api.read(`/servers/${name}/capabilities`, Answered, {
    method: "PUT",
    auth: "required",
    body: { answer, capabilities, reason },
  });
  if (cli.output.json) cli.output.data(body, () => "");
  cli.output.done(oneLine(data.message));
  cli.output.note(`It ${kindsInWords(capabilities).join(" and ")}`);
}
