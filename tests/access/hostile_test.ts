import { assert, assertEquals } from "@std/assert";
import { ABSENT, type AccessSite, type CallerName, openAccessSite, SERVERS } from "./site.ts";

const HIDDEN = SERVERS.private;
const API = "/api/v1/servers";

/** Runs `body` with a site of its own. */
async function withSite(body: (site: AccessSite) => Promise<void>, policy?: "signed-in") {
  const site = await openAccessSite(policy);
  try {
    await body(site);
  } finally {
    await site.close();
  }
}

async function namesIn(site: AccessSite, caller: CallerName, query = ""): Promise<string[]> {
  const response = await site.ask(caller, "token", `${API}${query}`);
  const { servers } = await response.json();
  return servers.map(({ name }: { name: string }) => name);
}

/** Makes the public server private. */
async function hideOpen(site: AccessSite): Promise<void> {
  const changed = await site.ask("owner", "token", `${API}/${SERVERS.public}`, {
    method: "PUT",
    body: { visibility: "private" },
  });
  assertEquals(changed.status, 200, await changed.text());
}

Deno.test("nothing that is searched tells of a private server", () =>
  withSite(async (site) => {
    for (const query of ["?q=hidden", "?q=tool_private", "?tool=tool_private", "?author=owner"]) {
      for (const caller of ["anonymous", "stranger"] as const) {
        const response = await site.ask(caller, "token", `${API}${query}`);
        const body = await response.json();
        const seen = caller === "anonymous" ? 1 : 2;
        assertEquals(body.total_matching, query === "?author=owner" ? seen : 0, query);
      }
      assert((await namesIn(site, "member", query)).includes(HIDDEN), query);
    }
    // A typing error leads to no word that only a private server has.
    const page = await site.ask("stranger", "session", "/?q=hiddem");
    assert(!(await page.text()).includes("Showing results"));
    const found = await site.ask("named", "session", "/?q=hiddem");
    assert((await found.text()).includes(HIDDEN));
    // Counts beside the filters are of what is seen.
    const counts = await (await site.ask("stranger", "session", "/?sort=name")).text();
    assert(!counts.includes(HIDDEN) && counts.includes("2 servers"), counts);
  }));

Deno.test("neither entity tags nor forms of an answer tell of a private server", () =>
  withSite(async (site) => {
    const own = await site.ask("owner", "token", `${API}/${HIDDEN}`);
    const etag = own.headers.get("etag")!;
    assert(etag !== null);
    await own.body?.cancel();
    for (const tag of [etag, `W/${etag}`, "*"]) {
      for (const path of [`${API}/${HIDDEN}`, `${API}/${HIDDEN}/archive`]) {
        const guess = await site.ask("stranger", "token", path, {
          headers: { "if-none-match": tag },
        });
        assertEquals(guess.status, 404, path);
        await guess.body?.cancel();
      }
      const changed = await site.ask("stranger", "token", `${API}/${HIDDEN}`, {
        method: "PUT",
        headers: { "if-match": tag },
        body: { description: "Mine" },
      });
      assertEquals(changed.status, 404, await changed.text());
    }
    const scan = `/api/v1/scans/${site.scans.private}`;
    for (
      const accept of [
        "text/event-stream",
        "application/sarif+json",
        "application/vnd.cyclonedx+json",
        "text/html",
        "*/*",
      ]
    ) {
      for (const path of [scan, `${scan}/report`, `${API}/${HIDDEN}`, `/servers/${HIDDEN}`]) {
        const response = await site.ask("stranger", "token", path, { headers: { accept } });
        assertEquals(response.status, 404, `${path} ${accept}`);
        await response.body?.cancel();
      }
    }
    for (const path of [`${API}/${HIDDEN}`, `/servers/${HIDDEN}`, `/servers/${HIDDEN}/badge.svg`]) {
      const [head, absent] = [
        await site.ask("stranger", "session", path, { method: "HEAD" }),
        await site.ask("stranger", "session", path.replace(HIDDEN, ABSENT), { method: "HEAD" }),
      ];
      assertEquals([head.status, absent.status], [404, 404], path);
      assertEquals(head.headers.get("content-type"), absent.headers.get("content-type"));
      assertEquals(head.headers.get("etag"), absent.headers.get("etag"));
    }
  }));

