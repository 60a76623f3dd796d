/**
 * The command that starts `berth`, from any folder and without a PATH.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What commands need; each says what it does with it. */
export const PERMISSIONS = [
  "--allow-env",
  "--allow-read",
  "--allow-write",
  "--allow-net",
  "--allow-run",
  "--allow-sys",
];

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
/** Folder of the clone, without a slash at its end. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "");

/** Program and arguments; a command's own come after them. */
export function commandLine(): { program: string; args: string[] } {
  return {
    program: Deno.execPath(),
    args: [
      ...["run", "--quiet", "--no-prompt", "--config", join(ROOT, "deno.json")],
      ...PERMISSIONS,
      MAIN,
    ],
  };
}
