import { assert, assertEquals, assertRejects } from "@std/assert";
import { SignJWT } from "jose";
import { UpstreamSettings } from "../../../src/provider_settings.ts";
import { openIdUpstream } from "../../../src/issuer/upstream/openid.ts";
import { silentLogger } from "../../helpers/log.ts";
import { makeKey } from "../../helpers/token_issuer.ts";

const ISSUER = "https://id.example";
const REDIRECT = "https://berth.example/oidc/upstream/id.example/callback";
const SECRETS = { state: "state-1", nonce: "nonce-1", verifier: "verifier-1".padEnd(43, "x") };
const SETTINGS = UpstreamSettings.parse({
  name: "id.example",
  issuer: ISSUER,
  client_id: "berth at id",
  client_secret: "s:cret/+",
});

interface Faults {
  /** Replaces claims of the identity token. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Replaces members of the discovery document. */
  discovery?: Record<string, unknown>;
  /** Replaces settings. */
  settings?: Partial<UpstreamSettings>;
  /** The answer of the token endpoint. */
  token?: () => Response;
  /** Signs with a key that is not in the set. */
  foreignKey?: boolean;
  secret?: string;
}

const key = await makeKey("RS256", "k1");
const foreign = await makeKey("RS256", "k1");

/** A provider in memory, and what it was asked. */
function provider(faults: Faults = {}) {
  const requests: { url: string; form: URLSearchParams | null; headers: Headers }[] = [];
  const seconds = Math.floor(Date.now() / 1000);
  async function idToken(): Promise<string> {
    const claims: Record<string, unknown> = {
      iss: ISSUER,
      aud: SETTINGS.client_id,
      sub: "u1",
      iat: seconds,
      exp: seconds + 300,
      nonce: SECRETS.nonce,
      email: "ada@example.com",
      email_verified: true,
      ...faults.claims,
    };
    for (const name of Object.keys(claims)) if (claims[name] === undefined) delete claims[name];
    const header = { alg: "RS256", kid: "k1", ...faults.header };
    const jwt = new SignJWT(claims).setProtectedHeader(header);
    if (header.alg === "HS256") {
      return await jwt.sign(new TextEncoder().encode(SETTINGS.client_secret.padEnd(32, "x")));
    }
    return await jwt.sign(faults.foreignKey ? foreign.privateKey : key.privateKey);
  }
  async function fetch(url: string, init: RequestInit): Promise<Response> {
    const form = init.body instanceof URLSearchParams ? init.body : null;
    requests.push({ url, form, headers: new Headers(init.headers) });
    switch (new URL(url).pathname) {
      case "/.well-known/openid-configuration":
        return Response.json({
          issuer: ISSUER,
          authorization_endpoint: `${ISSUER}/authorize?tenant=a`,
          token_endpoint: `${ISSUER}/token`,
          jwks_uri: `${ISSUER}/jwks`,
          ...faults.discovery,
        });
      case "/jwks":
        return Response.json({ keys: [key.publicJwk] });
      default:
        return faults.token?.() ??
          Response.json({ access_token: "a", token_type: "Bearer", id_token: await idToken() });
    }
  }
  const upstream = openIdUpstream({ fetch, now: () => new Date(), log: silentLogger() }, {
    ...SETTINGS,
    ...faults.settings,
  });
  return {
    upstream,
    requests,
    identify: (parameters: Record<string, string> = {}) =>
      upstream.identify(
        new URLSearchParams({ code: "code-1", state: SECRETS.state, ...parameters }),
        REDIRECT,
        SECRETS,
      ),
  };
}

Deno.test("openIdUpstream() asks with state, nonce and PKCE", async () => {
  const { upstream, requests } = provider();
  const url = new URL(await upstream.authorizationUrl(REDIRECT, SECRETS));
  assertEquals(url.origin + url.pathname, `${ISSUER}/authorize`);
  assertEquals(Object.fromEntries(url.searchParams), {
    tenant: "a",
    response_type: "code",
    client_id: "berth at id",
    redirect_uri: REDIRECT,
    scope: "openid email",
    state: SECRETS.state,
    nonce: SECRETS.nonce,
    code_challenge: url.searchParams.get("code_challenge")!,
    code_challenge_method: "S256",
  });
  assertEquals(url.searchParams.get("code_challenge")!.length, 43);
  assert(!url.href.includes(SECRETS.verifier));
  await upstream.authorizationUrl(REDIRECT, SECRETS);
  assertEquals(requests.length, 1);
});

