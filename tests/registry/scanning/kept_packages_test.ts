import { assertEquals } from "@std/assert";
import { createServer } from "../../../src/registry/servers/create.ts";
import { findStoredCode, getServer } from "../../../src/registry/servers/get.ts";
import { findRow } from "../../../src/registry/servers/store.ts";
import { rescanServer, retryErroredScans } from "../../../src/registry/scanning/rescan.ts";
import { runScan, type ScanDeps } from "../../../src/scan/pipeline.ts";
import { describeDatabases, silentLog } from "../../helpers/database.ts";
import { alice, context, repositoryOf, serverInput, testRegistry } from "../../helpers/registry.ts";
import { withIndex } from "../../packages/harness.ts";
import { sections } from "../../scan/sections.ts";

const HOUR = 3_600_000;
const ADVISORIES: ScanDeps["advisories"] = {
  engine: "none",
  query: () => Promise.resolve([]),
  byIds: () => Promise.resolve(new Map()),
};

/** Scans that only resolve packages. */
function scanDeps(
  resolvePackages: NonNullable<ScanDeps["resolvePackages"]>,
  seen: (names: string[]) => void,
): ScanDeps {
  const { quality, discovery, dependencies, secrets, audit, mcp } = sections();
  return {
    analysis: {
      engines: [],
      begin: () => ({
        run: () => Promise.reject(new Error("not used")),
        close: () => Promise.resolve(),
      }),
    },
    advisories: ADVISORIES,
    now: () => new Date(),
    qualityUrl: (name) => `http://localhost/${name}`,
    log: silentLog,
    resolvePackages,
    stages: {
      quality: () => Promise.resolve(quality),
      discovery: () => Promise.resolve({ discovery, reached: [], folders: null }),
      dependencies(_, { packages }) {
        seen(packages?.resolved.map(({ name }) => name) ?? []);
        return Promise.resolve(dependencies);
      },
      secrets: () => Promise.resolve(secrets),
      audits: () =>
        Promise.resolve({ audit, mcp, compatibility: null, capabilities: null, scanned: null }),
    },
  };
}

describeDatabases((kind, open) => {
  Deno.test(`a server keeps its packages while the index is away, and is scanned again (${kind})`, async (t) => {
    const database = await open();
    const { sql } = database;
    let isAway = false;
    let text = "# /// script\n# dependencies = ['greeting', 'words']\n# ///\n";
    try {
      await withIndex(sql, [
        { name: "greeting", version: "1.0", files: { "greeting.py": "" } },
        { name: "words", version: "1.0", files: { "words.py": "" } },
      ], async ({ resolveInput }) => {
        let audited: string[] = [];
        const scans = scanDeps(
          (_, input, signal) => resolveInput(input, signal),
          (names) => audited = names,
        );
        const deps = testRegistry(database, {
          fetchRepository: ({ url }) => repositoryOf(url, text),
          scan: (request, options) => runScan(scans, request, options),
        });
        const stored = async () => {
          const row = (await findRow(sql, "weather"))!;
          const { resolved } = await findStoredCode(sql, "weather", row.archive_sha256);
          const held = await sql`select sha256 from server_packages where server = 'weather'`;
          const { server } = await getServer(deps, "weather", null);
          const { kept = false, problem } = server.security_report.packages!;
          const names = resolved!.map(({ name }) => name);
          return { names, held: held.length, kept, said: problem !== null };
        };
        const rescan = async () =>
          void await (await rescanServer(deps, alice, "weather", context)).done;
        const whole = { names: ["greeting", "words"], held: 2, kept: false, said: false };
        await createServer(deps, alice, serverInput("weather"), context);
        assertEquals(await stored(), whole);

        await t.step("also for its advisories", async () => {
          isAway = true;
          await rescan();
          assertEquals(await stored(), { ...whole, kept: true, said: true });
          assertEquals(audited, ["greeting", "words"]);
        });
        await t.step("until a retry reaches the index", async () => {
          deps.clock.time = new Date(deps.clock.time.getTime() + HOUR);
          assertEquals(await retryErroredScans(deps), 1);
          assertEquals((await stored()).kept, true);
          isAway = false;
          deps.clock.time = new Date(deps.clock.time.getTime() + HOUR);
          assertEquals(await retryErroredScans(deps), 1);
          assertEquals(await stored(), whole);
          deps.clock.time = new Date(deps.clock.time.getTime() + 24 * HOUR);
          assertEquals(await retryErroredScans(deps), 0);
        });
        await t.step("but not for other content, and is not tried for ever", async () => {
          isAway = true;
          text = "# /// script\n# dependencies = ['words']\n# ///\n";
          await rescan();
          assertEquals(await stored(), { names: [], held: 0, kept: false, said: false });
          let tries = 0;
          for (let scanned = 1; scanned > 0 && tries < 100; tries += scanned) {
            deps.clock.time = new Date(deps.clock.time.getTime() + HOUR);
            scanned = await retryErroredScans(deps);
          }
          assertEquals(tries, 24);
        });
      }, { override: () => isAway ? new Response("", { status: 503 }) : undefined });
    } finally {
      await database.close();
    }
  });
});
