/**
 * Which variables of its own environment `berth connect` passes on, so that the `env` block of a client
 * works: a server could declare names to collect what its user has set for others
 * (docs/decisions/0029-what-connect-passes-on.md).
 *
 * @module
 */
import { mayGoTo, providerOf } from "../../../workers/analysis/audit/keys/providers.ts";
import type { Cli } from "../cli.ts";
import type { Server } from "../client/server.ts";
import type { Environment } from "./environment.ts";

type Variable = NonNullable<Server["variables"]>[number];

/** What becomes of the variables of a server that are set around this program. */
export interface OwnEnvironment {
  passed: Environment;
  /** Names of those that the user has to name first. */
  held: string[];
}

/** Names that a machine has for itself, or that let one in elsewhere: only by name. */
const OF_MACHINE =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|PWD|OLDPWD|HOSTNAME|LANG|LC_\w+|TMPDIR|DISPLAY|XDG_\w+|DBUS_\w+|SSH_\w+|GPG_\w+|SUDO_\w+|BERTH_\w+|DENO_\w+|NODE_\w+|PYTHON\w*|LD_\w+)$/;
/** What clients made with the official SDKs give to programs that they start, beside `env` blocks. */
const OF_CLIENT =
  /^(HOME|LOGNAME|PATH|SHELL|TERM|USER|__CF_USER_TEXT_ENCODING|BERTH_\w+|DENO_\w+|NODE_\w+)$/;
/** The same on Windows. */
const OF_WINDOWS =
  /^(APPDATA|COMSPEC|HOMEDRIVE|HOMEPATH|LOCALAPPDATA|NUMBER_OF_PROCESSORS|OS|PATHEXT|PROCESSOR_\w+|PROGRAM\w+|SYSTEMDRIVE|SYSTEMROOT|TEMP|TMP|USERDOMAIN|USERNAME|USERPROFILE|WINDIR)$/i;
/** What the script adds that an installed `berth` is: its shell's own. */
const OF_SCRIPT = /^(PWD|OLDPWD|SHLVL|_)$/;
/**
 * What shells, desktops, editors, services and containers set: no `env` block has it, whatever a server
 * declares.
 */
const OF_SURROUNDINGS =
  /^(EDITOR|VISUAL|PAGER|LESS\w*|LS_COLORS|HIST\w+|MAIL|PS1|PROMPT\w*|COLORTERM|TERM_\w+|ITERM_\w+|TMUX\w*|STY|WINDOWID|DESKTOP_SESSION|SESSION_MANAGER|SESSIONNAME|WAYLAND_DISPLAY|XAUTHORITY|(GNOME|GDM|KDE|QT|GTK|VTE)\w*|VSCODE_\w+|ELECTRON_\w+|CHROME_DESKTOP|SECURITYSESSIONID|XPC_\w+|__CF\w+|COMMAND_MODE|INVOCATION_ID|JOURNAL_STREAM|SYSTEMD_\w+|MEMORY_PRESSURE_\w+|CONTAINER|KUBERNETES_\w+|CI|NVM_\w+|CONDA_\w+|VIRTUAL_ENV|GOPATH|CARGO_HOME|JAVA_HOME|ALLUSERSPROFILE|COMPUTERNAME|LOGONSERVER|ONEDRIVE\w*|COMMONPROGRAM\w+|PSMODULEPATH|PUBLIC|DRIVERDATA)$/i;

/**
 * Whether the client gives its programs nothing of its own environment, as those do that are made
 * with the official SDKs: then what is set was set for this server.
 */
function isClean({ context }: Pick<Cli, "context">, variables: readonly Variable[]): boolean {
  // Another shell around the script's own, in which variables are set for everybody.
  if (Number(context.env("SHLVL") ?? 0) > 0) return false;
  return context.variables().every((name) => {
    if (OF_CLIENT.test(name) || OF_WINDOWS.test(name) || OF_SCRIPT.test(name)) return true;
    // A server may declare whatever its users have set.
    if (OF_MACHINE.test(name) || OF_SURROUNDINGS.test(name)) return false;
    return variables.some((each) => each.name === name);
  });
}

/** Whether a well-known service's key could only come to that service. */
function staysHome({ name, delivery, hosts }: Variable): boolean {
  const provider = providerOf(name);
  if (provider === null) return true;
  return delivery === "placeholder" &&
    hosts.every((host) => mayGoTo(provider, host.replace(/^\*\./, "").replace(/:\d+$/, "")));
}

/** The variables of a server that are set here. @param named Those that the user has named for it. */
export function ownEnvironment(
  { context }: Pick<Cli, "context">,
  variables: readonly Variable[],
  named: ReadonlySet<string>,
): OwnEnvironment {
  const passed: Record<string, string> = {};
  const held: string[] = [];
  const clean = isClean({ context }, variables);
  for (const variable of variables) {
    const value = context.env(variable.name);
    if (value === undefined || OF_MACHINE.test(variable.name)) continue;
    if (clean || named.has(variable.name) || staysHome(variable)) passed[variable.name] = value;
    else held.push(variable.name);
  }
  return { passed, held };
}
