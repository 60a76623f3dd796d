/**
 * The configuration file, and the registry that a command speaks to.
 *
 * @module
 */
import { z } from "zod";
import type { CliContext } from "../context.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import { readIfThere, writeWhole } from "../../files.ts";
import { configPath } from "./paths.ts";

/** Where Berth listens unless somebody says else. */
const DEFAULT_REGISTRY = "http://127.0.0.1:8000";

/** The configuration file. Unknown members are kept. */
export const Settings = z.looseObject({
  registry: z.string().optional(),
  clients: z.array(z.string()).optional(),
  /** Variables that the user has named for servers, by the server's address. */
  named: z.record(z.string(), z.object({ author: z.string(), names: z.array(z.string()) }))
    .optional(),
});
export type Settings = z.infer<typeof Settings>;

/** The configuration, empty without a file. */
export async function readSettings(context: CliContext): Promise<Settings> {
  const path = configPath(context);
  const text = await readIfThere(path);
  if (text === null) return {};
  try {
    return Settings.parse(JSON.parse(text));
  } catch (cause) {
    throw new CliError(EXIT.failure, `${path} is not a valid berth configuration file`, {
      hint: "Fix or remove the file",
      cause,
    });
  }
}

/** Replaces the configuration. */
export async function writeSettings(context: CliContext, settings: Settings): Promise<void> {
  const text = `${JSON.stringify(settings, null, 2)}\n`;
  await writeWhole(configPath(context), text, { mode: 0o644 });
}

/** A registry's address in its one form: no trailing slash, no version path. */
export function registryAddress(text: string): string {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "") {
    throw usageError(
      `"${text}" is not a valid registry URL`,
      "Use a URL such as https://berth.example",
    );
  }
  url.search = "";
  url.hash = "";
  return url.href.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
}

/** Where the registry's address came from. */
export type RegistrySource = "flag" | "environment" | "configuration" | "default";

/** The registry to speak to: flag, else environment, else configuration file, else this machine. */
export async function chooseRegistry(
  context: CliContext,
  flag: string | undefined,
): Promise<{ url: string; source: RegistrySource }> {
  if (flag !== undefined) return { url: registryAddress(flag), source: "flag" };
  const variable = context.env("BERTH_REGISTRY");
  if (variable !== undefined) return { url: registryAddress(variable), source: "environment" };
  const { registry } = await readSettings(context);
  if (registry !== undefined) {
    return { url: registryAddress(registry), source: "configuration" };
  }
  return { url: DEFAULT_REGISTRY, source: "default" };
}
