/**
 * Loading what a command needs when it runs. Deno loads at the start whatever an address in the
 * source leads to, also in `import(…)`; so that `berth --version` starts as fast as an empty program,
 * the addresses are made here.
 *
 * @module
 */

interface Modules {
  "client/api": typeof import("./client/api.ts");
  "client/scans": typeof import("./client/scans.ts");
  "client/server": typeof import("./client/server.ts");
  "commands/call": typeof import("./commands/call.ts");
  "commands/change": typeof import("./commands/change.ts");
  "commands/completion": typeof import("./commands/completion.ts");
  "commands/config": typeof import("./commands/config.ts");
  "commands/connect": typeof import("./commands/connect.ts");
  "commands/doctor": typeof import("./commands/doctor.ts");
  "commands/init": typeof import("./commands/init.ts");
  "commands/list": typeof import("./commands/list.ts");
  "commands/login": typeof import("./commands/login.ts");
  "commands/logout": typeof import("./commands/logout.ts");
  "commands/open": typeof import("./commands/open.ts");
  "commands/publish": typeof import("./commands/publish.ts");
  "commands/pull": typeof import("./commands/pull.ts");
  "commands/scan": typeof import("./commands/scan.ts");
  "commands/scan_folder": typeof import("./commands/scan_folder.ts");
  "commands/scans": typeof import("./commands/scans.ts");
  "commands/self_install": typeof import("./commands/self_install.ts");
  "commands/shell": typeof import("./commands/shell.ts");
  "commands/show": typeof import("./commands/show.ts");
  "commands/token": typeof import("./commands/token.ts");
  "commands/validate": typeof import("./commands/validate.ts");
  "commands/whoami": typeof import("./commands/whoami.ts");
  "program": typeof import("./program.ts");
  "reports/show": typeof import("./reports/show.ts");
  "reports/verdict": typeof import("./reports/verdict.ts");
  "scan/analysis": typeof import("./scan/analysis.ts");
  "scan/local": typeof import("./scan/local.ts");
  "settings/settings": typeof import("./settings/settings.ts");
  "sign_in/service": typeof import("./sign_in/service.ts");
}

/** Loads a module of the command line by its path without the ending. */
export async function load<Name extends keyof Modules>(name: Name): Promise<Modules[Name]> {
  return await import(new URL(`./${name}.ts`, import.meta.url).href);
}
