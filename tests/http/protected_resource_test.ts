import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  type ExecutionListener,
  type ExecutionListenerOptions,
  startExecutionListener,
} from "../helpers/execution_listener.ts";
import { connectSigningIn, freshState } from "../helpers/mcp_sign_in.ts";
import { type OpenIdProvider, startOpenIdProvider } from "../helpers/openid_provider.ts";
import type { OpenIdProviderSettings } from "../helpers/openid_provider_process.ts";
import { startTokenIssuer, type TokenIssuer } from "../helpers/token_issuer.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

async function withIssuer(
  options: Partial<ExecutionListenerOptions>,
  body: (listener: ExecutionListener, issuer: TokenIssuer) => Promise<void>,
): Promise<void> {
  const issuer = await startTokenIssuer({ audience: "berth" });
  const listener = await startExecutionListener({
    issuer: issuer.url,
    audiences: ["berth"],
    ...options,
  });
  try {
    await body(listener, issuer);
  } finally {
    await listener.close();
    await issuer.close();
  }
}

async function initialize(mcp: URL, token?: string): Promise<Response> {
  return await fetch(mcp, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {} },
    }),
  });
}

Deno.test("protected-resource metadata names the resource and its issuer, in both forms", async () => {
  await withIssuer({}, async ({ url }, issuer) => {
    for (const path of [WELL_KNOWN, `${WELL_KNOWN}/mcp`]) {
      const response = await fetch(url + path, {
        headers: { origin: "https://app.example", "mcp-protocol-version": "2025-11-25" },
      });
      assertEquals(response.status, 200);
      assertEquals(response.headers.get("access-control-allow-origin"), "*");
      assertMatch(response.headers.get("cache-control")!, /max-age=\d+/);
      assertEquals(await response.json(), {
        resource: `${url}/mcp`,
        authorization_servers: [issuer.url],
        bearer_methods_supported: ["header"],
        scopes_supported: ["openid", "email"],
        resource_name: "Berth",
      });
      const preflight = await fetch(url + path, { method: "OPTIONS" });
      assertEquals(preflight.status, 204);
      assertStringIncludes(
        preflight.headers.get("access-control-allow-headers")!,
        "MCP-Protocol-Version",
      );
    }
    const other = await fetch(`${url}${WELL_KNOWN}/other`);
    assertEquals(other.status, 404);
    await other.body?.cancel();
  });
});

Deno.test("every 401 of the execution listener names the metadata, and an error for bad tokens only", async () => {
  await withIssuer({}, async ({ url, mcp }, issuer) => {
    const pointer = `resource_metadata="${url}${WELL_KNOWN}/mcp"`;
    const past = new Date(Date.now() - 7200_000);
    const cases: [string, string | undefined, string | null][] = [
      ["none", undefined, null],
      ["malformed", "nonsense", "invalid_token"],
      ["expired", await issuer.mint({}, { now: past }), "invalid_token"],
      ["another audience", await issuer.mint({ aud: "elsewhere" }), "invalid_token"],
      ["another resource", await issuer.mint({ aud: `${url}/other` }), "invalid_token"],
    ];
    for (const [name, token, error] of cases) {
      const response = await initialize(mcp, token);
      await response.body?.cancel();
      assertEquals(response.status, 401, name);
      const challenge = response.headers.get("www-authenticate")!;
      assertMatch(challenge, /^Bearer [a-z_]+="/);
      assertStringIncludes(challenge, pointer);
      assertStringIncludes(challenge, 'scope="openid email"');
      assertEquals(/error="([^"]*)"/.exec(challenge)?.[1] ?? null, error, name);
      assertStringIncludes(
        response.headers.get("access-control-expose-headers")!,
        "WWW-Authenticate",
      );
    }
  });
});

Deno.test("tokens for the resource and for the registry count on the execution listener", async () => {
  await withIssuer({}, async ({ url, mcp }, issuer) => {
    for (const aud of ["berth", `${url}/mcp`, ["elsewhere", `${url}/mcp`]]) {
      const response = await initialize(mcp, await issuer.mint({ aud }));
      await response.body?.cancel();
      assertEquals(response.status, 200, String(aud));
    }
  });
});

Deno.test("with optional tokens a client that has none is served, a bad token is challenged", async () => {
  await withIssuer({ authentication: "optional" }, async ({ mcp }) => {
    const without = await initialize(mcp);
    await without.body?.cancel();
    assertEquals(without.status, 200);
    const bad = await initialize(mcp, "nonsense");
    await bad.body?.cancel();
    assertStringIncludes(bad.headers.get("www-authenticate")!, "resource_metadata=");
  });
});

async function withProvider(
  settings: Partial<OpenIdProviderSettings>,
  body: (listener: ExecutionListener, provider: OpenIdProvider) => Promise<void>,
): Promise<void> {
  const provider = await startOpenIdProvider(settings);
  const listener = await startExecutionListener({
    issuer: provider.issuer,
    audiences: ["berth"],
  });
  try {
    await body(listener, provider);
  } finally {
    await listener.close();
    await provider.close();
  }
}

Deno.test("the official TypeScript client signs in at an external provider by itself", async (t) => {
  await withProvider({}, async ({ mcp, url, advanceKeySet }, provider) => {
    const state = freshState();
    await t.step("finds the issuer, registers, signs in, calls", async () => {
      const client = await connectSigningIn(mcp, state);
      const result = await client.callTool({ name: "echo", arguments: { city: "Bern" } });
      assertEquals(result.content, [{ type: "text", text: '{"city":"Bern"}' }]);
      await client.close();
      assertEquals(state.visited.length, 1);
      assertEquals(state.visited[0]!.origin, provider.issuer);
      assertEquals(state.visited[0]!.searchParams.get("resource"), `${url}/mcp`);
      assertEquals(state.visited[0]!.searchParams.get("code_challenge_method"), "S256");
    });
    await t.step("stays signed in with its token", async () => {
      const client = await connectSigningIn(mcp, state);
      assertEquals((await client.listTools()).tools.length, 1);
      await client.close();
      assertEquals(state.visited.length, 1);
    });
    await t.step("refreshes when the token does not count any more", async () => {
      const refresh = state.tokens!.refresh_token!;
      assert(refresh.length > 0);
      state.tokens = { ...state.tokens!, access_token: "gone" };
      const client = await connectSigningIn(mcp, state);
      await client.close();
      assertEquals(state.visited.length, 1);
      assert(state.tokens!.access_token !== "gone");
    });
    await t.step("goes on after the provider changed its keys", async () => {
      await provider.rotate();
      advanceKeySet(6_000);
      state.tokens = undefined;
      const client = await connectSigningIn(mcp, state);
      await client.close();
      assertEquals(state.visited.length, 2);
    });
  });
});

Deno.test("a provider that knows no resources gives tokens of its own audience, which count", async () => {
  await withProvider({ resourceAsAudience: false }, async ({ mcp }) => {
    const client = await connectSigningIn(mcp);
    assertEquals((await client.listTools()).tools.length, 1);
    await client.close();
  });
});
