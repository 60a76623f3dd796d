/**
 * A sign-in at another service, from its declaration to a request that carries the token: the pages in
 * Chromium, another Berth's issuer as the service, and the official client through `berth connect`.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { startChromium } from "../helpers/chromium.ts";
import { patient } from "../helpers/clients.ts";
import { type FullSite, startFullSite } from "../web/full_site.ts";
import { PASSWORD, personAt, signIn, signUp, startSite } from "../web/harness.ts";
import { EMAIL, look, signInHere } from "../web/walk.ts";

const ACCOUNT = "ada@notes.example";

/** Sees tokens, and shows them again. */
function startService() {
  const seen: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const key = request.headers.get("x-key") ?? "none";
    seen.push(key);
    return new Response(`hello ${key}`);
  });
  return { server, seen, host: `127.0.0.1:${server.addr.port}` };
}

/** The issuer of another Berth, under a name of its own: cookies do not tell ports apart. */
async function startIssuer() {
  const site = await startSite({
    environmentOf: (url) => ({ REGISTRY_URL: url.replace("127.0.0.1", "localhost") }),
  });
  const url = site.url.replace("127.0.0.1", "localhost");
  await signUp({ ...site, url }, ACCOUNT);
  return { site, issuer: `${url}/oidc`, host: new URL(url).host };
}

/** Calls the tool as a desktop client does. */
async function call(site: FullSite, token: string, address: string): Promise<string> {
  const program = new URL("../../src/cli/main.ts", import.meta.url).pathname;
  const transport = new StdioClientTransport({
    command: Deno.execPath(),
    args: ["run", "-A", "--no-check", program, "connect", "keyed", "--registry", site.url],
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: Deno.env.get("HOME") ?? "",
      BERTH_TOKEN: token,
      BROWSER: "true",
    },
    stderr: "ignore",
  });
  const client = patient(new Client({ name: "test", version: "1.0.0" }));
  await client.connect(transport as Transport);
  try {
    const result = await client.callTool({ name: "ask", arguments: { address } });
    return (result.content as { text: string }[])[0]!.text;
  } finally {
    await client.close();
  }
}

Deno.test("a user signs in at another service once, and sessions get its token unseen", async (t) => {
  const service = startService();
  const { site: other, issuer, host } = await startIssuer();
  const site = await startFullSite({
    INTERPRETER_PROFILE: "full",
    EXECUTION_POLICY: "any",
    EGRESS_ALLOW: `${service.host},${host}`,
    SECRETS_KEY: new Uint8Array(32).fill(7).toBase64(),
  });
  const address = `http://${service.host}/`;
  const browser = await startChromium();
  try {
    await signUp(site, EMAIL);
    const person = personAt(site);
    await signIn(person, EMAIL);
    const made = await person.send(await person.load("/profile/tokens"), "/profile/tokens", {
      name: "test",
      expires_in: "3600",
    });
    const token = /id="token"[^>]*><code>([^<]+)</.exec(made.html)![1]!;
    const created = await fetch(`${site.url}/api/v1/servers`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({
        name: "keyed",
        version: "1.0.0",
        description: "Works with notes",
        lang: "python",
        license: "MIT",
        entrypoint: "server.py",
        repository: { url: "https://github.com/examples/keyed" },
        configuration: [{ name: "API_KEY", required: true, hosts: [service.host] }],
      }),
    });
    assertEquals(created.status, 201, await created.text());
    const ada = await browser.open(site.url);
    const { page } = ada;
    await signInHere(page, site.url);

    await t.step("its author declares the service, on the page", async () => {
      await page.goto(`${site.url}/servers/keyed/manage`);
      const form = page.getByRole("group", { name: "API_KEY" });
      await form.getByText("Users sign in at another service for it").click();
      await form.getByLabel("Name of the service").fill("Notes");
      await form.getByLabel("Issuer").fill("http://notes.example");
      await page.getByRole("button", { name: "Save variables" }).click();
      await page.getByText("must be an https URL").waitFor();
      await form.getByLabel("Issuer").fill(issuer);
      await form.getByLabel("Scopes").fill("openid offline_access");
      await page.getByRole("button", { name: "Save variables" }).click();
      await page.waitForURL("**/manage#variables");
      await page.getByText("/connections/return/").waitFor();
      await look(ada, "variables of a server, with a service");
    });

    await t.step("a session without a connection names the page", async () => {
      const failed = await call(site, token, address).then(() => "", String);
      assertStringIncludes(failed, "API_KEY is not connected to Notes");
      assertStringIncludes(failed, `${site.url}/servers/keyed/keys/API_KEY/connect`);
    });

    await t.step("a user agrees, signs in there, and comes back connected", async () => {
      await page.goto(`${site.url}/servers/keyed/keys`);
      await look(ada, "keys of a server, with a service");
      await page.getByRole("link", { name: "Connect to Notes" }).click();
      await page.getByRole("heading", { name: "Connect API_KEY to Notes" }).waitFor();
      await look(ada, "agreeing to a connection");
      await page.getByRole("button", { name: `Agree and go to ${host}` }).click();
      await page.getByLabel("E-mail address").fill(ACCOUNT);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("button", { name: "Allow" }).click();
      await page.waitForURL(`${site.url}/servers/keyed/keys`);
      const elsewhere = ada.problems.splice(0);
      assert(elsewhere.every((one) => one.startsWith(`asks elsewhere: http://${host}/`)));
      await page.getByRole("cell", { name: "connected", exact: true }).waitFor();
      await look(ada, "keys of a server, connected");
      await page.goto(`${site.url}/profile/keys`);
      await page.getByText("connected to").waitFor();
      await look(ada, "keys of a user, connected");
    });

    await t.step("the service gets the token, and the code a placeholder", async () => {
      const answer = await call(site, token, address);
      const [sent] = service.seen.splice(0);
      assert(sent!.startsWith("eyJ"), sent);
      assert(answer.startsWith("hello ") && !answer.includes(sent!), answer);
      assert(!JSON.stringify(site.lines).includes(sent!));
    });

    await t.step("who disconnects is not connected any more", async () => {
      await page.goto(`${site.url}/servers/keyed/keys`);
      await page.getByRole("button", { name: "Disconnect Notes" }).click();
      await page.getByRole("cell", { name: "not connected", exact: true }).waitFor();
      const failed = await call(site, token, address).then(() => "", String);
      assertStringIncludes(failed, "API_KEY is not connected to Notes");
      assertEquals(service.seen, []);
    });

    assertEquals(ada.problems, []);
  } finally {
    await browser[Symbol.asyncDispose]();
    await site.close();
    await other.close();
    await service.server.shutdown();
  }
});