Deno.test("one caller is never given another's answer from memory", () =>
  withSite(async (site) => {
    // The owner asks first, and at once with everybody else, for what is not yet kept.
    for (let round = 0; round < 3; round++) {
      const callers = ["owner", "anonymous", "stranger", "member", "anonymous", "admin"] as const;
      const answers = await Promise.all(callers.map((caller) => namesIn(site, caller)));
      assertEquals(answers.map(({ length }) => length), [3, 1, 2, 3, 1, 3]);
      const details = await Promise.all(
        callers.map((caller) => site.ask(caller, "token", `${API}/${HIDDEN}`)),
      );
      assertEquals(details.map(({ status }) => status), [200, 404, 404, 200, 404, 200]);
      for (const one of details) await one.body?.cancel();
      const fronts = await Promise.all(callers.map((caller) => site.ask(caller, "session", "/")));
      const texts = await Promise.all(fronts.map((one) => one.text()));
      assertEquals(
        texts.map((text) => text.includes(HIDDEN)),
        [true, false, false, true, false, true],
      );
    }
    const list = await site.ask("anonymous", "token", API);
    assertEquals(list.headers.get("cache-control"), "public, no-cache");
    assert(list.headers.get("vary")!.includes("Authorization"));
    await list.body?.cancel();
  }));

Deno.test("a server that becomes private is gone from what was kept, at once", () =>
  withSite(async (site) => {
    const open = SERVERS.public;
    const paths = [
      `${API}/${open}`,
      `/api/v1/scans/${site.scans.public}/report`,
      `${API}/${open}/archive`,
      `/servers/${open}`,
      `/servers/${open}/badge.svg`,
      `/servers/${open}/card.png`,
    ];
    const tags = new Map<string, string>();
    for (const path of [...paths, ...paths]) {
      const response = await site.ask("anonymous", "token", path);
      assertEquals(response.status, 200, path);
      tags.set(path, response.headers.get("etag") ?? "*");
      await response.body?.cancel();
    }
    assertEquals(await namesIn(site, "anonymous"), [open]);
    await hideOpen(site);
    for (const path of paths) {
      for (const headers of [{}, { "if-none-match": tags.get(path)! }]) {
        const response = await site.ask("anonymous", "token", path, { headers });
        assertEquals(response.status, 404, path);
        await response.body?.cancel();
      }
    }
    assertEquals(await namesIn(site, "anonymous"), []);
    assertEquals(await namesIn(site, "stranger"), [SERVERS.internal]);
    for (const path of ["/sitemaps/servers-1.xml", "/feeds/new.atom", "/", "/?sort=name"]) {
      const response = await site.ask("anonymous", "session", path);
      assert(!(await response.text()).includes(open), path);
    }
  }));

Deno.test("rights end with the name, the group and the account", () =>
  withSite(async (site) => {
    const { real } = site;
    const status = async (caller: CallerName) => {
      const response = await site.ask(caller, "token", `${API}/${HIDDEN}`);
      await response.body?.cancel();
      return response.status;
    };
    const change = async (method: string, path: string) => {
      const response = await site.ask("owner", "token", `${API}/${HIDDEN}/access/${path}`, {
        method,
      });
      assertEquals(response.status, 200);
      return (await response.json()).access;
    };
    assertEquals([await status("named"), await status("member")], [200, 200]);
    assertEquals((await change("DELETE", "users/named")).users, []);
    assertEquals(await status("named"), 404);
    await change("PUT", "users/named");
    assertEquals(await status("named"), 200);
    // A sign-in without the group takes the right from API tokens too.
    const later = Math.floor(Date.now() / 1000) + 2;
    const groups = await real.issuer.mint({ sub: "member", groups: ["others"], iat: later });
    const said = await real.app.request("/api/v1/auth/me", {
      headers: { authorization: `Bearer ${groups}` },
    });
    await said.body?.cancel();
    assertEquals(await status("member"), 404);
    // What an older token says comes too late.
    const older = await real.issuer.mint({ sub: "member", groups: ["box-team"] });
    const late = await real.app.request("/api/v1/auth/me", {
      headers: { authorization: `Bearer ${older}` },
    });
    await late.body?.cancel();
    assertEquals(await status("member"), 404);

    const exported = await site.ask("named", "token", "/api/v1/auth/me/export");
    const { account } = await exported.json();
    assertEquals(account.readable_servers, [HIDDEN]);
    assertEquals(account.user.groups, ["others"]);
    const left = await site.ask("named", "token", "/api/v1/auth/me?username=named", {
      method: "DELETE",
    });
    assertEquals(left.status, 200, await left.text());
    const access = await site.ask("owner", "token", `${API}/${HIDDEN}/access`);
    assertEquals((await access.json()).access.users, []);
    const [{ readers }] = await real.registry.sql<[{ readers: string[] }]>`
      select readers from servers where name = ${HIDDEN}`;
    assertEquals(readers, []);
  }));