Deno.test("openIdUpstream() exchanges the code and reads who it was", async () => {
  const { identify, requests } = provider();
  assertEquals(await identify(), {
    subject: "u1",
    email: "ada@example.com",
    emailVerified: true,
    groups: [],
  });
  const exchange = requests.find(({ url }) => url.endsWith("/token"))!;
  assertEquals(Object.fromEntries(exchange.form!), {
    grant_type: "authorization_code",
    code: "code-1",
    redirect_uri: REDIRECT,
    code_verifier: SECRETS.verifier,
  });
  // RFC 6749, 2.3.1: both parts are form-encoded before they are joined.
  assertEquals(
    atob(exchange.headers.get("authorization")!.replace("Basic ", "")),
    "berth+at+id:s%3Acret%2F%2B",
  );
});

Deno.test("openIdUpstream() names groups by the claim that the operator believes, and no other", async () => {
  const settings = { groups_claim: "roles" };
  const cases: [claims: Record<string, unknown>, groups: string[]][] = [
    [{ roles: ["staff", "ops"], groups: ["admins"] }, ["staff", "ops"]],
    [{ roles: "staff" }, ["staff"]],
    [{ roles: ["ok", "a\0b", 7, "x".repeat(201)] }, ["ok"]],
    [{ groups: ["admins"] }, []],
    [{ roles: null }, []],
  ];
  for (const [claims, groups] of cases) {
    assertEquals((await provider({ claims, settings }).identify()).groups, groups);
    assertEquals((await provider({ claims }).identify()).groups, []);
  }
  const many = { roles: Array.from({ length: 700 }, (_, n) => `g${n}`) };
  assertEquals((await provider({ claims: many, settings }).identify()).groups.length, 500);
});

Deno.test("openIdUpstream() requests the scopes that a provider needs to name groups", async () => {
  const { upstream } = provider({ settings: { scopes: ["groups", "roles:read"] } });
  const url = new URL(await upstream.authorizationUrl(REDIRECT, SECRETS));
  assertEquals(url.searchParams.get("scope"), "openid email groups roles:read");
});

Deno.test("settings of a provider without identity tokens have no claim and no scopes", () => {
  const github = { name: "github.com", issuer: "github", client_id: "a", client_secret: "b" };
  assert(UpstreamSettings.safeParse(github).success);
  for (const more of [{ groups_claim: "groups" }, { scopes: ["groups"] }]) {
    assert(!UpstreamSettings.safeParse({ ...github, ...more }).success);
  }
});

Deno.test("openIdUpstream() sends the secret in the form where the provider wants that", async () => {
  const { identify, requests } = provider({
    discovery: { token_endpoint_auth_methods_supported: ["client_secret_post"] },
  });
  await identify();
  const exchange = requests.find(({ url }) => url.endsWith("/token"))!;
  assertEquals(exchange.form!.get("client_secret"), SETTINGS.client_secret);
  assertEquals(exchange.headers.get("authorization"), null);
});

Deno.test("openIdUpstream() believes an address only where it is said to be verified", async (t) => {
  const cases: [Record<string, unknown>, string | null, boolean][] = [
    [{ email_verified: "true" }, "ada@example.com", true],
    [{ email_verified: "false" }, "ada@example.com", false],
    [{ email_verified: false }, "ada@example.com", false],
    [{ email_verified: undefined }, "ada@example.com", false],
    [{ email_verified: 1 }, "ada@example.com", false],
    [{ email_verified: "yes" }, "ada@example.com", false],
    [{ email: undefined }, null, false],
    [{ email: ["ada@example.com"] }, null, false],
    [{ email: "ada\0@example.com" }, null, false],
    [{ email: "ada" }, null, false],
    [{ email: "аda@example.com" }, null, false],
  ];
  for (const [claims, email, emailVerified] of cases) {
    await t.step(JSON.stringify(claims), async () => {
      assertEquals(await provider({ claims }).identify(), {
        subject: "u1",
        email,
        emailVerified,
        groups: [],
      });
    });
  }
});

