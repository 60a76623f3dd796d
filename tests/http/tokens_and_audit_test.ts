import { assert, assertEquals, assertMatch } from "@std/assert";
import { openRealApp, type RealApp } from "./real_services.ts";

const TOKENS = "/api/v1/auth/tokens";
const WEATHER = {
  name: "weather",
  version: "1.0.0",
  description: "Weather by city",
  lang: "python",
  license: "MIT",
  entrypoint: "server.py",
  repository: { url: "https://github.com/acme/weather" },
};

async function withApp(body: (real: RealApp) => Promise<void>): Promise<void> {
  const real = await openRealApp();
  try {
    await body(real);
  } finally {
    await real.close();
  }
}

/** What is sent with a token as it is. */
function withToken(token: string) {
  return { headers: { authorization: `Bearer ${token}` } };
}

async function jsonOf(response: Response, status: number) {
  const text = await response.text();
  assertEquals(response.status, status, text);
  return JSON.parse(text);
}

Deno.test("make a token, publish with it, refresh it, revoke it", async () => {
  await withApp(async ({ send, flush, lines }) => {
    const input = { name: "Build server" };
    const first = await jsonOf(await send("POST", TOKENS, { as: "ada", body: input }), 201);
    const published = await send("POST", "/api/v1/servers", {
      ...withToken(first.access_token),
      body: WEATHER,
    });
    assertEquals((await jsonOf(published, 201)).server.author, "ada");

    // A token gets the next one, and ends itself.
    const renewal = { ...withToken(first.access_token), body: input };
    const second = await jsonOf(await send("POST", TOKENS, renewal), 201);
    const end = await send("DELETE", `${TOKENS}/current`, withToken(first.access_token));
    assertEquals(await jsonOf(end, 200), { status: "success", message: "The token was revoked" });
    const refused = await send("GET", "/api/v1/auth/me", withToken(first.access_token));
    assertEquals((await jsonOf(refused, 401)).error, {
      code: "INVALID_TOKEN",
      message: "The bearer token is invalid",
      details: { reason: "revoked" },
    });
    assertMatch(refused.headers.get("www-authenticate")!, /error_description="revoked"$/);

    await flush();
    const list = await jsonOf(await send("GET", TOKENS, withToken(second.access_token)), 200);
    assertEquals(list.total, 2);
    // Both may be of the same millisecond, and then are in any order.
    const listed = (id: string) => list.tokens.find((token: { id: string }) => token.id === id);
    const [older, newer] = [listed(first.token.id), listed(second.token.id)];
    assertEquals([newer.current, newer.revoked_at], [true, null]);
    assertEquals([older.current, older.revoked_at !== null], [false, true]);
    assert(older.last_used_at !== null);
    const everything = JSON.stringify([list, lines]);
    for (const token of [first.access_token, second.access_token]) {
      assert(!everything.includes(token.split(".")[2]));
    }
    await jsonOf(await send("DELETE", `${TOKENS}/${second.token.id}`, { as: "eve" }), 404);
    await jsonOf(await send("DELETE", `${TOKENS}/${second.token.id}`, { as: "ada" }), 200);
    await jsonOf(await send("GET", TOKENS, withToken(second.access_token)), 401);
  });
});

Deno.test("a revoked token counts as no token on public routes", async () => {
  await withApp(async ({ send, issuer }) => {
    const token = await issuer.mint({ sub: "ada" });
    await jsonOf(await send("DELETE", `${TOKENS}/current`, withToken(token)), 200);
    await jsonOf(await send("GET", "/api/v1/servers", withToken(token)), 200);
  });
});

Deno.test("signing out everywhere ends the token that asks for it, and all others", async () => {
  await withApp(async ({ send, issuer }) => {
    const iat = Math.floor(Date.now() / 1000) - 10;
    const [mine, older] = [
      await issuer.mint({ sub: "ada" }),
      await issuer.mint({ sub: "ada", iat }),
    ];
    await jsonOf(await send("DELETE", TOKENS, withToken(mine)), 200);
    for (const token of [mine, older]) {
      const refused = await jsonOf(await send("GET", TOKENS, withToken(token)), 401);
      assertEquals(refused.error.details, { reason: "revoked" });
    }
  });
});

Deno.test("the audit log tells administrators everything, owners what is theirs", async () => {
  await withApp(async ({ send, flush }) => {
    await jsonOf(await send("POST", "/api/v1/servers", { as: "ada", body: WEATHER }), 201);
    const change = { body: { description: "Changed" } };
    const path = "/api/v1/servers/weather";
    await jsonOf(await send("PUT", path, { as: "eve", ...change }), 403);
    await jsonOf(await send("PUT", path, { as: "eve", ...change }), 403);
    await jsonOf(await send("PUT", path, { as: "root", ...change }), 200);
    const stolen = { ...WEATHER, name: "other", author: "ada" };
    await jsonOf(await send("POST", "/api/v1/servers", { as: "eve", body: stolen }), 403);
    await jsonOf(await send("GET", "/api/v1/authors/ada/owners", { as: "mallory" }), 403);
    await jsonOf(await send("GET", "/api/v1/audit", { as: "eve" }), 403);
    await jsonOf(await send("POST", TOKENS, { as: "ada", body: { name: "a" } }), 201);
    await flush();

    const all = await jsonOf(await send("GET", "/api/v1/audit", { as: "root" }), 200);
    const facts = all.entries.map((entry: Record<string, unknown>) => [
      entry["actor"],
      entry["action"],
      entry["action"] === "token.create" ? "" : entry["subject"],
    ]);
    assertEquals(facts.sort(), [
      ["ada", "server.create", "weather"],
      ["ada", "token.create", ""],
      ["eve", "access.refuse", "/api/v1/audit"],
      ["eve", "author.refuse", "ada"],
      ["eve", "server.refuse", "weather"],
      ["mallory", "author.refuse", "ada"],
      ["root", "server.update", "weather"],
    ]);
    const page = await send("GET", "/api/v1/audit?action=server&limit=2", { as: "root" });
    const next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get("link")!)![1]!;
    assertEquals((await jsonOf(page, 200)).total, 2);
    const rest = await jsonOf(await send("GET", next, { as: "root" }), 200);
    assertEquals([rest.total, rest.next_cursor], [1, undefined]);

    const mine = await jsonOf(await send("GET", `${path}/audit`, { as: "ada" }), 200);
    assertEquals(
      mine.entries.map((entry: Record<string, unknown>) => [entry["username"], entry["action"]])
        .sort(),
      [["ada", "server.create"], ["eve", "server.refuse"], ["root", "server.update"]],
    );
    await jsonOf(await send("GET", `${path}/audit`, { as: "eve" }), 403);
    await jsonOf(await send("DELETE", path, { as: "ada" }), 200);
    await jsonOf(await send("GET", `${path}/audit`, { as: "ada" }), 404);
  });
});

Deno.test("a refusal is not recorded of who is nobody", async () => {
  await withApp(async ({ app, flush, registry }) => {
    const response = await app.request("/api/v1/audit", { headers: { host: "evil.example" } });
    assertEquals(response.status, 403);
    await response.body?.cancel();
    await flush();
    assertEquals((await registry.sql`select 1 from audit_log`).length, 0);
  });
});
