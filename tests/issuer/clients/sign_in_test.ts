/** MCP clients that register or publish themselves, from a 401 to a tool's answer. */
import { now } from "../../../src/clock.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { decodeJwt } from "jose";
import { clientExtension } from "../../../src/issuer/clients/extension.ts";
import type { FetchedDocument } from "../../../src/issuer/clients/fetch_document.ts";
import { createAttempts } from "../../../src/limits/attempts.ts";
import { type Browser, createBrowser, type Send } from "../../helpers/browser.ts";
import { openTestDatabase } from "../../helpers/database.ts";
import {
  type ExecutionListener,
  startExecutionListener,
} from "../../helpers/execution_listener.ts";
import { connectSigningIn, freshState, REDIRECT } from "../../helpers/mcp_sign_in.ts";
import { type Node, ORIGIN, PASSWORD, signUp, startNode } from "../harness.ts";

const ISSUER = `${ORIGIN}/oidc`;
const DOCUMENT_ID = "https://client.example/oauth/metadata.json";
const JSON_TYPE = { "content-type": "application/json" };

interface Bench {
  node: Node;
  listener: ExecutionListener;
  /** Reaches the issuer in memory and everything else by the network. */
  send: Send;
  fetch: typeof fetch;
  /** What client ids that are addresses lead to. */
  documents: Record<string, FetchedDocument>;
  register(metadata: unknown, headers?: Record<string, string>): Promise<Response>;
}

async function withBench(body: (bench: Bench) => Promise<void>): Promise<void> {
  const database = await openTestDatabase();
  const documents: Bench["documents"] = {};
  const holder: { node?: Node } = {};
  const listener = await startExecutionListener({
    issuer: ISSUER,
    audiences: ["berth"],
    findKey: (...header) => holder.node!.issuer.findKey(...header),
  });
  const node = await startNode({
    database,
    overrides: {
      workerUrl: listener.url,
      extensions: clientExtension({
        sql: database.sql,
        now,
        attempts: createAttempts(database.sql),
        issuer: ISSUER,
        fetchDocument: (url) =>
          Promise.resolve(documents[url] ?? { kind: "failed", fault: "There is no such client" }),
      }),
    },
  });
  holder.node = node;
  async function send(url: URL, init: RequestInit): Promise<Response> {
    if (url.origin === ORIGIN) return await node.send(url.href, init);
    return await fetch(url, { ...init, redirect: "manual" });
  }
  try {
    await body({
      node,
      listener,
      documents,
      send,
      fetch: (input, init) => send(new URL(String(input)), init ?? {}),
      register: (metadata, headers = JSON_TYPE) =>
        node.send(`${ISSUER}/register`, {
          method: "POST",
          headers,
          body: typeof metadata === "string" ? metadata : JSON.stringify(metadata),
        }),
    });
  } finally {
    await node.close();
    await listener.close();
    await database.close();
  }
}

/** Signs in and allows access as a person would; gives the consent page's text to `look`. */
function person(email: string, look: (html: string) => void = () => {}) {
  return async (browser: Browser, authorization: URL): Promise<URL> => {
    let page = await browser.open(authorization, { headers: { accept: "text/html" } }, REDIRECT);
    for (let step = 0; step < 3 && !page.url.href.startsWith(REDIRECT); step++) {
      const html = await page.response.text();
      if (page.response.status >= 400) throw new Error(html);
      const isSignIn = html.includes('name="password"');
      if (!isSignIn) look(html);
      page = await browser.submit(
        { url: page.url, html },
        isSignIn ? { email, password: PASSWORD } : {},
        { stopAt: REDIRECT },
      );
    }
    return page.url;
  };
}

Deno.test("the issuer's metadata offers both ways, in every form of their address", async () => {
  await withBench(async ({ node }) => {
    for (
      const path of [
        "/.well-known/oauth-authorization-server/oidc",
        "/.well-known/openid-configuration/oidc",
        "/oidc/.well-known/openid-configuration",
      ]
    ) {
      const response = await node.send(ORIGIN + path);
      assertEquals(response.status, 200, path);
      assertEquals(response.headers.get("access-control-allow-origin"), "*");
      const metadata = await response.json();
      assertEquals(metadata.issuer, ISSUER);
      assertEquals(metadata.registration_endpoint, `${ISSUER}/register`);
      assertEquals(metadata.client_id_metadata_document_supported, true);
      assertEquals(metadata.code_challenge_methods_supported, ["S256"]);
      assert(metadata.token_endpoint_auth_methods_supported.includes("none"));
      assertEquals(metadata.authorization_response_iss_parameter_supported, true);
    }
  });
});