Deno.test("openIdUpstream() refuses answers that are not to its question", async (t) => {
  const now = Math.floor(Date.now() / 1000);
  const cases: [string, Faults, Record<string, string>?][] = [
    ["another nonce", { claims: { nonce: "nonce-2" } }],
    ["no nonce", { claims: { nonce: undefined } }],
    ["another issuer", { claims: { iss: "https://other.example" } }],
    ["another client", { claims: { aud: "other" } }],
    ["several clients, given to none", { claims: { aud: ["other", SETTINGS.client_id] } }],
    ["given to another", { claims: { azp: "other" } }],
    ["expired", { claims: { exp: now - 60 } }],
    ["old", { claims: { iat: now - 3600 } }],
    ["from the future", { claims: { iat: now + 3600 } }],
    ["no subject", { claims: { sub: "" } }],
    ["a subject that cannot be stored", { claims: { sub: "a\0b" } }],
    ["no expiry", { claims: { exp: undefined } }],
    ["a foreign signature", { foreignKey: true }],
    ["signed with the client's secret", { header: { alg: "HS256" } }],
    ["an error", {}, { error: "access_denied" }],
    ["no code", {}, { code: "" }],
    ["mixed up by iss", {}, { iss: "https://other.example" }],
    ["no iss though announced", {
      discovery: { authorization_response_iss_parameter_supported: true },
    }],
    ["a document of another issuer", { discovery: { issuer: "https://other.example" } }],
    ["a token endpoint without encryption", {
      discovery: { token_endpoint: "http://id.example/token" },
    }],
    ["no identity token", { token: () => Response.json({ access_token: "a" }) }],
    ["a refused code", { token: () => Response.json({ error: "invalid_grant" }, { status: 400 }) }],
    ["a page", { token: () => new Response("<html>") }],
    ["a redirect", { token: () => Response.redirect("https://other.example/", 307) }],
    ["too much", { token: () => new Response(`"${"x".repeat(600_000)}"`) }],
  ];
  for (const [name, faults, parameters] of cases) {
    await t.step(name, async () => {
      const error = await assertRejects(() => provider(faults).identify(parameters), Error);
      assert(!String(error).includes(SETTINGS.client_secret));
    });
  }
});

Deno.test("openIdUpstream() takes an answer that names the provider", async () => {
  const { identify } = provider({
    discovery: { authorization_response_iss_parameter_supported: true },
  });
  assertEquals((await identify({ iss: ISSUER })).subject, "u1");
});

Deno.test("openIdUpstream() asks again for a document that it could not have", async () => {
  let isDown = true;
  const upstream = openIdUpstream({
    fetch: () =>
      Promise.resolve(
        isDown ? new Response(null, { status: 503 }) : Response.json({
          issuer: ISSUER,
          authorization_endpoint: `${ISSUER}/authorize`,
          token_endpoint: `${ISSUER}/token`,
          jwks_uri: `${ISSUER}/jwks`,
        }),
      ),
    now: () => new Date(),
    log: silentLogger(),
  }, SETTINGS);
  await assertRejects(() => upstream.authorizationUrl(REDIRECT, SECRETS));
  isDown = false;
  assert((await upstream.authorizationUrl(REDIRECT, SECRETS)).startsWith(ISSUER));
});

Deno.test("UpstreamSettings refuses names that mean accounts of Berth's own", () => {
  const base = { issuer: "github", client_id: "a", client_secret: "b" };
  for (const name of ["github.com", "google.com", "corp-sso"]) {
    assert(UpstreamSettings.safeParse({ ...base, name }).success, name);
  }
  for (const name of ["password", "email", "", "GitHub", "a b", "../x", ".", "x".repeat(60)]) {
    assert(!UpstreamSettings.safeParse({ ...base, name }).success, name);
  }
});

Deno.test("UpstreamSettings sends no secret unencrypted beyond this machine", () => {
  const base = { name: "id", client_id: "a", client_secret: "b" };
  for (const issuer of ["https://id.example", "http://127.0.0.1:9", "http://localhost", "github"]) {
    assert(UpstreamSettings.safeParse({ ...base, issuer }).success, issuer);
  }
  for (const issuer of ["http://id.example", "http://10.0.0.1", "ftp://id.example", "gitlab", ""]) {
    assert(!UpstreamSettings.safeParse({ ...base, issuer }).success, issuer);
  }
  const host = { ...base, issuer: "github", url: "http://code.example" };
  assert(!UpstreamSettings.safeParse(host).success);
});
