/**
 * Deno's caches for processes that may read but not write them.
 *
 * @module
 */
import { denoProgram } from "./launcher.ts";

const CACHES = ["v8_code_cache_v2", "dep_analysis_cache_v2", "node_analysis_cache_v2"];

// It exits without closing them: SQLite would remove the logs, which nobody behind walls can make.
const SETTLE = `
import { DatabaseSync } from "node:sqlite";
for (const path of ${JSON.stringify(CACHES)}) new DatabaseSync(path).exec("ANALYZE");
Deno.exit(0);
`;

/**
 * Makes what Deno has just cached in `folder` open for users who cannot write there; false when that
 * failed, and processes start slower. Deno keeps compiled code in SQLite files and begins with
 * `PRAGMA optimize`, which writes statistics where there are none: without the right to write, the
 * cache does not open then, and Deno goes on without it.
 */
export async function settleCache(folder: string): Promise<boolean> {
  try {
    const { success } = await new Deno.Command(denoProgram(), {
      args: ["eval", "--no-config", "--no-lock", SETTLE],
      cwd: folder,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
    return success;
  } catch {
    return false;
  }
}
