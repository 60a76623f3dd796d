/** Signing in at an OpenID provider of another maker, in a process of its own. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../src/http/app.ts";
import { createBrowser, formsOf, type Page } from "../helpers/browser.ts";
import { type TestCli, testCli } from "../helpers/cli.ts";
import { startOpenIdProvider } from "../helpers/openid_provider.ts";
import type { TokenIssuer } from "../helpers/token_issuer.ts";
import { stubServices } from "../http/stub_services.ts";

const REGISTRY = "http://127.0.0.1:8000";
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** The registry whose tokens come from `issuer`. */
function registryWith(issuer: string, clientId: string | null) {
  const { services } = stubServices({ url: issuer, audience: "berth" } as TokenIssuer);
  services.description = {
    ...services.description,
    sign_in: {
      issuer,
      client_id: clientId,
      audience: "berth",
      scope: "openid email offline_access",
    },
  };
  return createApp(services);
}

/** Opens the complete address and presses what the pages offer, until there is nothing more. */
async function confirm(shown: string): Promise<string> {
  const [, address, code] = /Open (\S+)\nand enter (\S+)/.exec(shown)!;
  const browser = createBrowser();
  let page: Page = await browser.open(address!);
  for (let turn = 0; turn < 5; turn++) {
    const html = await page.response.text();
    const forms = formsOf({ url: page.url, html });
    const index = forms.findIndex(({ fields }) => !fields.has("abort"));
    if (index < 0) return html;
    const fields = html.includes('name="user_code"') ? { user_code: code! } : {};
    page = await browser.submit({ url: page.url, html }, fields, { index });
  }
  throw new Error(`No end at ${page.url}`);
}

async function login(cli: TestCli, issuer: string, ...args: string[]) {
  let confirmed = false;
  return await cli.run(["login", "--issuer", issuer, ...args], {
    async onSleep(_ms, { err }) {
      if (!confirmed) await confirm(err);
      confirmed = true;
    },
  });
}

Deno.test("berth signs in at a separate OpenID provider, refreshes there, and signs out", async (t) => {
  const provider = await startOpenIdProvider({
    clients: [{
      client_id: "terminal",
      redirect_uris: [],
      grant_types: [DEVICE_GRANT, "refresh_token"],
      response_types: [],
    }],
  });
  const app = registryWith(provider.issuer, "terminal");
  const answer = (url: string, init: RequestInit) =>
    url.startsWith(REGISTRY) ? app.request(url, init) : fetch(url, init);
  await using cli = await testCli(answer);
  const stored = async () => (await cli.credentials()).registries[REGISTRY];
  try {
    await t.step("signs in by device flow", async () => {
      const run = await login(cli, provider.issuer);
      assertEquals(run.code, 0, run.err);
      assertStringIncludes(run.err, "as ada");
      assertEquals((await stored()).issuer, provider.issuer);
      assertEquals((await cli.run(["whoami"])).out, "ada\n");
    });
    await t.step("refreshes there, once for many commands", async () => {
      const before = await stored();
      const asked = await provider.requests("/token");
      cli.clock.heldAt = before.expires_at - 200_000;
      const runs = await Promise.all([1, 2, 3, 4].map(() => cli.run(["whoami"])));
      assertEquals(runs.map(({ code }) => code), [0, 0, 0, 0], runs.map(({ err }) => err).join());
      assertEquals(await provider.requests("/token"), asked + 1);
      assert((await stored()).access_token !== before.access_token);
    });
    await t.step("asks to sign in when the provider ended the grant", async () => {
      const { refresh_token } = await stored();
      const body = new URLSearchParams({ token: refresh_token, client_id: "terminal" });
      const revoked = await fetch(`${provider.issuer}/token/revocation`, { method: "POST", body });
      assertEquals(revoked.status, 200, await revoked.text());
      cli.clock.heldAt = (await stored()).expires_at - 1000;
      const run = await cli.run(["whoami"]);
      assertEquals(run.code, 3);
      assertStringIncludes(run.err, "Hint: berth login");
    });
    await t.step("signs out at the provider too", async () => {
      assertEquals((await login(cli, provider.issuer)).code, 0);
      const asked = await provider.requests("/token/revocation");
      assertEquals((await cli.run(["logout"])).code, 0);
      assertEquals(await provider.requests("/token/revocation"), asked + 1);
    });
    await t.step("says what is missing where the registry names no client", async () => {
      const without = registryWith(provider.issuer, null);
      await using other = await testCli((url, init) =>
        url.startsWith(REGISTRY) ? without.request(url, init) : fetch(url, init)
      );
      const run = await login(other, provider.issuer);
      assertEquals(run.code, 1);
      assertStringIncludes(run.err, "OIDC_CLI_CLIENT_ID");
      assertEquals((await login(other, provider.issuer, "--client-id", "terminal")).code, 0);
      const unknown = await login(other, provider.issuer, "--client-id", "nobody");
      assertEquals(unknown.code, 1);
      assertStringIncludes(unknown.err, "invalid_client");
    });
  } finally {
    await provider.close();
  }
});

