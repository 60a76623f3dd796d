import { GITHUB } from "../../helpers/code_host.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { createServer, startCreate } from "../../../src/registry/servers/create.ts";
import { getArchive, getServer } from "../../../src/registry/servers/get.ts";
import { getScan } from "../../../src/registry/scanning/scan_watch.ts";
import { SYSTEM_ACTOR } from "../../../src/audit/audit.ts";
import { describeDatabases } from "../../helpers/database.ts";
import {
  alice,
  bob,
  context,
  refusal,
  reportOn,
  repositoryOf,
  serverInput,
  testRegistry,
} from "../../helpers/registry.ts";

describeDatabases((kind, open) => {
  Deno.test(`createServer() on ${kind}`, async (t) => {
    const database = await open();
    const { sql } = database;
    const deps = testRegistry(database);
    try {
      await t.step("stores the record, its report and its archive together", async () => {
        const input = serverInput("weather", { description: "Weather ☔ by\ncity" });
        const server = await createServer(deps, alice, input, context);
        assertEquals(server, (await getServer(deps, "weather", null)).server);
        assertEquals(server.author, "alice");
        assertEquals(server.tools, { count: 1, names: ["hello"] });
        assertEquals(server.pricing, { currency: "USD", amount: 0 });
        assertEquals(server.description, "Weather ☔ by\ncity");
        assertEquals(server.created_at, "2026-01-01T00:00:00.000Z");
        assertEquals(Object.keys(server.security_report)[0], "status");
        const archive = await getArchive(deps, "weather", null);
        const fetched = await repositoryOf("https://github.com/acme/weather");
        assertEquals(archive.bytes, fetched.archive);
        assertEquals(archive.sha256, server.source.archive_sha256);
        const [entry] = await sql`select * from audit_log`;
        assertEquals(entry!["actor"], "user-alice");
        assertEquals(entry!["action"], "server.create");
        assertEquals(entry!["subject"], "weather");
        assertEquals(entry!["request_id"], "req-1");
        assert(entry!["actor"] !== SYSTEM_ACTOR);
      });

      await t.step("refuses a taken name, whoever asks", async () => {
        await refusal(() => createServer(deps, alice, serverInput("weather"), context), "conflict");
        await refusal(() => createServer(deps, bob, serverInput("weather"), context), "conflict");
      });

      await t.step("keeps reported tools and stores awkward prices exactly", async () => {
        const server = await createServer(
          deps,
          alice,
          serverInput("priced", {
            tools: { names: ["b", "a"] },
            pricing: { currency: "bhd", amount: 19.999 },
          }),
          context,
        );
        assertEquals(server.tools, { count: 2, names: ["b", "a"] });
        assertEquals(server.pricing, { currency: "BHD", amount: 19.999 });
        assertEquals(deps.scanned.at(-1)!.tools, ["b", "a"]);
      });

      await t.step("lets one of several creations of a name at once through", async () => {
        const attempts = await Promise.allSettled(
          [alice, bob, alice, bob].map((caller) =>
            createServer(deps, caller, serverInput("rush"), context)
          ),
        );
        const codes = attempts.map((a) => a.status === "fulfilled" ? "ok" : a.reason.code).sort();
        assertEquals(codes, ["conflict", "conflict", "conflict", "ok"]);
      });

      await t.step("stores, shows and fetches the normal form of an address", async () => {
        const url = "git@GitHub.com:Acme/Spelled.git";
        const server = await createServer(
          deps,
          alice,
          serverInput("spelled", { repository: { url } }),
          context,
        );
        assertEquals(server.repository.url, "https://github.com/acme/spelled");
        assertEquals(deps.fetched.at(-1), "https://github.com/acme/spelled");
      });

      await t.step("refuses addresses before it takes the name or fetches", async () => {
        const before = deps.fetched.length;
        const input = serverInput("elsewhere", { repository: { url: "https://evil.test/a/b" } });
        const error = await refusal(
          () => createServer(deps, alice, input, context),
          "invalid_request",
        );
        assertEquals(error.errors[0]!.path, "repository.url");
        assertEquals(deps.fetched.length, before);
      });
    } finally {
      await deps.jobs.close();
      await database.close();
    }
  });

  Deno.test(`createServer() on ${kind} that fails leaves nothing and frees the name`, async (t) => {
    const database = await open();
    const { sql } = database;
    async function nothingIsLeft() {
      const [row] = await sql`
        select (select count(*) from servers)::int as servers,
          (select count(*) from archives)::int as archives,
          (select count(*) from author_namespaces)::int as authors,
          (select count(*) from audit_log)::int as changes,
          (select count(*) from scans where state = 'running')::int as running`;
      assertEquals({ ...row }, { servers: 0, archives: 0, authors: 0, changes: 0, running: 0 });
    }
    const failing = [
      {
        name: "when the repository is refused",
        overrides: {
          fetchRepository: () =>
            Promise.reject(
              new AppError("repository_refused", "Repository acme/weather was not found"),
            ),
        },
        code: "repository_refused",
        message: "Repository acme/weather was not found",
      },
      {
        name: "when the code host is away",
        overrides: {
          fetchRepository: () =>
            Promise.reject(
              new AppError("unavailable", "Away", { headers: { "Retry-After": "7" } }),
            ),
        },
        code: "unavailable",
        message: "Away",
      },
      {
        name: "when the scan crashes",
        overrides: { scan: () => Promise.reject(new Error("secret /internal/path")) },
        code: "internal",
        message: "The scan failed with an internal error",
      },
    ];
    try {
      for (const { name, overrides, code, message } of failing) {
        await t.step(name, async () => {
          const deps = testRegistry(database, overrides);
          const started = await startCreate(deps, alice, serverInput("weather"), context);
          const outcome = await started.done;
          assert(outcome.kind === "refused");
          assertEquals(outcome.error.code, code);
          assertEquals(outcome.error.message, message);
          const view = await getScan(deps, started.scanId, alice);
          assertEquals(view.state, "refused");
          assertEquals(view.failure, {
            code: outcome.error.code,
            message,
            details: {},
            errors: [],
            request_id: "req-1",
          });
          await nothingIsLeft();
        });
      }

      await t.step("under SCAN_POLICY=reject by its verdict", async () => {
        const policy = {
          authorPolicy: "claimed" as const,
          scanPolicy: "reject" as const,
          codeHosts: [GITHUB],
          scansPerHour: 1000,
          payments: false,
        };
        const failed = testRegistry(database, {
          policy,
          scan: (request) =>
            Promise.resolve(reportOn(request, { status: "failed", recommendations: ["Fix it."] })),
        });
        const refused = await refusal(
          () => createServer(failed, alice, serverInput("weather"), context),
          "repository_refused",
        );
        assertStringIncludes(refused.message, "2 blocking findings");
        assertEquals(refused.errors, [{ path: "repository", message: "Fix it." }]);
        const erred = testRegistry(database, {
          policy,
          scan: (request) => Promise.resolve(reportOn(request, { status: "error" })),
        });
        const unavailable = await refusal(
          () => createServer(erred, alice, serverInput("weather"), context),
          "unavailable",
        );
        assertEquals(unavailable.headers["Retry-After"], "60");
        await nothingIsLeft();
      });

      await t.step("and the next attempt succeeds, also with a failed scan on record", async () => {
        const deps = testRegistry(database, {
          scan: (request) => Promise.resolve(reportOn(request, { status: "failed" })),
        });
        const server = await createServer(deps, bob, serverInput("weather"), context);
        assertEquals(server.security_report.status, "failed");
        assertEquals(server.security_report.summary.scan_passed, false);
      });
    } finally {
      await database.close();
    }
  });

  Deno.test(`createServer() on ${kind} stores what hostile repositories put into reports`, async () => {
    const database = await open();
    const hostile = "a\0b\ud800c\u202e'; drop table servers; --";
    const deps = testRegistry(database, {
      scan: (request) =>
        Promise.resolve(
          reportOn(request, {
            tools: [hostile, "good", "x".repeat(300), "", "good"],
            recommendations: [hostile],
            status: "failed",
          }),
        ),
      fetchRepository: async ({ url }) => ({ ...await repositoryOf(url), ref: hostile }),
    });
    try {
      const server = await createServer(deps, alice, serverInput("hostile"), context);
      const stored = "a\ufffdb\ufffdc\u202e'; drop table servers; --";
      assertEquals(server.security_report.recommendations, [stored]);
      assertEquals(server.source.ref, stored);
      assertEquals(server.security_report.tool_discovery.found[0]!.name, stored);
      // What clients could not report is not taken into the record.
      assertEquals(server.tools.names, ["good"]);
      const reasons = testRegistry(database, {
        fetchRepository: () => Promise.reject(new AppError("repository_refused", hostile)),
      });
      const started = await startCreate(reasons, alice, serverInput("other"), context);
      await started.done;
      assertEquals((await getScan(deps, started.scanId, alice)).failure!.message, stored);
    } finally {
      await database.close();
    }
  });

  Deno.test(`createServer() on ${kind} and author names`, async (t) => {
    const database = await open();
    const deps = testRegistry(database);
    const byAuthor = (name: string, author: string) => serverInput(name, { author });
    try {
      await t.step("gives a name to the first who publishes under it", async () => {
        await createServer(deps, alice, byAuthor("one", "Straße & Co"), context);
        const error = await refusal(
          () => createServer(deps, bob, byAuthor("two", "STRASSE & CO"), context),
          "forbidden",
        );
        assertEquals(error.details, { required: "namespace owner", current: "user" });
        await refusal(
          () => createServer(deps, bob, byAuthor("two", "ｓｔｒａßｅ & co"), context),
          "forbidden",
        );
        await createServer(deps, alice, byAuthor("two", "STRASSE & CO"), context);
      });

      await t.step(
        "of two at once, refuses the one that ends last and stores nothing of it",
        async () => {
          const attempts = await Promise.allSettled([
            createServer(deps, alice, byAuthor("race-one", "race"), context),
            createServer(deps, bob, byAuthor("race-two", "race"), context),
          ]);
          const codes = attempts.map((a) => a.status === "fulfilled" ? "ok" : a.reason.code).sort();
          assertEquals(codes, ["forbidden", "ok"]);
        },
      );

      await t.step("takes any name under AUTHOR_POLICY=free", async () => {
        const free = { ...deps, policy: { ...deps.policy, authorPolicy: "free" as const } };
        const server = await createServer(free, bob, byAuthor("free", "Straße & Co"), context);
        assertEquals(server.author, "Straße & Co");
      });
    } finally {
      await database.close();
    }
  });
});
