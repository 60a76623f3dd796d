/**
 * `berth code-hosts`: tokens with which the registry reads the user's private repositories.
 *
 * @module
 */
import { z } from "zod";
import type { Cli } from "../cli.ts";
import { readAll } from "../context.ts";
import { usageError } from "../failure.ts";
import { oneLine } from "../output/terminal_text.ts";

const Listed = z.object({
  hosts: z.array(z.object({ host: z.string(), kind: z.string(), app: z.boolean().optional() })),
  tokens: z.array(z.object({
    host: z.string(),
    path: z.string(),
    state: z.string(),
    last_used_at: z.string().nullable(),
  })),
  publisher_code: z.string().nullish(),
});
const Changed = z.object({ message: z.string() });

const BASE = "/auth/me/code-hosts";

/** Lists the hosts that the registry serves, and the user's tokens without what they are. */
export async function listCodeHosts(cli: Cli): Promise<void> {
  const api = await cli.api();
  const { body, data } = await api.read(BASE, Listed, { auth: "required" });
  cli.output.table(body, () => ({
    head: ["HOST", "FOR", "STATE", "LAST USED"],
    rows: data.tokens.map(({ host, path, state, last_used_at }) => [
      oneLine(host, 60),
      path === "" ? "everything" : oneLine(path, 60),
      state,
      last_used_at ?? "never",
    ]),
  }));
  const hosts = data.hosts.map(({ host }) => oneLine(host, 60)).join(", ");
  cli.output.note(`Repositories may come from ${hosts || "no host"}`);
  const code = data.publisher_code ?? null;
  for (const { host, app } of data.hosts) {
    if (app !== true || code === null) continue;
    const line = oneLine(`${code} ${host}/owner/name`, 200);
    cli.output.note(
      `The registry's GitHub App reads repositories at ${
        oneLine(host, 60)
      } that have this line in ` +
        `berth-publisher.txt: ${line}`,
    );
  }
}

async function tokenOf(cli: Cli, host: string): Promise<string> {
  const token = cli.asks
    ? await cli.context.askSecret(`Token for ${host}: `) ?? ""
    : cli.context.terminals.in
    ? ""
    : (await readAll(cli.context)).trim();
  if (token === "") {
    throw usageError("The token is read from the terminal or from standard input");
  }
  return token;
}

/** Keeps a token, which is asked for without being shown. */
export async function setHostToken(
  cli: Cli,
  host: string,
  { for: path = "" }: { for?: string | undefined },
): Promise<void> {
  const token = await tokenOf(cli, host);
  const api = await cli.api();
  const { body, data } = await api.read(`${BASE}/${encodeURIComponent(host)}`, Changed, {
    method: "PUT",
    auth: "required",
    body: { token, path },
  });
  if (cli.output.json) cli.output.data(body, () => "");
  cli.output.done(oneLine(data.message));
}

/** Has the registry forget what it keeps for a host, or a path there. */
export async function removeHostToken(
  cli: Cli,
  host: string,
  { for: path = "" }: { for?: string | undefined },
): Promise<void> {
  const query = path === "" ? "" : `?path=${encodeURIComponent(path)}`;
  const api = await cli.api();
  const { body, data } = await api.read(`${BASE}/${encodeURIComponent(host)}${query}`, Changed, {
    method: "DELETE",
    auth: "required",
  });
  if (cli.output.json) cli.output.data(body, () => "");
  cli.output.done(oneLine(data.message));
}
