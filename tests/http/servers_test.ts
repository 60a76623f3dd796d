import { assert, assertEquals, assertMatch } from "@std/assert";
import { AppError } from "../../src/errors.ts";
import { ShownScan } from "../../src/http/scan_view.ts";
import { ServerDetail, ServerListed } from "../../src/registry/schema.ts";
import { repositoryOf } from "../helpers/registry.ts";
import { openRealApp, type RealApp } from "./real_services.ts";

const SERVERS = "/api/v1/servers";

function body(name: string, more: Record<string, unknown> = {}) {
  return {
    name,
    version: "1.0.0",
    description: `The ${name} server`,
    lang: "Python",
    license: "MIT",
    entrypoint: "server.py",
    repository: { type: "git", url: `https://github.com/acme/${name}` },
    ...more,
  };
}

async function withApp(
  run: (real: RealApp) => Promise<void>,
  overrides: Parameters<typeof openRealApp>[0] = {},
): Promise<void> {
  const real = await openRealApp(overrides);
  try {
    await run(real);
  } finally {
    await real.close();
  }
}

async function expectJson(response: Response, status: number) {
  const text = await response.text();
  assertEquals(response.status, status, text);
  return JSON.parse(text);
}

Deno.test("servers: the life of a record, in the specification's envelopes", async () => {
  await withApp(async ({ send }) => {
    const created = await send("POST", SERVERS, { as: "jane", body: body("weather") });
    assertEquals(created.headers.get("location"), `${SERVERS}/weather`);
    const { status, message, server, ...rest } = await expectJson(created, 201);
    assertEquals([status, typeof message, rest], ["success", "string", {}]);
    ServerDetail.strict().parse(server);
    assertEquals([server.lang, server.author], ["python", "jane"]);

    const listed = await expectJson(await send("GET", SERVERS), 200);
    assertEquals([listed.status, listed.total, listed.total_matching], ["success", 1, 1]);
    ServerListed.strict().parse(listed.servers[0]);

    const got = await send("GET", `${SERVERS}/weather`);
    const etag = got.headers.get("etag")!;
    const detail = await expectJson(got, 200);
    assertEquals(detail, { status: "success", server });
    const again = await send("GET", `${SERVERS}/weather`, { headers: { "if-none-match": etag } });
    assertEquals([again.status, await again.text()], [304, ""]);

    // What a client got can be sent back.
    const put = { as: "jane", body: { ...detail.server, version: "1.1.0" } };
    const headers = { "if-match": etag };
    const updated = await send("PUT", `${SERVERS}/weather`, { ...put, headers });
    assertEquals((await expectJson(updated, 200)).server.version, "1.1.0");
    await expectJson(await send("PUT", `${SERVERS}/weather`, { ...put, headers }), 412);
    await expectJson(await send("DELETE", `${SERVERS}/weather`, { as: "jane", headers }), 412);

    const removed = await expectJson(
      await send("DELETE", `${SERVERS}/weather`, { as: "jane" }),
      200,
    );
    assertEquals(Object.keys(removed).sort(), ["message", "status"]);
    await expectJson(await send("GET", `${SERVERS}/weather`), 404);
  });
});

Deno.test("servers: what is taken, reserved or another's", async () => {
  await withApp(async ({ send }) => {
    await expectJson(await send("POST", SERVERS, { as: "jane", body: body("weather") }), 201);
    await expectJson(await send("POST", SERVERS, { as: "joan", body: body("weather") }), 409);
    const author = body("other", { author: "JANE" });
    const refused = await expectJson(
      await send("POST", SERVERS, { as: "joan", body: author }),
      403,
    );
    assertEquals(refused.error.details, { required: "namespace owner", current: "user" });
    const invalid = { ...author, version: "one" };
    await expectJson(await send("POST", SERVERS, { as: "joan", body: invalid }), 403);
    await expectJson(await send("PUT", `${SERVERS}/weather`, { as: "joan", body: {} }), 403);
    await expectJson(await send("DELETE", `${SERVERS}/weather`, { as: "jane" }), 200);
    await expectJson(await send("POST", SERVERS, { as: "joan", body: body("weather") }), 409);
    await expectJson(await send("POST", SERVERS, { as: "jane", body: body("weather") }), 201);
  });
});