Deno.test("berth uses the identity token if the registry does not accept the access token", async () => {
  const { services } = stubServices();
  services.description = {
    ...services.description,
    sign_in: {
      issuer: "https://id.example",
      client_id: "terminal",
      audience: "project",
      scope: "openid",
    },
  };
  const app = createApp(services);
  const fields: Record<string, string>[] = [];
  const profile = {
    user_id: "u1",
    username: "ada",
    email: null,
    is_admin: false,
    token_expires_at: "2100-01-01T00:00:00Z",
    servers: [],
  };
  await using cli = await testCli((url, init) => {
    if (url === `${REGISTRY}/api/v1/auth/me`) {
      const token = new Headers(init.headers).get("authorization");
      return /identity-\d/.test(token!)
        ? Response.json({ status: "success", user: profile })
        : Response.json({}, { status: 401 });
    }
    if (url.startsWith(REGISTRY)) return app.request(url, init);
    if (url.endsWith("/openid-configuration")) {
      return Response.json({
        issuer: "https://id.example",
        token_endpoint: "https://id.example/token",
        device_authorization_endpoint: "https://id.example/device",
      });
    }
    fields.push(Object.fromEntries(init.body as URLSearchParams));
    if (url.endsWith("/device")) {
      return Response.json({
        device_code: "d",
        user_code: "ABCD",
        verification_uri: "https://id.example/activate",
        expires_in: 600,
      });
    }
    return Response.json({
      access_token: "opaque",
      id_token: `identity-${fields.length}`,
      expires_in: 3600,
      ...(fields.length > 2 ? {} : { refresh_token: "again" }),
    });
  });
  const run = await cli.run(["login", "--issuer", "https://id.example"]);
  assertEquals(run.code, 0, run.err);
  assertEquals(fields[0]!["audience"], "project");
  const signedInAt = Date.now();
  cli.clock.heldAt = signedInAt + 3_500_000;
  assertEquals((await cli.run(["whoami"])).code, 0);
  // The provider sent no new refresh token: the old one goes on.
  cli.clock.heldAt = signedInAt + 7_000_000;
  assertEquals((await cli.run(["whoami"])).code, 0);
  assertEquals(fields.slice(2).map(({ refresh_token }) => refresh_token), ["again", "again"]);
});

Deno.test("berth believes no metadata of another issuer", async () => {
  const app = registryWith("https://id.example", "terminal");
  await using cli = await testCli((url, init) =>
    url.startsWith(REGISTRY)
      ? app.request(url, init)
      : Response.json({ issuer: "https://evil.example", token_endpoint: "https://evil.example/t" })
  );
  const run = await cli.run(["login", "--issuer", "https://id.example"]);
  assertEquals(run.code, 1);
  assertStringIncludes(run.err, "names another issuer: https://evil.example");
});

Deno.test("berth signs in elsewhere than at the registry only when the user says so", async () => {
  const app = registryWith("https://id.example", "terminal");
  const asked: string[] = [];
  await using cli = await testCli((url, init) => {
    if (url.startsWith(REGISTRY)) return app.request(url, init);
    asked.push(url);
    return new Response(null, { status: 404 });
  });
  const silent = await cli.run(["login"]);
  assertEquals(silent.code, 2);
  assertStringIncludes(silent.err, "--issuer https://id.example");
  const other = await cli.run(["login", "--issuer", "https://mine.example"]);
  assertEquals(other.code, 1);
  assertStringIncludes(other.err, "Check that this is the right registry");
  const refused = await cli.run(["login"], { answers: ["n"] });
  assertEquals(refused.code, 1);
  assertEquals(asked, []);
  assertEquals((await cli.run(["login"], { answers: ["y"] })).code, 1);
  assertEquals(asked, ["https://id.example/.well-known/openid-configuration"]);
});
