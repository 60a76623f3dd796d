/** Tokens of a provider of another maker, in a process of its own, from sign-in to caller. */
import { now } from "../../src/clock.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { AppError } from "../../src/errors.ts";
import { authenticate, type Caller, type IdentityDeps } from "../../src/identity/caller.ts";
import { createKeySet } from "../../src/identity/key_set.ts";
import { createBrowser } from "../helpers/browser.ts";
import { openTestDatabase } from "../helpers/database.ts";
import { recordingLogger } from "../helpers/log.ts";
import { type OpenIdProvider, startOpenIdProvider } from "../helpers/openid_provider.ts";
import type { OpenIdProviderSettings } from "../helpers/openid_provider_process.ts";
import { startTokenIssuer } from "../helpers/token_issuer.ts";

const WEB = { client_id: "web", client_secret: "s3cret", redirect_uris: ["http://127.0.0.1:1/cb"] };
const CLI: OpenIdProviderSettings["clients"][number] = {
  client_id: "cli",
  redirect_uris: [],
  grant_types: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
  response_types: [],
};

interface Bench {
  provider: OpenIdProvider;
  deps: IdentityDeps;
  /** Lets time pass for the key set. */
  advance(ms: number): void;
  caller(token: string): ReturnType<typeof authenticate>;
}

async function withProvider(
  settings: Partial<OpenIdProviderSettings>,
  rules: { audiences?: string[]; providerClaim?: string },
  body: (bench: Bench) => Promise<void>,
): Promise<void> {
  const provider = await startOpenIdProvider({ clients: [WEB, CLI], ...settings });
  const database = await openTestDatabase();
  let time = 0;
  const deps: IdentityDeps = {
    issued: { isRevoked: () => false, noteUse() {} },
    sql: database.sql,
    now,
    admins: { subjects: [], claim: null },
    provider: {
      findKey: createKeySet({
        issuer: provider.issuer,
        fetch,
        now: () => time,
        log: recordingLogger().log,
      }),
      rules: {
        issuer: provider.issuer,
        audiences: rules.audiences ?? ["berth"],
        providerClaim: rules.providerClaim ?? "firebase",
      },
    },
  };
  try {
    await body({
      provider,
      deps,
      advance(ms) {
        time += ms;
      },
      caller: (token) => authenticate(deps, `Bearer ${token}`),
    });
  } finally {
    await database.close();
    await provider.close();
  }
}

interface Tokens {
  access_token: string;
  id_token?: string;
  refresh_token?: string;
}

async function post(url: string, fields: Record<string, string>): Promise<Response> {
  const basic = btoa(`${WEB.client_id}:${WEB.client_secret}`);
  const headers: Record<string, string> = "client_id" in fields
    ? {}
    : { authorization: `Basic ${basic}` };
  return await fetch(url, { method: "POST", headers, body: new URLSearchParams(fields) });
}

/** Code with PKCE, as a web application asks for it. */
async function signIn(issuer: string): Promise<Tokens> {
  const verifier = "a-verifier-that-is-long-enough-for-the-rules-of-pkce";
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const [redirect] = WEB.redirect_uris;
  const authorization = new URL(`${issuer}/auth`);
  authorization.search = new URLSearchParams({
    response_type: "code",
    client_id: WEB.client_id,
    redirect_uri: redirect!,
    scope: "openid email",
    state: "state-1",
    code_challenge_method: "S256",
    code_challenge: new Uint8Array(digest).toBase64({ alphabet: "base64url", omitPadding: true }),
  }).toString();
  const { url, response } = await createBrowser().open(authorization, {}, redirect);
  await response.body?.cancel();
  assertEquals(url.searchParams.get("state"), "state-1");
  const answer = await post(`${issuer}/token`, {
    grant_type: "authorization_code",
    code: url.searchParams.get("code")!,
    redirect_uri: redirect!,
    code_verifier: verifier,
  });
  assertEquals(answer.status, 200);
  return await answer.json();
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return (await assertRejects(() => work, AppError)).code;
}