Deno.test("servers: every fault of a body is named at once", async () => {
  await withApp(async ({ send }) => {
    const faulty = body("Bad Name", {
      version: "one",
      license: "My License",
      entrypoint: "../x.py",
      pricing: { currency: "USD", amount: -1 },
      tools: { count: 2, names: ["a"] },
      nonsense: true,
    });
    const answer = await expectJson(await send("POST", SERVERS, { as: "jane", body: faulty }), 400);
    assertEquals(
      answer.errors.map(({ path }: { path: string }) => path).sort(),
      ["entrypoint", "license", "name", "nonsense", "pricing.amount", "tools.count", "version"],
    );
    const none = await expectJson(await send("POST", SERVERS, { as: "jane", body: {} }), 400);
    for (const error of none.errors) assertEquals(error.message, "is required");
  });
});

Deno.test("servers: pages follow one another, each with its own tag", async () => {
  await withApp(async ({ send }) => {
    for (const name of ["a", "b", "c", "d", "e"]) {
      await expectJson(await send("POST", SERVERS, { as: "jane", body: body(name) }), 201);
    }
    const names: string[] = [];
    const tags = new Set<string>();
    let next: string | null = `${SERVERS}?limit=2&author=Jane`;
    while (next !== null) {
      const response: Response = await send("GET", next);
      tags.add(response.headers.get("etag")!);
      const link = response.headers.get("link");
      const page = await expectJson(response, 200);
      assertEquals([page.total, page.total_matching], [page.servers.length, 5]);
      names.push(...page.servers.map((server: { name: string }) => server.name));
      const found = /<([^<]*)>; rel="next"/.exec(link ?? "");
      assertEquals(found === null, page.next_cursor === undefined);
      assertEquals(names.length > 2, page.previous_cursor !== undefined);
      next = found === null ? null : found[1]!;
      if (next === null) {
        const before = /<([^<]*)>; rel="prev"/.exec(link ?? "")![1]!;
        const back = await expectJson(await send("GET", before), 200);
        assertEquals(back.servers.map((server: { name: string }) => server.name), ["c", "d"]);
      }
    }
    assertEquals([names, tags.size], [["a", "b", "c", "d", "e"], 3]);
    await expectJson(await send("GET", `${SERVERS}?cursor=nonsense`), 400);
  });
});

Deno.test("servers: the archive is what was scanned", async () => {
  await withApp(async ({ send }) => {
    const created = await send("POST", SERVERS, { as: "jane", body: body("weather") });
    const { server } = await expectJson(created, 201);
    const response = await send("GET", `${SERVERS}/weather/archive`);
    const bytes = await response.arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
    assertEquals(digest, server.source.archive_sha256);
    assertEquals(response.headers.get("etag"), `"${digest}"`);
  });
});

Deno.test("servers: a creation that does not wait is seen through its scan", async () => {
  const gate = Promise.withResolvers<void>();
  await withApp(async ({ send }) => {
    const headers = { prefer: "respond-async" };
    const started = await send("POST", SERVERS, { as: "jane", body: body("weather"), headers });
    const location = started.headers.get("location")!;
    const { scan_id } = await expectJson(started, 202);
    assertEquals(location, `/api/v1/scans/${scan_id}`);
    await expectJson(await send("POST", SERVERS, { as: "joan", body: body("weather") }), 409);

    await expectJson(await send("GET", location), 404);
    await expectJson(await send("GET", location, { as: "joan" }), 404);
    const { scan } = await expectJson(await send("GET", location, { as: "jane" }), 200);
    ShownScan.strict().parse(scan);
    assertEquals([scan.state, scan.outcome, scan.failure], ["running", null, null]);

    const events = await send("GET", location, {
      as: "jane",
      headers: { accept: "text/event-stream" },
    });
    gate.resolve();
    const names = (await events.text()).match(/^event: .*$/gm)!;
    assertEquals([names[0], names.at(-1)], ["event: scan", "event: end"]);
    const ended = await expectJson(await send("GET", location), 200);
    assertEquals([ended.scan.state, ended.scan.outcome.status], ["stored", "passed"]);
    await expectJson(await send("GET", `${SERVERS}/weather`), 200);
  }, {
    async fetchRepository({ url }) {
      await gate.promise;
      return await repositoryOf(url);
    },
  });
});

