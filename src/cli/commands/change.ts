/**
 * `berth update`, `berth delete`, `berth transfer` and `berth access`.
 *
 * @module
 */
import { z } from "zod";
import type { Cli } from "../cli.ts";
import type { Api } from "../client/api.ts";
import { waitForScan } from "../client/scans.ts";
import { checkName, getServer } from "../client/server.ts";
import { CliError, EXIT, type ExitCode, usageError } from "../failure.ts";
import { oneLine } from "../output/terminal_text.ts";
import type { FailOn, VisibilityName } from "../definitions/choices.ts";
import { tellBuild } from "../reports/build.ts";
import { tellVerdict } from "../reports/verdict.ts";

const Done = z.object({ message: z.string() });

export interface UpdateOptions {
  version?: string | undefined;
  description?: string | undefined;
  author?: string | undefined;
  lang?: string | undefined;
  license?: string | undefined;
  entrypoint?: string | undefined;
  repository?: string | undefined;
  tool?: string[] | undefined;
  price?: string | undefined;
  failOn: FailOn;
}

function pricingOf(text: string): { currency: string; amount: number } {
  if (text === "free") return { currency: "USD", amount: 0 };
  const [, amount, currency] = /^(\d+(?:\.\d+)?)\s*([A-Za-z]{3})$/.exec(text) ?? [];
  if (amount === undefined) {
    throw usageError(
      `"${text}" is not a valid price`,
      'Use an amount and currency such as "4.50 EUR", or free',
    );
  }
  return { currency: currency!.toUpperCase(), amount: Number(amount) };
}

function changeOf(options: UpdateOptions): Record<string, unknown> {
  const { repository, tool, price, failOn: _, ...rest } = options;
  const change = {
    ...rest,
    repository: repository === undefined ? undefined : { url: repository },
    tools: tool === undefined ? undefined : { names: tool },
    pricing: price === undefined ? undefined : pricingOf(price),
  };
  return JSON.parse(JSON.stringify(change)) as Record<string, unknown>;
}

/** Changes fields of a server without a manifest. */
export async function update(
  cli: Cli,
  name: string,
  options: UpdateOptions,
): Promise<ExitCode | void> {
  const change = changeOf(options);
  if (Object.keys(change).length === 0) {
    throw usageError("Nothing to change", "Run berth update --help to see what can be changed");
  }
  const api = await cli.api();
  const response = await api.send(`/servers/${checkName(name)}`, {
    method: "PUT",
    body: change,
    headers: { prefer: "respond-async" },
    auth: "required",
  });
  const scanned = response.status === 202;
  if (scanned) await waitForScan(cli, api, response);
  else await response.body?.cancel();
  const { body, server } = await getServer(api, name);
  if (cli.output.json) cli.output.data(body, () => "");
  cli.output.done(`Updated ${name}: ${Object.keys(change).join(", ")}`);
  if (!scanned) return;
  const exit = tellVerdict(cli, server.security_report, options.failOn);
  tellBuild(cli, server.security_report);
  return exit;
}

/** Removes a server from the registry. */
export async function remove(
  cli: Cli,
  name: string,
  options: { yes?: true | undefined },
): Promise<void> {
  const api = await cli.api();
  const { server } = await getServer(api, name);
  const what = `${name} ${oneLine(server.version)} at ${api.registry}`;
  if (!await cli.ensure(`Remove ${what}? Its sessions will end immediately.`, options.yes)) {
    throw new CliError(EXIT.failure, `${name} was not removed`);
  }
  const { body, data } = await api.read(`/servers/${name}`, Done, {
    method: "DELETE",
    auth: "required",
  });
  if (cli.output.json) cli.output.data(body, () => "");
  cli.output.done(oneLine(data.message));
}

const Transfer = z.object({
  server: z.string(),
  from: z.string(),
  to: z.string(),
  expires_at: z.string(),
});
const Transfers = z.object({ incoming: z.array(Transfer), outgoing: z.array(Transfer) });

