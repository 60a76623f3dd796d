/** Faults of starts: on an empty database, by several at once, cut half-way, without a database. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { MIGRATIONS, readMigrations } from "../../src/database/migrate.ts";
import { ROOT, startBerthProcess } from "../helpers/berth_process.ts";
import { preparedDataDir } from "../helpers/data_dir.ts";
import { until } from "../helpers/interpreter.ts";
import { type OwnPostgres, startOwnPostgres } from "../helpers/own_postgres.ts";
import { openWay } from "../helpers/tcp_way.ts";
import { PROGRAMS } from "./harness.ts";

/** Names of the migrations that the database says it has. */
async function applied(postgres: OwnPostgres): Promise<string[]> {
  const [table] = await postgres.ask<{ is: boolean }>(
    "select to_regclass('schema_migrations') is not null as is",
  );
  if (!table!.is) return [];
  const rows = await postgres.ask<{ name: string }>(
    "select name from schema_migrations order by version",
  );
  return rows.map(({ name }) => name);
}

async function all(): Promise<string[]> {
  return (await readMigrations(MIGRATIONS)).map(({ name }) => name);
}

async function empty(postgres: OwnPostgres): Promise<void> {
  await postgres.ask("drop schema public cascade");
  await postgres.ask("create schema public");
}

function registryNode(dataDir: string, url: string) {
  return { dataDir, environment: { ROLE: "registry", DATABASE_URL: url } };
}

/** Starts Berth's main process; `end` kills it. */
function spawnMain(dataDir: string, url: string) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "main.ts"],
    cwd: ROOT,
    env: {
      ROLE: "registry",
      REGISTRY_PORT: "0",
      WORKER_PORT: "0",
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      NO_COLOR: "1",
    },
    stdout: "null",
    stderr: "piped",
  }).spawn();
  return { child, said: new Response(child.stderr).text() };
}

async function together(postgres: OwnPostgres, dataDir: string): Promise<void> {
  const url = postgres.urlBy(postgres.port);
  const nodes = await Promise.all([0, 1].map(() => startBerthProcess(registryNode(dataDir, url))));
  try {
    assertEquals(await applied(postgres), await all());
    for (const { apiUrl } of nodes) {
      const list = await fetch(`${apiUrl}/servers`);
      assertEquals(list.status, 200);
      assertEquals((await list.json()).total, 0);
    }
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
  }
}

/** Killed among the migrations, again and again; one that is there is there as a whole. */
async function halfWay(postgres: OwnPostgres, dataDir: string): Promise<void> {
  await using way = await openWay({ host: "127.0.0.1", port: postgres.port });
  // So that there is a time in which to kill it.
  way.slow(5);
  const names = await all();
  for (const least of [2, 12]) {
    const { child, said } = spawnMain(dataDir, postgres.urlBy(way.port));
    await until(async () => (await applied(postgres)).length >= least);
    child.kill("SIGKILL");
    await child.status;
    await said;
    const there = await applied(postgres);
    assertEquals(there, names.slice(0, there.length));
    assert(there.length < names.length, "It was over before it was killed");
  }
  way.slow(0);
  const berth = await startBerthProcess(registryNode(dataDir, postgres.urlBy(way.port)));
  try {
    assertEquals(await applied(postgres), names);
    assertEquals((await fetch(`${berth.apiUrl}/servers`)).status, 200);
  } finally {
    await berth.stop();
  }
}

/** It ends with a reason, so that whoever supervises it starts it again. */
async function without(postgres: OwnPostgres, dataDir: string): Promise<void> {
  await postgres.stop("fast");
  const { child, said } = spawnMain(dataDir, postgres.urlBy(postgres.port));
  assertEquals((await child.status).code, 1);
  assertStringIncludes(await said, "Check DATABASE_URL and the server");
  await postgres.start();
}

Deno.test({
  name: "starts end well, or with nothing half done",
  ignore: PROGRAMS === null,
  async fn(t) {
    await using postgres = await startOwnPostgres(PROGRAMS!);
    const dataDir = await preparedDataDir();
    try {
      await t.step(
        "two nodes start at once on an empty database",
        () => together(postgres, dataDir),
      );
      await empty(postgres);
      await t.step(
        "a start is killed half-way through the migrations",
        () => halfWay(postgres, dataDir),
      );
      await t.step("the database is away at the start", () => without(postgres, dataDir));
    } finally {
      await Deno.remove(dataDir, { recursive: true });
    }
  },
});
