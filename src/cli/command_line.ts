/**
 * The command that starts `berth`, from any folder and without a PATH.
 *
 * @module
 */
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
const CONFIGURATION = fileURLToPath(new URL("../../deno.json", import.meta.url));

/** Program and arguments; a command's own come after them. */
export function commandLine(): { program: string; args: string[] } {
  return {
    program: Deno.execPath(),
    args: ["run", "--quiet", "--no-prompt", "--config", CONFIGURATION, ...PERMISSIONS, MAIN],
  };
}
