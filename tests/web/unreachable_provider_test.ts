/** Pages while the external identity provider is out of reach, or answers nonsense. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { prepareDataDir } from "../helpers/database.ts";
import { CLIENT, startForger } from "./forger.ts";
import { type Loaded, personAt, startSite, type TestSite } from "./harness.ts";

function environment(issuer: string): Record<string, string> {
  return {
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: "berth",
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
  };
}

/** Checks the page, and that everything that needs no sign-in goes on. */
async function expectUnreachable(site: TestSite, page: Loaded, issuer: string): Promise<void> {
  assertEquals(page.status, 503, page.html);
  assertEquals(page.headers.get("retry-after"), "10");
  assertStringIncludes(page.html, "Sign-in is temporarily unavailable");
  assertStringIncludes(page.html, new URL(issuer).host);
  assertStringIncludes(page.html, 'href="/login?to=%2Fpublish"');
  assert(!page.html.includes(CLIENT.secret));
  assert(site.lines.some((line) => JSON.stringify(line).includes("web.sign_in_unavailable")));
  assert(!JSON.stringify(site.lines).includes(CLIENT.secret), "the secret is in the log");
  const anybody = personAt(site);
  for (const path of ["/", "/start", "/docs"]) {
    assertEquals((await anybody.load(path)).status, 200, path);
  }
}

Deno.test("web: where the identity provider cannot be reached, a page says so and the rest keeps working", async () => {
  // The port of a service that machines have had no more for decades.
  const issuer = "http://127.0.0.1:9";
  const site = await startSite({ environment: environment(issuer) });
  try {
    await expectUnreachable(site, await personAt(site).load("/login?to=/publish"), issuer);
    const elsewhere = await personAt(site).load("/login?to=//evil.example/");
    assertStringIncludes(elsewhere.html, 'href="/login?to=%2F"');
  } finally {
    await site.close();
  }
});

Deno.test("web: a provider whose metadata are nonsense is as good as none", async () => {
  const answers: (() => Response)[] = [
    () => new Response("<script>alert(1)</script>", { headers: { "content-type": "text/html" } }),
    () => new Response("broken", { status: 500 }),
    () => Response.json({ issuer: "https://other.example.com" }),
    () => new Response("x".repeat(5_000_000)),
  ];
  let answer = answers[0]!;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => answer());
  const issuer = `http://127.0.0.1:${server.addr.port}`;
  const site = await startSite({ environment: environment(issuer) });
  try {
    for (const one of answers) {
      answer = one;
      const page = await personAt(site).load("/login?to=/publish");
      await expectUnreachable(site, page, issuer);
      assert(!page.html.includes("alert(1)"));
    }
  } finally {
    await site.close();
    await server.shutdown();
  }
});

Deno.test("web: a provider that goes away ends neither a sign-in under way nor a session", async () => {
  const dataDir = await prepareDataDir();
  const forger = await startForger();
  let site = await startSite({ dataDir, environment: environment(forger.issuer) });
  const [ada, late] = [personAt(site), personAt(site)];
  try {
    assertEquals((await ada.load("/login?to=/profile")).status, 200);
    forger.holdBack();
    const page = await late.load("/login?to=/publish");
    assertEquals(page.url.pathname, "/login/callback");
    await expectUnreachable(site, page, forger.issuer);
    // A node that starts without provider has no keys to check the session's token with.
    await site.close();
    await forger.close();
    site = await startSite({ dataDir, environment: environment(forger.issuer) });
    const again = personAt(site);
    const headers = { cookie: ada.cookies() };
    const profile = await again.load("/profile", { headers });
    assertEquals(profile.status, 503, profile.html);
    assertStringIncludes(profile.html, "Temporarily unavailable");
    assertEquals((await again.load("/", { headers })).status, 200);
    assert(!again.setCookies.some((one) => /session=;/.test(one)), "the session was ended");
  } finally {
    await site.close();
    await forger.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