Deno.test("tokens of an external provider name the caller", async (t) => {
  await withProvider({}, {}, async ({ provider, caller, advance }) => {
    let tokens: Tokens;
    await t.step("by authorization code with PKCE", async () => {
      tokens = await signIn(provider.issuer);
      const known = await caller(tokens.access_token);
      assertEquals(known.userId, "ada");
      assertEquals(known.username, "ada");
      assertEquals(known.email, "ada@example.com");
      assertEquals(known.emailVerified, true);
      assertEquals(known.signInProvider, "password");
      assert(known.authTime !== null && known.expiresAt > new Date());
    });
    await t.step("an identity token is for the client, not for Berth", async () => {
      assertEquals(await codeOf(caller(tokens.id_token!)), "invalid_token");
    });
    await t.step("refreshed", async () => {
      const refresh = (token: string) =>
        post(`${provider.issuer}/token`, { grant_type: "refresh_token", refresh_token: token });
      const renewed: Tokens = await (await refresh(tokens.refresh_token!)).json();
      assertEquals((await caller(renewed.access_token)).userId, "ada");
    });
    await t.step("documents are asked for once, however many tokens come", async () => {
      await Promise.all(Array.from({ length: 20 }, () => caller(tokens.access_token)));
      assertEquals(await provider.requests("/.well-known/openid-configuration"), 1);
      assertEquals(await provider.requests("/jwks"), 1);
    });
    await t.step(
      "keys rotate: new tokens count after the cool-down, earlier ones go on",
      async () => {
        await provider.rotate();
        const renewed = await signIn(provider.issuer);
        assertEquals(await codeOf(caller(renewed.access_token)), "invalid_token");
        assertEquals(await provider.requests("/jwks"), 1);
        advance(6_000);
        assertEquals((await caller(renewed.access_token)).userId, "ada");
        assertEquals((await caller(tokens.access_token)).userId, "ada");
        assertEquals(await provider.requests("/jwks"), 2);
        assertEquals(await provider.requests("/.well-known/openid-configuration"), 1);
      },
    );
    await t.step("keys are withdrawn: tokens of theirs end within ten minutes", async () => {
      await provider.rotate({ drop: true });
      advance(10 * 60_000);
      assertEquals(await codeOf(caller(tokens.access_token)), "invalid_token");
    });
  });
});

Deno.test("the device flow of an external provider gives a command line its token", async () => {
  await withProvider({}, {}, async ({ provider, caller }) => {
    await provider.signInAs("grace");
    const started = await post(`${provider.issuer}/device/auth`, {
      client_id: "cli",
      scope: "openid email offline_access",
    });
    assertEquals(started.status, 200);
    const device = await started.json();
    const poll = () =>
      post(`${provider.issuer}/token`, {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        client_id: "cli",
        device_code: device.device_code,
      });
    const early = await poll();
    assertEquals([early.status, (await early.json()).error], [400, "authorization_pending"]);

    const browser = createBrowser();
    let page = await browser.open(device.verification_uri_complete);
    for (let step = 0; step < 2; step++) {
      const html = await page.response.text();
      page = await browser.submit(
        { url: page.url, html },
        step === 0 ? { user_code: device.user_code } : { confirm: "yes" },
      );
    }
    await page.response.body?.cancel();
    const answer = await poll();
    assertEquals(answer.status, 200);
    const { access_token } = await answer.json();
    assertEquals((await caller(access_token)).userId, "grace");
  });
});

const HOUR_TOKENS = "https://securetoken.google.com/my-project";

