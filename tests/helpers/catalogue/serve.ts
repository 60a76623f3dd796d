/**
 * A registry with the catalogue, to look at: `deno run -A tests/helpers/catalogue/serve.ts`. Prints
 * its address and serves until it is ended.
 *
 * @module
 */
import { startSite, withDatabase } from "../../web/harness.ts";
import { prepareDataDir } from "../database.ts";
import { seedCatalogue } from "./seed.ts";

const dataDir = await prepareDataDir();
await withDatabase(dataDir, (sql) => seedCatalogue(sql, new Date()));
const site = await startSite({
  dataDir,
  environment: { RATE_LIMIT_PUBLIC: "1000000", INTERPRETER_PROFILE: "full" },
});
Deno.stdout.writeSync(new TextEncoder().encode(`${site.url}\n`));
Deno.addSignalListener("SIGTERM", async () => {
  await site.close();
  await Deno.remove(dataDir, { recursive: true });
  Deno.exit(0);
});