/** Lists open offers to and from the user. */
async function listTransfers(cli: Cli): Promise<void> {
  const api = await cli.api();
  const { body, data } = await api.read("/auth/me/transfers", Transfers, { auth: "required" });
  const row = (way: string) => ({ server, from, to, expires_at }: z.infer<typeof Transfer>) => [
    way,
    oneLine(server),
    oneLine(from),
    oneLine(to),
    expires_at,
  ];
  cli.output.table(body, () => ({
    head: ["DIRECTION", "SERVER", "FROM", "TO", "EXPIRES"],
    rows: [...data.incoming.map(row("in")), ...data.outgoing.map(row("out"))],
  }));
  if (data.incoming.length + data.outgoing.length === 0) cli.output.note("No open offers");
}

export interface TransferOptions {
  to?: string | undefined;
  accept?: true | undefined;
  decline?: true | undefined;
  cancel?: true | undefined;
  yes?: true | undefined;
}

/** Offers a server to another user, or answers an offer; without a name lists open ones. */
export async function transfer(
  cli: Cli,
  name: string | undefined,
  options: TransferOptions,
): Promise<void> {
  if (name === undefined) return await listTransfers(cli);
  const { to, accept, decline, cancel } = options;
  if ([to, accept, decline, cancel].filter((one) => one !== undefined).length !== 1) {
    throw usageError(
      "Choose what to do",
      "Use one of --to USERNAME, --accept, --decline, --cancel",
    );
  }
  const path = `/servers/${checkName(name)}/transfer`;
  const api = await cli.api();
  if (to !== undefined) {
    const question = `Offer ${name} to ${oneLine(to)}? Once accepted, it will no longer be yours.`;
    if (!await cli.ensure(question, options.yes)) {
      throw new CliError(EXIT.failure, `${name} was not offered`);
    }
  }
  const request = to !== undefined
    ? { path, method: "POST", body: { to } }
    : accept
    ? { path: `${path}/accept`, method: "POST" }
    : decline
    ? { path: `${path}/decline`, method: "POST" }
    : { path, method: "DELETE" };
  const { path: where, ...rest } = request;
  const { body, data } = await api.read(where, Done, { ...rest, auth: "required" });
  if (cli.output.json) cli.output.data(body, () => "");
  cli.output.done(oneLine(data.message));
}

const Access = z.object({
  visibility: z.string(),
  users: z.array(z.string()),
  groups: z.array(z.string()),
});
const AccessAnswer = z.object({ access: Access });

export interface AccessOptions {
  visibility?: VisibilityName | undefined;
  addUser?: string[] | undefined;
  removeUser?: string[] | undefined;
  addGroup?: string[] | undefined;
  removeGroup?: string[] | undefined;
}

/** The changes, in an order in which nobody reads it on the way who should not in the end. */
function changesOf(name: string, options: AccessOptions) {
  const { removeUser = [], removeGroup = [], addUser = [], addGroup = [] } = options;
  const lists = [
    ["DELETE", "users", removeUser],
    ["DELETE", "groups", removeGroup],
    ["PUT", "users", addUser],
    ["PUT", "groups", addGroup],
  ] as const;
  return lists.flatMap(([method, kind, readers]) =>
    readers.map((reader) => ({
      method,
      path: `/servers/${name}/access/${kind}/${encodeURIComponent(reader)}`,
    }))
  );
}

async function setVisibility(api: Api, name: string, visibility: VisibilityName): Promise<void> {
  const response = await api.send(`/servers/${name}`, {
    method: "PUT",
    body: { visibility },
    auth: "required",
  });
  await response.body?.cancel();
}

/** Shows who may read a server, after changing it. */
export async function access(cli: Cli, server: string, options: AccessOptions): Promise<void> {
  const name = checkName(server);
  const { visibility } = options;
  const api = await cli.api();
  if (visibility === "private") await setVisibility(api, name, visibility);
  for (const { method, path } of changesOf(name, options)) {
    await api.read(path, AccessAnswer, { method, auth: "required" });
  }
  if (visibility !== undefined && visibility !== "private") {
    await setVisibility(api, name, visibility);
  }
  const { body, data } = await api.read(`/servers/${name}/access`, AccessAnswer, {
    auth: "required",
  });
  const { users, groups } = data.access;
  cli.output.data(body, () =>
    [
      `${name} is ${oneLine(data.access.visibility)}`,
      ...users.map((user) => `  user   ${oneLine(user)}`),
      ...groups.map((group) => `  group  ${oneLine(group)}`),
      "",
    ].join("\n"));
}