/** Claims as widely used providers send them. */
const SHAPES: {
  name: string;
  issuer: string;
  audiences: string[];
  providerClaim?: string;
  claims: Record<string, unknown>;
  expected: Partial<Caller>;
}[] = [
  {
    name: "the one whose claims the specification lists, with a password",
    issuer: HOUR_TOKENS,
    audiences: ["my-project"],
    claims: {
      aud: "my-project",
      sub: "Zk3tXyHq1AZ0",
      user_id: "Zk3tXyHq1AZ0",
      email: "ada@example.com",
      email_verified: false,
      firebase: {
        identities: { email: ["ada@example.com"] },
        sign_in_provider: "password",
      },
    },
    expected: { email: "ada@example.com", emailVerified: false, signInProvider: "password" },
  },
  {
    name: "the same, through code hosting",
    issuer: HOUR_TOKENS,
    audiences: ["my-project"],
    claims: {
      aud: "my-project",
      sub: "Zk3tXyHq1AZ1",
      user_id: "Zk3tXyHq1AZ1",
      name: "Ada",
      picture: "https://example.com/a.png",
      email: "ada@example.com",
      email_verified: true,
      firebase: {
        identities: { "github.com": ["583231"], email: ["ada@example.com"] },
        sign_in_provider: "github.com",
      },
    },
    expected: { emailVerified: true, signInProvider: "github.com" },
  },
  {
    name: "the same, without a name",
    issuer: HOUR_TOKENS,
    audiences: ["my-project"],
    claims: {
      aud: "my-project",
      sub: "anon",
      user_id: "anon",
      email: undefined,
      email_verified: undefined,
      provider_id: "anonymous",
      firebase: { identities: {}, sign_in_provider: "anonymous" },
    },
    expected: { email: null, emailVerified: null, signInProvider: "anonymous" },
  },
  {
    name: "an issuer with a final slash, two audiences and claims with addresses as names",
    issuer: "https://tenant.example/",
    audiences: ["https://berth.example/api", "berth"],
    providerClaim: "https://berth.example/identity",
    claims: {
      aud: ["https://berth.example/api", "https://tenant.example/userinfo"],
      sub: "github|583231",
      user_id: undefined,
      azp: "client",
      scope: "openid email",
      firebase: undefined,
      "https://berth.example/identity": { sign_in_provider: "github" },
    },
    expected: { userId: "github|583231", signInProvider: "github" },
  },
  {
    name: "a realm, with roles and a session",
    issuer: "https://sso.example/realms/berth",
    audiences: ["berth"],
    claims: {
      aud: ["account", "berth"],
      sub: "f1a7e3f0-6d0b-4a2e-9d0c-9a7d3f1b2c4d",
      user_id: undefined,
      auth_time: undefined,
      typ: "Bearer",
      azp: "cli",
      sid: "b1",
      realm_access: { roles: ["offline_access"] },
      firebase: undefined,
    },
    expected: { signInProvider: null, authTime: null },
  },
];

Deno.test("tokens shaped like those of widely used providers count", async (t) => {
  const issuer = await startTokenIssuer({ alg: "RS256" });
  const database = await openTestDatabase();
  const { log } = recordingLogger();
  try {
    for (const { name, expected, claims, ...shape } of SHAPES) {
      await t.step(name, async () => {
        const findKey = createKeySet({
          issuer: shape.issuer,
          jwksUrl: issuer.jwksUrl,
          fetch,
          log,
        });
        const deps: IdentityDeps = {
          issued: { isRevoked: () => false, noteUse() {} },
          sql: database.sql,
          now,
          admins: { subjects: [], claim: null },
          provider: {
            findKey,
            rules: { providerClaim: "firebase", ...shape },
          },
        };
        const token = await issuer.mint({ iss: shape.issuer, ...claims });
        const caller = await authenticate(deps, `Bearer ${token}`);
        for (const [key, value] of Object.entries(expected)) {
          assertEquals(caller[key as keyof Caller], value, key);
        }
        const elsewhere = await issuer.mint({
          iss: shape.issuer,
          ...claims,
          aud: "another-project",
        });
        assertEquals(await codeOf(authenticate(deps, `Bearer ${elsewhere}`)), "invalid_token");
        const foreign = await issuer.mint({ iss: `${shape.issuer}x`, ...claims });
        assertEquals(await codeOf(authenticate(deps, `Bearer ${foreign}`)), "invalid_token");
      });
    }
  } finally {
    await database.close();
    await issuer.close();
  }
});

Deno.test("several audiences and another name of the provider claim", async () => {
  const claim = "https://berth.example/identity";
  const audience = ["berth-web", "berth-api"];
  await withProvider({ audience: "berth-api", providerClaim: claim }, {
    audiences: audience,
    providerClaim: claim,
  }, async ({ provider, caller, deps }) => {
    const { access_token } = await signIn(provider.issuer);
    assertEquals((await caller(access_token)).signInProvider, "password");
    const { rules, findKey } = deps.provider!;
    const other = { ...deps, provider: { findKey, rules: { ...rules, audiences: ["berth"] } } };
    assertEquals(
      await codeOf(authenticate(other, `Bearer ${access_token}`)),
      "invalid_token",
    );
  });
});
