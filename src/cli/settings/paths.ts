/**
 * Where `berth` keeps its files (XDG Base Directory Specification).
 *
 * @module
 */
import { join } from "node:path";
import type { CliContext } from "../context.ts";
import { CliError, EXIT } from "../failure.ts";

/** The user's home folder. */
export function homeOf(context: CliContext): string {
  const home = context.env("HOME") ?? context.env("USERPROFILE");
  if (home === undefined) {
    throw new CliError(EXIT.failure, "No home folder: HOME is not set");
  }
  return home;
}

/** The folder that `variable` names, if it is absolute, else the one below the home folder. */
function base(context: CliContext, variable: string, fallback: string): string {
  const named = context.env(variable);
  return named?.startsWith("/") ? named : join(homeOf(context), fallback);
}

/** The configuration file. */
export function configPath(context: CliContext): string {
  return join(base(context, "XDG_CONFIG_HOME", ".config"), "berth", "config.json");
}

/** The file of credentials: apart from the configuration, which people share and copy. */
export function credentialsPath(context: CliContext): string {
  return join(base(context, "XDG_DATA_HOME", ".local/share"), "berth", "credentials.json");
}

/** What completion remembers of registries; may be deleted at any time. */
export function namesPath(context: CliContext): string {
  return join(base(context, "XDG_CACHE_HOME", ".cache"), "berth", "names.json");
}

/** Where programs are kept that configurations of other programs name. */
export function programsFolder(context: CliContext): string {
  return join(base(context, "XDG_DATA_HOME", ".local/share"), "berth", "bin");
}

/** What the user typed last in `berth shell`. */
export function historyPath(context: CliContext): string {
  return join(base(context, "XDG_STATE_HOME", ".local/state"), "berth", "shell_history");
}
