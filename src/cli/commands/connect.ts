/**
 * `berth connect`: a registered server as one that any stdio client can start.
 *
 * @module
 */
import type { Cli } from "../cli.ts";
import { checkName } from "../client/server.ts";
import { plainLines } from "../context.ts";
import { bridge } from "../mcp/stdio_bridge.ts";
import { createMcpFetch, serverAddress } from "../mcp/fetch.ts";

/** Bridges standard input and output to `name` until the client ends its side. */
export async function connect(cli: Cli, name: string): Promise<void> {
  const { context, output } = cli;
  await bridge({
    url: await serverAddress(cli, checkName(name)),
    fetch: createMcpFetch(cli, await cli.registry(), { raw: true }),
    lines: plainLines(context.stdin()),
    write: (message) => context.out(`${JSON.stringify(message)}\n`),
    warn: output.warn,
    signal: context.interrupted(),
  });
}
