import { assertEquals } from "@std/assert";
import { MIGRATIONS, readMigrations } from "../../src/database/migrate.ts";
import { describeDatabases } from "../helpers/database.ts";

describeDatabases((kind, open) => {
  Deno.test(`0007_permissions.sql on ${kind} keeps the owners of author names`, async () => {
    const { sql, close } = await open();
    const migrations = await readMigrations(MIGRATIONS);
    const [before, [migration]] = [
      migrations.filter(({ version }) => version < 7),
      migrations.filter(({ version }) => version === 7),
    ];
    try {
      await sql.begin(async (tx) => {
        // A schema of its own, as the database has the newest tables already.
        await tx.unsafe("create schema before; set local search_path = before, public");
        for (const { text } of before) await tx.unsafe(text);
        await tx`
          insert into author_namespaces values
            ('acme', 'u1', '2026-01-01Z'), ('jane', 'u2', '2026-01-02Z')`;
        await tx`insert into archives values ('abc', 1, now())`;
        await tx`
          insert into servers (name, owner, version, description, summary, author, author_key, lang,
            license, license_keys, entrypoint, repository_type, repository_url, tools,
            tools_discovered, price_currency, price_amount, scan_status, total_issues,
            critical_issues, source, archive_sha256, created_at, updated_at, search_text)
          values ('weather', 'u1', '1.0.0', 'd', 'd', 'ACME', 'acme', 'python', 'MIT', '{mit}',
            'server.py', 'git', 'https://github.com/acme/weather', '{}', true, 'USD', 0, 'passed',
            0, 0, '{}', 'abc', now(), now(), 'weather')`;

        await tx.unsafe(migration!.text);

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
      await close();
    }
  });
});
