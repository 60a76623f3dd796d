/**
 * A newcomer's registry without any identity provider: an account at the embedded issuer, a server
 * published with its token, and MCP clients that sign in by themselves to call it.
 *
 * The Python client runs too when `TEST_MCP_PYTHON` names a Python that has the package `mcp` 1.29.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { decodeJwt } from "jose";
import { type BerthProcess, startBerthProcess } from "../helpers/berth_process.ts";
import { type Browser, createBrowser, formsOf, type Page } from "../helpers/browser.ts";
import { registryClient, textOf } from "../helpers/clients.ts";
import { startCodeHostSignIn } from "../helpers/code_host_sign_in.ts";
import { preparedDataDir } from "../helpers/data_dir.ts";
import { connectSigningIn, freshState, REDIRECT } from "../helpers/mcp_sign_in.ts";
import { startWorld, TEXT_TOOLS } from "../helpers/world.ts";

const EMAIL = "ada@example.com";
const PASSWORD = "correct horse battery";
const PYTHON = Deno.env.get("TEST_MCP_PYTHON");

async function read(page: Page): Promise<{ url: URL; html: string }> {
  const html = await page.response.text();
  assert(page.response.status < 400, `${page.url} ${html}`);
  return { url: page.url, html };
}

/** The link that the operator's terminal shows. */
async function linkOf(berth: BerthProcess): Promise<string> {
  for (let attempt = 0; attempt < 6000; attempt++) {
    const link = /http:\S+\/oidc\/verify\?token=\S+/.exec(berth.log());
    if (link !== null) return link[0];
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No link:\n${berth.log()}`);
}

async function signUp(berth: BerthProcess): Promise<void> {
  const browser = createBrowser();
  const ask = await read(await browser.open(`${berth.registryUrl}/oidc/sign-up`));
  await read(await browser.submit(ask, { email: EMAIL }));
  const choose = await read(await browser.open(await linkOf(berth)));
  await read(await browser.submit(choose, { password: PASSWORD, repeated: PASSWORD }));
}

/** Signs in and allows access, as a person would. */
async function person(browser: Browser, authorization: URL): Promise<URL> {
  let page = await browser.open(authorization, {}, REDIRECT);
  while (!page.url.href.startsWith(REDIRECT)) {
    const form = await read(page);
    const fields = form.html.includes('name="password"')
      ? { email: EMAIL, password: PASSWORD }
      : {};
    page = await browser.submit(form, fields, { stopAt: REDIRECT });
  }
  return page.url;
}

/** Signs in through the code host and allows access. */
async function personOfCodeHost(browser: Browser, authorization: URL): Promise<URL> {
  const signIn = await read(await browser.open(authorization, {}, REDIRECT));
  const index = formsOf(signIn).findIndex(({ action }) => action.pathname.endsWith("/github.com"));
  const leaving = await browser.submit(signIn, {}, { index });
  await leaving.response.body?.cancel();
  const target = leaving.response.headers.get("refresh")!.replace("0; url=", "");
  const consent = await read(await browser.open(target, {}, REDIRECT));
  return (await browser.submit(consent, {}, { stopAt: REDIRECT })).url;
}

/** A token for the API, by the device flow as the command line does it. */
async function deviceToken(berth: BerthProcess): Promise<string> {
  const post = (path: string, fields: Record<string, string>) =>
    fetch(`${berth.registryUrl}/oidc${path}`, {
      method: "POST",
      body: new URLSearchParams({ client_id: "berth-cli", ...fields }),
    });
  const device = await (await post("/device/auth", { scope: "openid email berth" })).json();
  const browser = createBrowser();
  let page = await browser.open(device.verification_uri_complete);
  for (;;) {
    const form = await read(page);
    if (!form.html.includes("<form")) break;
    const fields: Record<string, string> = form.html.includes('name="password"')
      ? { email: EMAIL, password: PASSWORD }
      : form.html.includes('id="user_code"')
      ? { user_code: device.user_code }
      : {};
    page = await browser.submit(form, fields);
  }
  const answer = await post("/token", {
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    device_code: device.device_code,
  });
  const tokens = await answer.json();
  assertEquals(answer.status, 200, JSON.stringify(tokens));
  return tokens.access_token;
}

Deno.test("MCP clients sign in by themselves at a Berth without identity provider", async (t) => {
  const world = await startWorld();
  const host = startCodeHostSignIn();
  const dataDir = await preparedDataDir();
  const { OIDC_ISSUER: _issuer, OIDC_AUDIENCE: _audience, ...environment } = world.environment;
  const berth = await startBerthProcess({
    dataDir,
    environment: {
      ...environment,
      EXECUTION_AUTH: "required",
      WARM_SESSIONS: "1",
      UPSTREAM_PROVIDERS: JSON.stringify([{
        name: "github.com",
        issuer: "github",
        client_id: host.clientId,
        client_secret: host.clientSecret,
        url: host.url,
        api_url: host.apiUrl,
      }]),
    },
  });
  const mcp = new URL(`${berth.workerUrl}/mcp?name=text-tools`);
  try {
    await t.step("sign up, sign in, publish", async () => {
      await signUp(berth);
      const token = await deviceToken(berth);
      const call = registryClient(berth.apiUrl, () => Promise.reject(new Error("unused")));
      const created = await call("POST", "/servers", {
        token,
        body: TEXT_TOOLS,
      });
      assertEquals(created.status, 201, JSON.stringify(created.body));
      assertEquals(created.body.server.author, "ada");
    });
    await t.step("the TypeScript client", async () => {
      const state = freshState();
      const client = await connectSigningIn(mcp, state, person);
      const result = await client.callTool({
        name: "word_count",
        arguments: { text: "two words" },
      });
      assertStringIncludes(textOf(result), "2");
      await client.close();
      const me = await fetch(`${berth.apiUrl}/auth/me`, {
        headers: { authorization: `Bearer ${state.tokens!.access_token}` },
      });
      await me.body?.cancel();
      assertEquals(me.status, 401);
    });
    await t.step("the TypeScript client, through the code host", async () => {
      const state = freshState();
      const client = await connectSigningIn(mcp, state, personOfCodeHost);
      assertEquals((await client.listTools()).tools.length, 3);
      await client.close();
      const claims = decodeJwt(state.tokens!.access_token);
      assertEquals(claims["firebase"], {
        identities: { "github.com": ["583231"], email: ["octo@example.com"] },
        sign_in_provider: "github.com",
      });
    });
    await t.step({
      name: "the Python client",
      ignore: PYTHON === undefined,
      async fn() {
        const script = new URL("../helpers/mcp_sign_in.py", import.meta.url).pathname;
        const { stdout, stderr, success } = await new Deno.Command(PYTHON!, {
          args: [script, mcp.href, EMAIL, PASSWORD],
        }).output();
        assert(success, new TextDecoder().decode(stderr));
        const seen = JSON.parse(new TextDecoder().decode(stdout));
        assertEquals(seen.aud, `${berth.workerUrl}/mcp`);
        assert(seen.tools.includes("word_count"));
        assertEquals(seen.refresh, true);
      },
    });
    for (const secret of [PASSWORD, host.clientSecret, "gho_"]) {
      assert(!berth.log().includes(secret));
    }
  } finally {
    await berth.stop();
    await host.close();
    await world.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
