/**
 * The whole way of an author over HTTP, with Berth's own issuer and with another provider: sign up
 * and verify (or have an account there), sign in, make a token, publish with it, make a fresh one,
 * revoke.
 */
import { assert, assertEquals } from "@std/assert";
import { startAdvisoryService } from "../helpers/advisory_service.ts";
import { registryClient } from "../helpers/clients.ts";
import { filesOfFolder, startCodeHost } from "../helpers/code_host.ts";
import type { OpenIdProvider } from "../helpers/openid_provider.ts";
import { TEXT_TOOLS } from "../helpers/world.ts";
import { providerFor } from "../web/external_provider.ts";
import { type Person, personAt, signIn, signUp, startSite, type TestSite } from "../web/harness.ts";

const EMAIL = "ada@example.com";

async function makeToken(person: Person, name: string): Promise<string> {
  const made = await person.send(await person.load("/profile/tokens"), "/profile/tokens", { name });
  const token = /id="token"[^>]*><code>([^<]+)</.exec(made.html)?.[1];
  assert(token !== undefined, made.html);
  return token;
}

async function walk(site: TestSite, ada: Person): Promise<void> {
  const call = registryClient(`${site.url}/api/v1`, () => Promise.reject(new Error("unused")));
  const first = await makeToken(ada, "publishing");
  const published = await call("POST", "/servers", { token: first, body: TEXT_TOOLS });
  assertEquals(published.status, 201, JSON.stringify(published.body));
  const { server } = published.body;
  assertEquals([server.author, server.security_report.status], ["ada", "passed"]);
  const fresh = await makeToken(ada, "fresh");
  const me = await call("GET", "/auth/me", { token: fresh });
  assertEquals([me.body.user.email, me.body.user.servers], [EMAIL, ["text-tools"]]);
  const list = await call("GET", "/auth/tokens", { token: fresh });
  const { id } = list.body.tokens.find((token: { name: string }) => token.name === "publishing");
  const revoked = await call("DELETE", `/auth/tokens/${id}`, { token: fresh });
  assertEquals(revoked.status, 200, JSON.stringify(revoked.body));
  const refused = await call("GET", "/auth/me", { token: first });
  assertEquals([refused.status, refused.body.error.details], [401, { reason: "revoked" }]);
  assertEquals((await call("GET", "/auth/me", { token: fresh })).status, 200);
}

async function withSite(
  environmentOf: (url: string) => Record<string, string> | Promise<Record<string, string>>,
  body: (site: TestSite) => Promise<void>,
): Promise<void> {
  const folder = new URL("../fixtures/servers/text-tools/", import.meta.url);
  const codeHost = await startCodeHost([
    { owner: "examples", name: "text-tools", files: await filesOfFolder(folder) },
  ]);
  const advisories = await startAdvisoryService([]);
  const site = await startSite({
    environment: { GITHUB_API_URL: codeHost.url, OSV_API_URL: advisories.url },
    environmentOf,
  });
  try {
    await body(site);
  } finally {
    await site.close();
    await Promise.all([codeHost.close(), advisories.close()]);
  }
}

Deno.test("an author's way with Berth's own issuer: sign up, verify, sign in, publish, refresh, revoke", async () => {
  await withSite((url) => ({ REGISTRY_URL: url }), async (site) => {
    await signUp(site, EMAIL);
    const ada = personAt(site);
    await signIn(ada, EMAIL);
    await walk(site, ada);
  });
});

Deno.test("an author's way with another provider: sign in there, publish, refresh, revoke", async () => {
  let provider: OpenIdProvider | undefined;
  try {
    await withSite(async (url) => {
      const started = await providerFor(url);
      provider = started.provider;
      return started.environment;
    }, async (site) => {
      const ada = personAt(site);
      const profile = await ada.load("/profile");
      assertEquals([profile.status, profile.url.pathname], [200, "/profile"]);
      await walk(site, ada);
    });
  } finally {
    await provider?.close();
  }
});