Deno.test("the official TypeScript client registers, signs in and calls, and no more than that", async (t) => {
  await withBench(async ({ node, listener, send, fetch }) => {
    const email = await signUp(node);
    const state = freshState();
    const options = { fetch, browser: createBrowser(send) };
    await t.step("from 401 to an answer", async () => {
      let asked = "";
      const visit = person(email, (html) => asked = html);
      const client = await connectSigningIn(listener.mcp, state, visit, options);
      const result = await client.callTool({ name: "echo", arguments: { city: "Bern" } });
      assertEquals(result.content, [{ type: "text", text: '{"city":"Bern"}' }]);
      await client.close();
      assertStringIncludes(asked, "A test&#39;s client");
      assertStringIncludes(asked, new URL(REDIRECT).host);
      assertStringIncludes(asked, "run servers as you, but not publish or change them");
      assertEquals(state.visited[0]!.searchParams.get("resource"), `${listener.url}/mcp`);
      assertEquals(state.returned[0]!.searchParams.get("iss"), ISSUER);
    });
    await t.step("with a token for this resource only", async () => {
      const token = state.tokens!.access_token;
      const claims = decodeJwt(token);
      assertEquals(claims.aud, `${listener.url}/mcp`);
      assertEquals(claims.exp! - claims.iat!, 3600);
      assertEquals((await node.me(token)).status, 401);
    });
    await t.step("and refreshes it", async () => {
      state.tokens = { ...state.tokens!, access_token: "gone" };
      const client = await connectSigningIn(listener.mcp, state, person(email), options);
      await client.close();
      assertEquals(state.visited.length, 1);
      assertEquals(decodeJwt(state.tokens!.access_token).aud, `${listener.url}/mcp`);
      // By it the registry tells others' clients from its own.
      assertEquals(typeof decodeJwt(state.tokens!.access_token)["client_id"], "string");
    });
  });
});

Deno.test("the official TypeScript client signs in with the address of its document as id", async () => {
  await withBench(async ({ node, listener, send, fetch, documents }) => {
    const email = await signUp(node);
    documents[DOCUMENT_ID] = {
      kind: "fetched",
      cacheSeconds: 600,
      document: {
        client_id: DOCUMENT_ID,
        client_name: "Published",
        // Any port on loopback (RFC 8252, 7.3).
        redirect_uris: ["http://127.0.0.1/callback"],
        grant_types: ["authorization_code", "refresh_token"],
      },
    };
    const state = freshState();
    let asked = "";
    const client = await connectSigningIn(
      listener.mcp,
      state,
      person(email, (html) => asked = html),
      { fetch, browser: createBrowser(send), clientMetadataUrl: DOCUMENT_ID },
    );
    assertEquals((await client.listTools()).tools.length, 1);
    await client.close();
    assertEquals(state.client?.client_id, DOCUMENT_ID);
    assertStringIncludes(asked, "Published");
    assertStringIncludes(asked, DOCUMENT_ID);
    const [count] = await node.database.sql<{ n: number }[]>`
      select count(*)::int as n from issuer_clients`;
    assertEquals(count!.n, 0);
  });
});

Deno.test("a client's document that cannot be used ends on a page, never at a redirect", async (t) => {
  await withBench(async ({ node, documents }) => {
    const cases: [string, FetchedDocument | null][] = [
      ["gone", null],
      ["of another id", {
        kind: "fetched",
        cacheSeconds: 0,
        document: { client_id: "https://client.example/other", redirect_uris: [REDIRECT] },
      }],
      ["without this redirect", {
        kind: "fetched",
        cacheSeconds: 0,
        document: { client_id: "", redirect_uris: ["https://client.example/cb"] },
      }],
    ];
    for (const [index, [name, document]] of cases.entries()) {
      await t.step(name, async () => {
        const id = `${DOCUMENT_ID}?${index}`;
        if (document?.kind === "fetched") {
          const told = document.document as Record<string, unknown>;
          documents[id] = {
            ...document,
            document: { ...told, client_id: told["client_id"] || id },
          };
        }
        const url = new URL(`${ISSUER}/auth`);
        url.search = new URLSearchParams({
          response_type: "code",
          client_id: id,
          redirect_uri: REDIRECT,
          scope: "openid",
          code_challenge: "x".repeat(43),
          code_challenge_method: "S256",
        }).toString();
        const response = await node.send(url.href, { headers: { accept: "text/html" } });
        assertEquals(response.status, 400);
        assertEquals(response.headers.get("location"), null);
        await response.body?.cancel();
      });
    }
  });
});

Deno.test("a resource that is not this registry's is refused", async () => {
  await withBench(async ({ node, listener, register }) => {
    const { client_id } = await (await register({ redirect_uris: [REDIRECT] })).json();
    for (
      const [resource, isOwn] of [
        [`${listener.url}/mcp`, true],
        [`${listener.url}/mcp?name=weather`, true],
        [`${ORIGIN}/api/v1`, true],
        [`${listener.url}/mcpx`, false],
        [`${listener.url}.evil.example/mcp`, false],
        ["https://evil.example/mcp", false],
        [`${listener.url}/mcp#x`, false],
        ["nonsense", false],
      ] as const
    ) {
      const url = new URL(`${ISSUER}/auth`);
      url.search = new URLSearchParams({
        response_type: "code",
        client_id,
        redirect_uri: REDIRECT,
        scope: "openid",
        state: "s",
        code_challenge: "x".repeat(43),
        code_challenge_method: "S256",
        resource,
      }).toString();
      const response = await node.send(url.href);
      const location = new URL(response.headers.get("location")!, ORIGIN);
      assertEquals(response.status, 303, resource);
      assertEquals(location.origin === ORIGIN, isOwn, `${resource} ${location}`);
      if (!isOwn) assertEquals(location.searchParams.get("error"), "invalid_target", resource);
    }
  });
});

