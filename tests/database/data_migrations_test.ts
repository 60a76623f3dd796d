import { assertEquals } from "@std/assert";
import type { Transaction } from "../../src/database/client.ts";
import { MIGRATIONS, readMigrations, runMigration } from "../../src/database/migrate.ts";
import { describeDatabases } from "../helpers/database.ts";
import type { Database } from "../../src/database/open.ts";

const SERVER = `
  insert into servers (name, owner, version, description, summary, author, author_key, lang,
    license, license_keys, entrypoint, repository_type, repository_url, tools,
    tools_discovered, price_currency, price_amount, scan_status, total_issues,
    critical_issues, source, archive_sha256, created_at, updated_at, search_text)
  values ('weather', 'u1', '1.0.0', 'd', 'd', 'ACME', 'acme', 'python', 'MIT', '{mit}',
    'server.py', 'git', 'https://github.com/acme/weather', '{}', true, 'USD', 0, 'passed',
    0, 0, '{}', 'abc', now(), now(), 'weather')`;

async function addScan(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx`
    insert into scans (id, server, action, state, actor, owner, request_id, stages, started_at,
      finished_at, lease_until)
    values (${id}, 'weather', 'rescan', 'stored', 'u1', 'u1', 'r', '[]', ${at}, ${at}, ${at})`;
}

async function addReport(tx: Transaction, scan: string): Promise<void> {
  await tx`
    insert into scan_reports (scan_id, server, version, source_commit, new_issues, fixed_issues,
      report)
    values (${scan}, 'weather', '1.0.0', 'c', 0, 0, '{}')`;
}

/** Runs a migration over what `fill` wrote into the tables before it, then `check`. */
async function migrateFilled(
  { sql }: Database,
  version: number,
  fill: (tx: Transaction) => Promise<void>,
  check: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const migrations = await readMigrations(MIGRATIONS);
  await sql.begin(async (tx) => {
    // A schema of its own, as the database has the newest tables already.
    await tx.unsafe("create schema before; set local search_path = before, public");
    for (const migration of migrations.filter((one) => one.version < version)) {
      await tx.unsafe(migration.text);
    }
    await fill(tx);
    await runMigration(tx, migrations.find((one) => one.version === version)!);
    await check(tx);
  });
}

