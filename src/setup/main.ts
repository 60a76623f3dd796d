/**
 * `deno task setup`: prepares what a first start needs. Does nothing when it is there.
 * `--force` makes everything again.
 *
 * @module
 */
import { SetupError } from "./files.ts";
import { setupProgress } from "./progress.ts";
import { ensureSetup } from "./setup.ts";

const encoder = new TextEncoder();
const shown = setupProgress({
  write: (text) => void Deno.stderr.writeSync(encoder.encode(text)),
  terminal: Deno.stderr.isTerminal(),
});

if (import.meta.main) {
  try {
    await ensureSetup({
      dataDir: Deno.env.get("DATA_DIR") || ".data",
      force: Deno.args.includes("--force"),
      ...shown,
    });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    shown.log(error.message);
    Deno.exit(1);
  }
}
