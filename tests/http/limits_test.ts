import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../src/http/app.ts";
import { openRealApp, type RealApp } from "./real_services.ts";
import { SCAN, stubServices } from "./stub_services.ts";

const SERVERS = "/api/v1/servers";
const ME = "/api/v1/auth/me";
const RULES = { RATE_LIMIT_PUBLIC: 3, RATE_LIMIT_AUTHENTICATED: 4 };

interface Sent {
  method?: string;
  from?: string;
  token?: string;
  headers?: Record<string, string>;
}

async function withApp(
  test: (send: (path: string, sent?: Sent) => Promise<Response>, app: RealApp) => Promise<void>,
): Promise<void> {
  const real = await openRealApp({}, RULES);
  async function send(path: string, sent: Sent = {}): Promise<Response> {
    const { method = "GET", from = "192.0.2.1", token, headers } = sent;
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await real.app.request(
      path,
      { method, headers: { ...authorization, ...headers } },
      { remoteAddr: { transport: "tcp", hostname: from, port: 4000 } },
    );
    // Also lets go of event streams.
    if (response.status !== 200) return response;
    await response.body?.cancel();
    return response;
  }
  try {
    await test(send, real);
  } finally {
    await real.close();
  }
}

function left(response: Response): string | null {
  return response.headers.get("ratelimit")?.split(";")[1] ?? null;
}

Deno.test("limits: an address without a token has a number of requests, then 429", async () => {
  await withApp(async (send) => {
    const first = await send(SERVERS);
    assertEquals(first.headers.get("ratelimit-policy"), '"public";q=3;w=3600');
    assertEquals(first.headers.get("ratelimit"), '"public";r=2;t=3600');
    // HEAD, unknown addresses and methods, and what is refused for its address count alike.
    assertEquals(left(await send(SERVERS, { method: "HEAD" })), "r=1");
    assertEquals(left(await send("/api/v1/nothing%00")), "r=0");
    const refused = await send(SERVERS);
    assertEquals(refused.status, 429);
    assertEquals(refused.headers.get("access-control-allow-origin"), "*");
    const wait = Number(refused.headers.get("retry-after"));
    // About an hour: the database's clock may step between the requests.
    assert(wait > 3000 && wait < 4200, String(wait));
    assertEquals(refused.headers.get("ratelimit"), `"public";r=0;t=${wait}`);
    const body = await refused.json();
    assertEquals(body.status, "error");
    assertMatch(
      body.detail,
      /^Too many requests: the limit is 3 per \d+ seconds without a valid token from your IP address/,
    );
    assertEquals(body.request_id, refused.headers.get("x-request-id"));
    assertEquals((await send(SERVERS, { from: "192.0.2.2" })).status, 200);
  });
});

Deno.test("limits: IPv6 counts by /64, and an IPv4 address in its IPv6 form as itself", async () => {
  await withApp(async (send) => {
    for (const from of ["2001:db8::1", "2001:db8::ffff:2", "2001:DB8:0:0:1::3"]) {
      assertEquals((await send(SERVERS, { from })).status, 200);
    }
    assertEquals((await send(SERVERS, { from: "2001:db8::4" })).status, 429);
    assertEquals(left(await send(SERVERS, { from: "2001:db8:0:1::4" })), "r=2");
    assertEquals(left(await send(SERVERS)), "r=2");
    assertEquals(left(await send(SERVERS, { from: "::ffff:192.0.2.1" })), "r=1");
    // Nobody trusts this client to tell of another.
    const headers = { "x-forwarded-for": "198.51.100.7" };
    assertEquals(left(await send(SERVERS, { headers })), "r=0");
  });
});

Deno.test("limits: a valid token counts for its user, on every route and from everywhere", async () => {
  await withApp(async (send, { issuer }) => {
    const token = await issuer.mint({ sub: "ada" });
    const other = await issuer.mint({ sub: "ada", iat: Math.floor(Date.now() / 1000) - 10 });
    const first = await send(ME, { token });
    assertEquals(first.headers.get("ratelimit-policy"), '"authenticated";q=4;w=3600');
    assertEquals(left(first), "r=3");
    assertEquals(left(await send(SERVERS, { token: other, from: "192.0.2.9" })), "r=2");
    assertEquals(left(await send("/api/v1/nothing", { token })), "r=1");
    assertEquals(left(await send(`${SERVERS}/nothing`, { token, method: "DELETE" })), "r=0");
    const refused = await send(ME, { token });
    assertEquals(refused.status, 429);
    assertMatch(
      (await refused.json()).detail,
      /^Too many requests: the limit is 4 per \d+ seconds from your account/,
    );
    assertEquals(left(await send(ME, { token: await issuer.mint({ sub: "bob" }) })), "r=3");
    // None of it counted for the address.
    assertEquals(left(await send(SERVERS)), "r=2");
  });
});

Deno.test("limits: a token that is not accepted counts for the address, and 429 goes before 401", async () => {
  await withApp(async (send, { issuer }) => {
    const expired = await issuer.mint({ sub: "ada", exp: 1 });
    const bad = await send(SERVERS, { token: expired });
    assertEquals([bad.status, bad.headers.get("ratelimit")], [200, '"public";r=2;t=3600']);
    const unknown = await send(ME, { token: "a.b.c" });
    assertEquals([unknown.status, left(unknown)], [401, "r=1"]);
    const missing = await send(ME);
    assertEquals([missing.status, left(missing)], [401, "r=0"]);
    assertEquals((await missing.json()).error.code, "MISSING_TOKEN");
    for (const token of [expired, undefined]) {
      const refused = await send(ME, token === undefined ? {} : { token });
      assertEquals([refused.status, refused.headers.has("www-authenticate")], [429, false]);
    }
    assertEquals((await send(ME, { token: await issuer.mint({ sub: "ada" }) })).status, 200);
  });
});

Deno.test("limits: preflights, health, documentation and pages are not counted", async () => {
  await withApp(async (send) => {
    const paths = ["/healthz", "/readyz", "/api/v1/openapi.json"];
    for (const path of [...paths, "/nothing"]) {
      assertEquals((await send(path)).headers.has("ratelimit"), false, path);
    }
    assertEquals((await send(SERVERS, { method: "OPTIONS" })).headers.has("ratelimit"), false);
    assertEquals(left(await send(SERVERS)), "r=2");
  });
});

Deno.test("limits: a stream of events counts once", async () => {
  const stub = stubServices();
  let counted = 0;
  const { countAddress } = stub.services.limits;
  stub.services.limits.countAddress = (address) => {
    counted++;
    return countAddress(address);
  };
  const app = createApp(stub.services);
  const response = await app.request(`/api/v1/scans/${SCAN.id}`, {
    headers: { accept: "text/event-stream" },
  });
  assert(response.headers.has("ratelimit"));
  await response.text();
  assertEquals(counted, 1);
});

Deno.test("limits: a first request makes its user, and many at once one", async () => {
  await withApp(async (send, { issuer, registry }) => {
    const token = await issuer.mint({ sub: "new", email: "new@example.com" });
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(ME, { token })));
    assertEquals(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 429, 429]);
    const users = await registry.sql`select username from users`;
    assertEquals(users.map((row) => row["username"]), ["new"]);
  });
});