Deno.test("servers: a refused creation shows the envelope that waiting would have shown", async () => {
  const refusal = new AppError("repository_refused", "The repository does not exist or is private");
  await withApp(async ({ send }) => {
    const waiting = await send("POST", SERVERS, { as: "jane", body: body("weather") });
    const { request_id: _first, ...expected } = await expectJson(waiting, 400);
    const headers = { prefer: "respond-async" };
    const started = await send("POST", SERVERS, { as: "jane", body: body("weather"), headers });
    const { scan_id } = await expectJson(started, 202);
    const events = await send("GET", `/api/v1/scans/${scan_id}`, {
      as: "jane",
      headers: { accept: "text/event-stream" },
    });
    const last = (await events.text()).trim().split("\n").at(-1)!;
    const scan = ShownScan.strict().parse(JSON.parse(last.replace(/^data: /, "")));
    assertEquals([scan.state, scan.failure_status], ["refused", 400]);
    const { request_id, ...shown } = scan.failure!;
    assertEquals(shown, expected);
    assertEquals(request_id, started.headers.get("x-request-id"));
  }, { fetchRepository: () => Promise.reject(refusal) });
});

Deno.test("servers: an unreachable code host is 503 with Retry-After", async () => {
  const down = new AppError("unavailable", "Cannot reach the code host", {
    headers: { "Retry-After": "60" },
  });
  await withApp(async ({ send }) => {
    const response = await send("POST", SERVERS, { as: "jane", body: body("weather") });
    assertEquals(response.headers.get("retry-after"), "60");
    await expectJson(response, 503);
    await expectJson(await send("GET", `${SERVERS}/weather`), 404);
  }, { fetchRepository: () => Promise.reject(down) });
});

Deno.test("servers: hostile texts are stored or refused, never a server error", async () => {
  await withApp(async ({ send }) => {
    const texts = [
      "a\0b",
      "\ud800",
      "'; drop table servers; --",
      "%_\\",
      "\u202eabc",
      "🜚".repeat(50),
    ];
    for (const [index, text] of texts.entries()) {
      for (const field of ["description", "author", "license", "entrypoint", "version"]) {
        const name = `s${index}-${field}`;
        const created = await send("POST", SERVERS, {
          as: "jane",
          body: body(name, { [field]: text }),
        });
        assert(created.status < 500, `${field} ${JSON.stringify(text)}`);
        await created.body?.cancel();
      }
      for (const parameter of ["author", "q", "tool", "license", "lang", "cursor", "sort"]) {
        const query = new URLSearchParams({ [parameter]: text });
        const response = await send("GET", `${SERVERS}?${query}`);
        assert(response.status < 500, `${parameter} ${JSON.stringify(text)}`);
        await response.body?.cancel();
      }
    }
  });
});

Deno.test("profile: username once, servers in order", async () => {
  await withApp(async ({ send }) => {
    const path = "/api/v1/auth/me";
    for (const name of ["zebra", "ape"]) {
      await expectJson(await send("POST", SERVERS, { as: "jane", body: body(name) }), 201);
    }
    const { user } = await expectJson(await send("GET", path, { as: "jane" }), 200);
    assertEquals(
      [user.user_id, user.username, user.servers, user.is_admin],
      ["jane", "jane", ["ape", "zebra"], false],
    );
    assertMatch(user.token_expires_at, /Z$/);
    await send("GET", path, { as: "joan" });
    const taken = { as: "jane", body: { username: "joan" } };
    await expectJson(await send("PUT", path, taken), 409);
    const renamed = await send("PUT", path, { as: "jane", body: { username: "janet" } });
    assertEquals((await expectJson(renamed, 200)).user.username, "janet");
    await expectJson(await send("PUT", path, { as: "jane", body: { username: "again" } }), 409);
    await expectJson(await send("PUT", path, { as: "jane", body: { username: "x" } }), 400);
  });
});
