/**
 * What commands do, loaded when they run.
 *
 * @module
 */
import { loader } from "../lazy.ts";

/** Loads what a command does. */
export const load = loader<{
  "commands/account": typeof import("../commands/account.ts");
  "commands/call": typeof import("../commands/call.ts");
  "administration/capabilities": typeof import("../administration/capabilities.ts");
  "administration/invite": typeof import("../administration/invite.ts");
  "commands/change": typeof import("../commands/change.ts");
  "commands/completion": typeof import("../commands/completion.ts");
  "commands/config": typeof import("../commands/config.ts");
  "commands/connect": typeof import("../commands/connect.ts");
  "commands/doctor": typeof import("../commands/doctor.ts");
  "commands/init": typeof import("../commands/init.ts");
  "commands/keys": typeof import("../commands/keys.ts");
  "commands/list": typeof import("../commands/list.ts");
  "commands/login": typeof import("../commands/login.ts");
  "commands/logout": typeof import("../commands/logout.ts");
  "commands/open": typeof import("../commands/open.ts");
  "commands/publish": typeof import("../commands/publish.ts");
  "commands/pull": typeof import("../commands/pull.ts");
  "commands/scan": typeof import("../commands/scan.ts");
  "commands/scans": typeof import("../commands/scans.ts");
  "commands/self_install": typeof import("../commands/self_install.ts");
  "commands/shell": typeof import("../commands/shell.ts");
  "commands/show": typeof import("../commands/show.ts");
  "commands/token": typeof import("../commands/token.ts");
  "commands/validate": typeof import("../commands/validate.ts");
  "commands/whoami": typeof import("../commands/whoami.ts");
  "sign_in/code_hosts": typeof import("../sign_in/code_hosts.ts");
  "sign_in/connection": typeof import("../sign_in/connection.ts");
}>();
