/**
 * Variables that the user has named for a server: `berth connect` passes them on from then on.
 *
 * @module
 */
import type { Cli } from "../cli.ts";
import { readSettings, writeSettings } from "./settings.ts";

/** A server, as far as it counts who is behind it. */
export interface NamedFor {
  name: string;
  author: string;
}

async function keyOf(cli: Cli, { name }: NamedFor): Promise<string> {
  return `${await cli.registry()}/servers/${name}`;
}

/** Names of the server's variables; none when it has another author than it had then. */
export async function namedFor(cli: Cli, server: NamedFor): Promise<ReadonlySet<string>> {
  const found = (await readSettings(cli.context)).named?.[await keyOf(cli, server)];
  return new Set(found?.author === server.author ? found.names : []);
}

/** Remembers names. What cannot be written is named again the next time. */
export async function rememberNamed(
  cli: Cli,
  server: NamedFor,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const known = await namedFor(cli, server);
  if (names.every((name) => known.has(name))) return;
  const settings = await readSettings(cli.context);
  const all = [...new Set([...known, ...names])].sort();
  const named = {
    ...settings.named,
    [await keyOf(cli, server)]: { author: server.author, names: all },
  };
  await writeSettings(cli.context, { ...settings, named }).catch(() =>
    cli.output.warn("The names could not be remembered in the configuration file")
  );
}
