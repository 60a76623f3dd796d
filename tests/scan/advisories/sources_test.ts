// The service and the database are two sources of the same records, so they share their tests.
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import { createLogger } from "../../../src/log.ts";
import {
  type Advisories,
  AdvisoriesUnavailable,
  type PackageQuery,
  QueryRefused,
} from "../../../src/scan/advisories/advisories.ts";
import { createOsvDatabase } from "../../../src/scan/advisories/osv_database.ts";
import { OsvService } from "../../../src/scan/advisories/osv_service.ts";
import { type AdvisoryServer, startAdvisoryService } from "../../helpers/advisory_service.ts";
import { advisory, rated } from "../../helpers/advisory_records.ts";
import { zipOf } from "./zip_writer.ts";

const RECORDS = [
  advisory("GHSA-1", "Pack.Age", "1.5", rated("HIGH")),
  advisory("PYSEC-1", "pack-age", "1.2"),
  advisory("PYSEC-2", "pack-age", "0.5"),
  advisory("GHSA-3", "other", null),
];
const NEVER = new AbortController().signal;
const QUERIES: PackageQuery[] = [
  { ecosystem: "PyPI", name: "pack-age", version: "1.0" },
  { ecosystem: "PyPI", name: "nothing", version: null },
  { ecosystem: "PyPI", name: "pack-age", version: null },
  { ecosystem: "npm", name: "other", version: null },
];
const EXPECTED = [["GHSA-1", "PYSEC-1"], [], ["GHSA-1", "PYSEC-1", "PYSEC-2"], []];
/** The database leaves it to the analysis to compare versions. */
const UNCOMPARED = [EXPECTED[2]!, [], EXPECTED[2]!, []];
const LOG = createLogger({ level: "error", format: "json", write() {} });

function serviceAt(url: string): Advisories {
  return new OsvService({ url, fetch });
}

async function idsOf(source: Advisories): Promise<string[][]> {
  return (await source.query(QUERIES, NEVER)).map((records) => records.map(({ id }) => id));
}

async function withService(
  body: (server: AdvisoryServer, source: Advisories) => Promise<void>,
  pageSize = 1_000,
): Promise<void> {
  const server = startAdvisoryService(RECORDS, { pageSize });
  try {
    await body(server, serviceAt(server.url));
  } finally {
    await server.close();
  }
}

Deno.test("OsvService answers in the order of the queries, page by page, from its cache", () =>
  withService(async (server, source) => {
    assertEquals(await idsOf(source), EXPECTED);
    const before = server.requests.length;
    assertEquals(before, 3 + 3, "three pages, three records");
    assertEquals(await idsOf(source), EXPECTED);
    assertEquals(server.requests.slice(before).filter((r) => r.includes("/vulns/")), []);
  }, 1));

Deno.test("OsvService leaves out ids that the service does not know", () =>
  withService(async (_server, source) => {
    const known = await source.byIds(["GHSA-3", "CVE-1", "GHSA-3"], NEVER);
    assertEquals([...known.keys()], ["GHSA-3"]);
  }));

Deno.test("OsvService is unavailable when the service fails in any way", () =>
  withService(async (server, source) => {
    for (const mode of ["down", "web_page", "endless_pages", "wrong_count"] as const) {
      server.fail(mode);
      const error = await assertRejects(() => source.query(QUERIES, NEVER), AdvisoriesUnavailable);
      assertStringIncludes(error.message, "advisory service");
      assert(!error.message.includes("127.0.0.1"), "names no address");
    }
  }));

Deno.test("OsvService blames the one package that the service refuses", () =>
  withService(async (server, source) => {
    const strange: PackageQuery = { ecosystem: "PyPI", name: "what?", version: "1" };
    const queries = [...QUERIES, strange, ...QUERIES];
    const error = await assertRejects(() => source.query(queries, NEVER), QueryRefused);
    assertEquals(error.code, "not_analysable");
    assertStringIncludes(error.message, "what? 1");
    assert(server.requests.length < 10);
  }));

Deno.test("OsvService is unavailable when nothing listens, and stops with its caller", async () => {
  const server = startAdvisoryService([]);
  const source = serviceAt(server.url);
  server.fail("hang");
  const error = await assertRejects(() => source.query(QUERIES, AbortSignal.timeout(30)));
  assertEquals((error as Error).name, "TimeoutError");
  await server.close();
  await assertRejects(() => source.query(QUERIES, NEVER), AdvisoriesUnavailable);
});

Deno.test("createOsvDatabase() gives the advisories of a package from every kind of file", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const lines = RECORDS.map((record) => JSON.stringify(record)).join("\n");
    await Deno.writeTextFile(`${folder}/a.jsonl`, `${lines}\n\n{"id": 5}\n`);
    await Deno.writeFile(`${folder}/b.jsonl.gz`, gzipSync(lines));
    await Deno.writeFile(
      `${folder}/c.zip`,
      zipOf(RECORDS.map((record) => [`${record.id}.json`, JSON.stringify(record)])),
    );
    await Deno.mkdir(`${folder}/d/PyPI`, { recursive: true });
    for (const record of RECORDS) {
      await Deno.writeTextFile(`${folder}/d/PyPI/${record.id}.json`, JSON.stringify(record));
    }
    for (const name of ["a.jsonl", "b.jsonl.gz", "c.zip", "d"]) {
      const source = createOsvDatabase(`${folder}/${name}`, LOG);
      assertEquals(await idsOf(source), UNCOMPARED, name);
      assertEquals(source.everyVersion, true);
      assertEquals([...(await source.byIds(["GHSA-3", "CVE-1"], NEVER)).keys()], ["GHSA-3"]);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("createOsvDatabase() is unavailable when its file is missing, empty or broken", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/broken.jsonl`, "{");
    await Deno.writeTextFile(`${folder}/broken.zip`, "PK");
    for (const name of ["missing", "broken.jsonl", "broken.zip", ""]) {
      const source = createOsvDatabase(`${folder}/${name}`, LOG);
      await assertRejects(() => source.query(QUERIES, NEVER), AdvisoriesUnavailable, "database");
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