Deno.test("registration answers what it registered, and refuses the rest in its own words", async (t) => {
  await withBench(async ({ register, node }) => {
    const response = await register({
      client_name: "Editor",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "client_secret_post",
      grant_types: ["authorization_code", "refresh_token"],
    });
    assertEquals(response.status, 201);
    assertEquals(response.headers.get("cache-control"), "no-store");
    const client = await response.json();
    assertEquals(client.client_name, "Editor");
    assertEquals(client.redirect_uris, [REDIRECT]);
    assertEquals(client.token_endpoint_auth_method, "none");
    assertEquals(client.client_secret, undefined);
    assert(Math.abs(client.client_id_issued_at - Date.now() / 1000) < 60);

    const bad: [string, unknown, string, Record<string, string>?][] = [
      ["no JSON", "{", "invalid_client_metadata"],
      ["a list", "[]", "invalid_client_metadata"],
      ["a form", "redirect_uris=x", "invalid_client_metadata", {
        "content-type": "application/x-www-form-urlencoded",
      }],
      ["too long", JSON.stringify({ x: "x".repeat(17_000) }), "invalid_client_metadata"],
      ["a scheme", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    ];
    for (const [name, metadata, error, headers] of bad) {
      await t.step(name, async () => {
        const refused = await register(metadata, headers);
        assertEquals(refused.status, 400);
        const body = await refused.json();
        assertEquals(body.error, error);
        assert(body.error_description.length > 0);
      });
    }
    const get = await node.send(`${ISSUER}/register`);
    assert(get.status >= 400);
    await get.body?.cancel();
  });
});

Deno.test("registration is bounded for a network", async () => {
  await withBench(async ({ register }) => {
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const response = await register({ redirect_uris: [REDIRECT] });
        await response.body?.cancel();
        return response.status;
      }),
    );
    assertEquals(statuses.filter((status) => status === 201).length, 30);
    const refused = await register({ redirect_uris: [REDIRECT] });
    assertEquals(refused.status, 429);
    assert(Number(refused.headers.get("retry-after")) > 0);
    await refused.body?.cancel();
  });
});

Deno.test("without the person's consent a client gets no code", async () => {
  await withBench(async ({ node, listener, send, fetch }) => {
    const email = await signUp(node);
    const refuse = async (browser: Browser, authorization: URL): Promise<URL> => {
      const signIn = await browser.open(authorization, {}, REDIRECT);
      const html = await signIn.response.text();
      const consent = await browser.submit({ url: signIn.url, html }, {
        email,
        password: PASSWORD,
      }, { stopAt: REDIRECT });
      const text = await consent.response.text();
      const back = await browser.submit({ url: consent.url, html: text }, {}, {
        index: 1,
        stopAt: REDIRECT,
      });
      return back.url;
    };
    const state = freshState();
    await assertRejects(() =>
      connectSigningIn(listener.mcp, state, refuse, { fetch, browser: createBrowser(send) })
    );
    assertEquals(state.returned[0]!.searchParams.get("error"), "access_denied");
    assertEquals(state.tokens, undefined);
  });
});

Deno.test("documents are fetched a bounded number of times for a network, not for all", async () => {
  const database = await openTestDatabase();
  const asked: string[] = [];
  const extensions = clientExtension({
    sql: database.sql,
    now,
    attempts: createAttempts(database.sql),
    issuer: ISSUER,
    fetchDocument(url) {
      asked.push(url);
      return Promise.resolve({ kind: "failed", fault: "There is no such client" });
    },
  });
  const near = await startNode({ database, overrides: { extensions }, client: "192.0.2.1" });
  const far = await startNode({ database, overrides: { extensions }, client: "2001:db8::1" });
  async function begin(node: Node, number: number): Promise<string> {
    const query = new URLSearchParams({ client_id: `${DOCUMENT_ID}?${number}` });
    const response = await node.send(`${ISSUER}/auth?${query}`);
    assertEquals(response.status, 400);
    return await response.text();
  }
  try {
    for (let number = 0; number < 30; number++) {
      assertStringIncludes(await begin(near, number), "There is no such client");
    }
    assertStringIncludes(await begin(near, 30), "Too many client lookups");
    assertEquals(asked.length, 30);
    // What is known needs no fetch.
    assertStringIncludes(await begin(near, 29), "There is no such client");
    assertStringIncludes(await begin(far, 31), "There is no such client");
    assertEquals(asked.length, 31);
  } finally {
    await near.close();
    await far.close();
    await database.close();
  }
});