describeDatabases((kind, open) => {
  Deno.test(`0007_permissions.sql on ${kind} keeps the owners of author names`, async () => {
    const database = await open();
    try {
      await migrateFilled(database, 7, async (tx) => {
        await tx`
          insert into author_namespaces values
            ('acme', 'u1', '2026-01-01Z'), ('jane', 'u2', '2026-01-02Z')`;
        await tx`insert into archives values ('abc', 1, now())`;
        await tx.unsafe(SERVER);
      }, async (tx) => {
        const names = await tx`select author_key, author from author_namespaces order by 1`;
        assertEquals(names.map((row) => ({ ...row })), [
          { author_key: "acme", author: "ACME" },
          { author_key: "jane", author: "jane" },
        ]);
        const owners =
          await tx`select author_key, owner, created_at from namespace_owners order by 1`;
        assertEquals(owners.map((row) => ({ ...row })), [
          { author_key: "acme", owner: "u1", created_at: new Date("2026-01-01T00:00:00Z") },
          { author_key: "jane", owner: "u2", created_at: new Date("2026-01-02T00:00:00Z") },
        ]);
      });
    } finally {
      await database.close();
    }
  });

  Deno.test(`0014_scan_order.sql on ${kind} keeps the order of the scans there are`, async () => {
    const database = await open();
    try {
      await migrateFilled(database, 14, async (tx) => {
        await tx`insert into archives values ('abc', 1, now())`;
        await tx.unsafe(SERVER);
        for (const [id, day] of [["z", 1], ["a", 2], ["m", 3]] as const) {
          await addScan(tx, id, new Date(Date.UTC(2026, 0, day)));
        }
        for (const id of ["m", "z", "a"]) await addReport(tx, id);
      }, async (tx) => {
        await addScan(tx, "b", new Date("2025-01-01T00:00:00Z"));
        await addReport(tx, "b");
        const ids = await tx`select scan_id from scan_reports order by position`;
        assertEquals(ids.map(({ scan_id }) => scan_id), ["z", "a", "m", "b"]);
      });
    } finally {
      await database.close();
    }
  });

  Deno.test(`0019_normal_addresses.sql on ${kind} writes records as they are read now`, async () => {
    const addresses: [before: string, after: string][] = [
      ["https://github.com/acme/weather", "https://github.com/acme/weather"],
      [" https://GitHub.com/Acme/Weather.git\n", "https://github.com/acme/weather"],
      ["git@github.com:acme/weather.git", "https://github.com/acme/weather"],
      [
        "https://github.com/Acme/Mono/tree/V1.0/Servers/",
        "https://github.com/acme/mono/tree/V1.0/Servers",
      ],
      ["https://github.com/acme/../evil", "https://github.com/acme/../evil"],
      ["https://github.com\\acme\\weather", "https://github.com\\acme\\weather"],
      ["https://github.com/acme/a/tree/%2e%2e", "https://github.com/acme/a/tree/%2e%2e"],
    ];
    const database = await open();
    try {
      await migrateFilled(database, 19, async (tx) => {
        await tx`insert into archives values ('abc', 1, now())`;
        await tx.unsafe(SERVER);
        await tx`update servers set version = ${" 1.2.3\n"}, license = ${"\tMIT  OR\nISC "}`;
        for (const [index, [before]] of addresses.entries()) {
          await tx.unsafe(SERVER.replace("'weather',", `'w${index}',`));
          await tx`update servers set repository_url = ${before} where name = ${`w${index}`}`;
        }
      }, async (tx) => {
        const [row] = await tx`select version, license from servers where name = 'weather'`;
        assertEquals({ ...row }, { version: "1.2.3", license: "MIT OR ISC" });
        const rows =
          await tx`select repository_url from servers where name <> 'weather' order by name`;
        assertEquals(rows.map((one) => one["repository_url"]), addresses.map(([, after]) => after));
      });
    } finally {
      await database.close();
    }
  });

  Deno.test(`0041_capabilities.sql on ${kind} reads from reports what servers run`, async () => {
    const database = await open();
    try {
      await migrateFilled(database, 41, async (tx) => {
        await tx`insert into archives values ('abc', 1, now())`;
        await tx.unsafe(SERVER);
        const runs = [{ kind: "code" }, { kind: "sql" }, { kind: "code" }];
        const report = JSON.stringify({ capabilities: { runs } });
        await tx`insert into server_reports values ('weather', ${report}::text::json)`;
      }, async (tx) => {
        const rows = await tx`select capabilities from servers`;
        assertEquals(rows.map((row) => row["capabilities"]), [["sql", "code"]]);
      });
    } finally {
      await database.close();
    }
  });

  Deno.test(`0062_reached.sql on ${kind} reads from reports what servers reach`, async () => {
    const database = await open();
    try {
      await migrateFilled(database, 62, async (tx) => {
        await tx`insert into archives values ('abc', 1, now())`;
        const reports: Record<string, unknown> = {
          "none": { status: "passed" },
          "neither": { capabilities: { runs: [], hosts: [], files: false, keys: [] } },
          "files": { capabilities: { runs: [], hosts: [], files: true, keys: [] } },
          "both": { capabilities: { runs: [], hosts: ["a.example"], files: true, keys: [] } },
        };
        for (const [name, report] of Object.entries(reports)) {
          await tx.unsafe(SERVER.replaceAll("'weather'", `'${name}'`));
          await tx`
            insert into server_reports values (${name}, ${JSON.stringify(report)}::text::json)`;
        }
      }, async (tx) => {
        const rows = await tx`select name, reaches from servers order by name`;
        assertEquals(rows.map((row) => ({ ...row })), [
          { name: "both", reaches: ["network", "files"] },
          { name: "files", reaches: ["files"] },
          { name: "neither", reaches: [] },
          { name: "none", reaches: [] },
        ]);
      });
    } finally {
      await database.close();
    }
  });
});