Deno.test("names of private servers are told by registration alone, and only that they are taken", () =>
  withSite(async (site) => {
    const create = (name: string) =>
      site.ask("stranger", "token", API, {
        method: "POST",
        body: {
          name,
          version: "1.0.0",
          description: "Another",
          lang: "python",
          license: "MIT",
          entrypoint: "server.py",
          repository: { url: "https://github.com/acme/other" },
        },
      });
    const taken = await create(HIDDEN);
    assertEquals(taken.status, 409);
    await taken.body?.cancel();
    // Of one that looks like it, the conflict does not say which.
    const alike = await create("hidden-b0x");
    assertEquals(alike.status, 409);
    assert(!(await alike.text()).includes(HIDDEN));
    // A scan is not held against what its readers must not know.
    const made = await create("other-box");
    assertEquals(made.status, 201);
    assert(!(await made.text()).includes(HIDDEN));
  }));

Deno.test("a removed private server leaves no scan that others see", () =>
  withSite(async (site) => {
    const removed = await site.ask("owner", "token", `${API}/${HIDDEN}`, { method: "DELETE" });
    assertEquals(removed.status, 200);
    await removed.body?.cancel();
    const scan = `/api/v1/scans/${site.scans.private}`;
    for (const caller of ["anonymous", "stranger", "named"] as const) {
      const response = await site.ask(caller, "token", scan);
      assertEquals(response.status, 404, caller);
      await response.body?.cancel();
    }
    const own = await site.ask("owner", "token", scan);
    assertEquals(own.status, 200, await own.text());
  }));

Deno.test("READ_POLICY=signed-in lets nobody in who is not signed in", () =>
  withSite(async (site) => {
    const open = ["/healthz", "/readyz", "/.well-known/berth", "/api/v1/openapi.json", "/login"];
    for (const path of [...open, "/robots.txt", "/favicon.ico"]) {
      const response = await site.ask("anonymous", "session", path);
      // The provider of this test has no sign-in page.
      assert(response.status < 400 || path === "/login", `${path}: ${response.status}`);
      assert(response.status !== 401, path);
      await response.body?.cancel();
    }
    const routes = site.app.routes.filter(({ method, path }) =>
      method !== "ALL" && !path.startsWith("/assets/") && ![...open, "/robots.txt"].includes(path)
    );
    for (const { method, path } of routes) {
      if (/^\/(login\/callback|logout|deleted|favicon\.ico|api\/v1\/webhooks)/.test(path)) continue;
      const address = path.replaceAll(/:\w+|\*/g, SERVERS.public);
      for (const accept of ["text/html", "application/json"]) {
        const response = await site.ask("anonymous", "session", address, {
          method,
          headers: { accept },
        });
        const isPage = accept === "text/html" && !path.startsWith("/api/");
        const expected = isPage && method === "GET" ? 303 : 401;
        assertEquals(response.status, expected, `${method} ${path} as ${accept}`);
        const text = await response.text();
        assert(!text.includes("What is in"), path);
      }
    }
    for (const caller of ["stranger", "owner"] as const) {
      for (const [by, path] of [["token", API], ["session", "/?sort=name"]] as const) {
        const response = await site.ask(caller, by, path);
        assertEquals(response.status, 200);
        assert(!response.headers.get("cache-control")!.includes("public"));
        assert((await response.text()).includes(SERVERS.public));
      }
    }
    const badge = await site.ask("stranger", "session", `/servers/${SERVERS.public}/badge.svg`);
    assertEquals(badge.headers.get("cache-control"), "private, no-cache");
    await badge.body?.cancel();
    const forged = await site.app.request(API, { headers: { authorization: "Bearer forged" } });
    assertEquals(forged.status, 401);
    await forged.body?.cancel();
  }, "signed-in"));
