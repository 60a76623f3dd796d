/** Signing in to the pages at an OpenID provider of another maker, in a process of its own. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { decodeJwt } from "jose";
import type { OpenIdProvider } from "../helpers/openid_provider.ts";
import { providerFor } from "./external_provider.ts";
import { CLIENT, startForger } from "./forger.ts";
import { personAt, startSite, type TestSite } from "./harness.ts";

async function withProvider(
  audience: string,
  body: (
    site: TestSite,
    provider: OpenIdProvider,
  ) => Promise<void>,
): Promise<void> {
  let provider: OpenIdProvider | undefined;
  const site = await startSite({
    async environmentOf(url) {
      const started = await providerFor(url, audience);
      provider = started.provider;
      return started.environment;
    },
  });
  try {
    await body(site, provider!);
  } finally {
    await site.close();
    await provider?.close();
  }
}

Deno.test("web: sign-in at an external provider, tokens from its grant", async () => {
  await withProvider("berth", async (site, provider) => {
    const ada = personAt(site);
    const profile = await ada.load("/profile");
    assertEquals([profile.status, profile.url.pathname], [200, "/profile"]);
    assertStringIncludes(profile.html, "ada@example.com");

    const asked = await provider.requests("/token");
    const shown = new Set<string>();
    for (const name of ["first", "second"]) {
      const page = await ada.load("/profile/tokens");
      const made = await ada.send(page, "/profile/tokens", { name });
      assertEquals(made.status, 200, made.html);
      const token = /id="token"[^>]*><code>([^<]+)</.exec(made.html)![1]!;
      assertEquals(decodeJwt(token).sub, "ada");
      const me = await fetch(`${site.url}/api/v1/auth/me`, {
        headers: { authorization: `Bearer ${token}` },
      });
      assertEquals((await me.json()).user.user_id, "ada");
      shown.add(token);
    }
    assertEquals(shown.size, 2);
    assertEquals(await provider.requests("/token"), asked + 2);

    const list = await ada.load("/profile/tokens");
    assertStringIncludes(list.html, "first");
    await ada.send(list, "/revoke");
    const statuses = await Promise.all([...shown].map(async (token) => {
      const response = await fetch(`${site.url}/api/v1/auth/me`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await response.body?.cancel();
      return response.status;
    }));
    assertEquals(statuses.toSorted(), [200, 401]);

    const out = await ada.send(await ada.load("/profile"), "/logout");
    assertMatch(out.html, /Sign out there too/);
    assertStringIncludes(out.html, `${provider.issuer}/session/end?client_id=${CLIENT.id}`);
    assert(!ada.cookies().includes("berth_web_session"));
    const activity = await personAt(site).load("/profile/activity");
    assertStringIncludes(activity.html, "account.sign_in");
  });
});

Deno.test("web: where the provider's access tokens are for others, its identity token signs in, and tokens come from the provider", async () => {
  await withProvider("someone-else", async (site) => {
    const ada = personAt(site);
    const profile = await ada.load("/profile");
    assertEquals([profile.status, profile.url.pathname], [200, "/profile"]);
    const made = await ada.send(await ada.load("/profile/tokens"), "/profile/tokens", {
      name: "mine",
    });
    assertEquals(made.status, 400);
    assertStringIncludes(made.html, "does not issue another token to this application");
    assert(!made.html.includes('id="token"'));
  });
});

Deno.test("web: identity tokens of another sign-in, client, issuer or user do not sign in", async () => {
  const forger = await startForger();
  const site = await startSite({
    environment: {
      OIDC_ISSUER: forger.issuer,
      OIDC_AUDIENCE: "berth",
      OIDC_CLIENT_ID: CLIENT.id,
    },
  });
  const now = Math.floor(Date.now() / 1000);
  const faults: [string, (nonce: string) => Record<string, unknown>][] = [
    ["another nonce", () => ({ nonce: "another" })],
    ["no nonce", () => ({})],
    ["another client", (nonce) => ({ nonce, aud: "another" })],
    ["several clients", (nonce) => ({ nonce, aud: [CLIENT.id, "another"] })],
    ["another party", (nonce) => ({ nonce, azp: "another" })],
    ["another issuer", (nonce) => ({ nonce, iss: "https://id.example.com" })],
    ["expired", (nonce) => ({ nonce, exp: now - 3600 })],
    ["old", (nonce) => ({ nonce, iat: now - 3000 })],
    ["another user", (nonce) => ({ nonce, sub: "eve" })],
  ];
  try {
    for (const [what, claims] of faults) {
      forger.answerWith(claims);
      const person = personAt(site);
      const end = await person.load("/login");
      assertEquals([end.status, end.url.pathname], [400, "/login/callback"], what);
      assert(!person.cookies().includes("berth_web_session"), what);
    }
    forger.answerWith((nonce) => ({ nonce }));
    const person = personAt(site);
    const end = await person.load("/login?to=/profile");
    assertEquals([end.status, end.url.pathname], [200, "/profile"]);
    // Coming back with the same answer once more leads nowhere.
    const last = person.setCookies.findLast((one) => one.includes("sign_in"))!;
    assertMatch(last, /Max-Age=0/);
  } finally {
    await site.close();
    await forger.close();
  }
});

Deno.test("web: without a client at the external provider the sign-in page says what is missing", async () => {
  const site = await startSite({
    environment: { OIDC_ISSUER: "http://127.0.0.1:9/", OIDC_AUDIENCE: "berth" },
  });
  try {
    const page = await personAt(site).load("/login");
    assertEquals(page.status, 200);
    assertStringIncludes(page.html, "OIDC_CLIENT_ID");
  } finally {
    await site.close();
  }
});
