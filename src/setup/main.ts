/**
 * `deno task setup`: prepares what a first start needs. Does nothing when it is there.
 * `--force` makes everything again.
 *
 * @module
 */
import { SetupError } from "./files.ts";
import { ensureSetup } from "./setup.ts";

function say(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`setup: ${line}\n`));
}

if (import.meta.main) {
  try {
    await ensureSetup({
      dataDir: Deno.env.get("DATA_DIR") || ".data",
      force: Deno.args.includes("--force"),
      log: say,
    });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    Deno.exit(1);
  }
}
