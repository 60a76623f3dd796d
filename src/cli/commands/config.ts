/**
 * `berth config get`, `set`, `unset`, `list` and `path`.
 *
 * @module
 */
import type { Cli } from "../cli.ts";
import { usageError } from "../failure.ts";
import { PULLED_CLIENTS } from "../../mcp_clients/names.ts";
import type { SettingName } from "../definitions/choices.ts";
import { configPath } from "../settings/paths.ts";
import {
  chooseRegistry,
  readSettings,
  registryAddress,
  type Settings,
  writeSettings,
} from "../settings/settings.ts";

function valueOf(name: SettingName, text: string): Settings {
  if (name === "registry") return { registry: registryAddress(text) };
  const clients = text.split(",").map((one) => one.trim()).filter((one) => one !== "");
  const unknown = clients.find((one) => !(PULLED_CLIENTS as readonly string[]).includes(one));
  if (unknown !== undefined) {
    throw usageError(`Unknown client "${unknown}"`, `Clients: ${PULLED_CLIENTS.join(", ")}`);
  }
  return { clients };
}

/** What counts, wherever it was set. */
async function effective(cli: Cli): Promise<Record<SettingName, string>> {
  const { url } = await chooseRegistry(cli.context, cli.options.registry);
  const { clients = [] } = await readSettings(cli.context);
  return { registry: url, clients: clients.join(",") };
}

/** Prints the effective value of a setting. */
export async function getSetting(cli: Cli, name: SettingName): Promise<void> {
  const value = (await effective(cli))[name];
  cli.output.data({ [name]: value }, () => `${value}\n`);
}

/** Sets `name` in the configuration file. */
export async function setSetting(cli: Cli, name: SettingName, text: string): Promise<void> {
  const value = valueOf(name, text);
  await writeSettings(cli.context, { ...await readSettings(cli.context), ...value });
  cli.output.done(`${name} is set in ${configPath(cli.context)}`);
}

/** Takes `name` out of the configuration file. */
export async function unsetSetting(cli: Cli, name: SettingName): Promise<void> {
  const { [name]: _, ...others } = await readSettings(cli.context);
  await writeSettings(cli.context, others);
  cli.output.done(`${name} is no longer set`);
}

export async function listSettings(cli: Cli): Promise<void> {
  const values = await effective(cli);
  cli.output.table(values, () => ({
    head: ["NAME", "VALUE"],
    rows: Object.entries(values),
  }));
}

/** Prints where the configuration file is. */
export function settingsPath(cli: Cli): void {
  const path = configPath(cli.context);
  cli.output.data({ path }, () => `${path}\n`);
}
