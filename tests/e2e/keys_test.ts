/**
 * A key from its declaration to the service that it is for: the pages in Chromium, the API, and the
 * official client through `berth connect`, against a whole Berth.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { startChromium } from "../helpers/chromium.ts";
import { patient } from "../helpers/clients.ts";
import { type FullSite, startFullSite } from "../web/full_site.ts";
import { personAt, signIn, signUp } from "../web/harness.ts";
import { EMAIL, look, signInHere } from "../web/walk.ts";

const KEPT = "ghp_keptKeptKEPT0123456789abcdef";
const GIVEN = "ghp_givenGivenGIVEN0123456789xyz";

/** Sees keys, and shows them again. */
function startService() {
  const seen: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const key = request.headers.get("x-key") ?? "none";
    seen.push(key);
    return new Response(`hello ${key}`);
  });
  return { server, seen, host: `127.0.0.1:${server.addr.port}` };
}

/** Calls the tool with the official client, by the program that desktop clients start. */
async function callByProgram(
  site: FullSite,
  env: Record<string, string>,
  address: string,
): Promise<string> {
  const program = new URL("../../src/cli/main.ts", import.meta.url).pathname;
  const args = ["run", "-A", "--no-check", program, "connect", "keyed", "--registry", site.url];
  const transport = new StdioClientTransport({
    command: Deno.execPath(),
    args,
    env: { PATH: Deno.env.get("PATH") ?? "", HOME: Deno.env.get("HOME") ?? "", ...env },
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

Deno.test("a key goes to the service that it is for, and nowhere else", async (t) => {
  const service = startService();
  const site = await startFullSite({
    INTERPRETER_PROFILE: "full",
    EXECUTION_POLICY: "any",
    EGRESS_ALLOW: service.host,
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
    const api = async (method: string, path: string, body: unknown, status: number) => {
      const response = await fetch(`${site.url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      assertEquals(response.status, status, text);
      return JSON.parse(text);
    };
    await api("POST", "/servers", {
      name: "keyed",
      version: "1.0.0",
      description: "Needs a key",
      lang: "python",
      license: "MIT",
      entrypoint: "server.py",
      repository: { url: "https://github.com/examples/keyed" },
      configuration: [{ name: "API_KEY", required: true, description: "Any key" }],
    }, 201);
    const ada = await browser.open(site.url);
    await signInHere(ada.page, site.url);

    await t.step("its author declares where it may be sent, on the page", async () => {
      const { page } = ada;
      await page.goto(`${site.url}/servers/keyed/manage`);
      await look(ada, "variables of a server");
      const form = page.getByRole("group", { name: "API_KEY" });
      await form.getByLabel("Hosts").fill("not a host");
      await page.getByRole("button", { name: "Save variables" }).click();
      await page.getByText("must be a host such as").waitFor();
      await look(ada, "variables, refused");
      await form.getByLabel("Hosts").fill(service.host);
      await page.getByRole("button", { name: "Save variables" }).click();
      await page.waitForURL("**/manage#variables");
      const { server } = await api("PUT", "/servers/keyed", {}, 200);
      assertEquals(server.variables[0].delivery, "placeholder");
    });

    await t.step(
      "a session without it is told what is missing, and where to enter it",
      async () => {
        const { page } = ada;
        await page.goto(`${site.url}/servers/keyed/try`);
        await look(ada, "try, with a field for the key");
        await page.getByRole("button", { name: "Start session" }).click();
        await page.getByText("API_KEY is not set (Any key)").waitFor();
        await page.getByLabel("API_KEY").fill(GIVEN);
        await page.getByRole("button", { name: "Try again" }).click();
        await page.getByLabel("address").fill(address);
        await page.getByRole("button", { name: "Run" }).click();
        await page.getByRole("heading", { name: "Result" }).waitFor();
        const result = await page.getByLabel("Result 1").textContent();
        assert(result!.startsWith("hello ghp_") && !result!.includes(GIVEN), result!);
        assertEquals(service.seen.splice(0), [GIVEN]);
        await page.getByRole("button", { name: "End session" }).click();
      },
    );

    await t.step("a user keeps it once", async () => {
      const { page } = ada;
      await page.goto(`${site.url}/servers/keyed/keys`);
      await look(ada, "keys of a server, none kept");
      await page.getByLabel("API_KEY").fill(KEPT);
      await page.getByRole("button", { name: "Keep" }).click();
      await page.getByRole("cell", { name: "never", exact: true }).waitFor();
      await look(ada, "keys of a server");
      assert(!(await page.content()).includes(KEPT));
      await page.goto(`${site.url}/servers/keyed/try`);
      await page.getByText("Kept for your sessions: leave it empty to use that").waitFor();
      await page.goto(`${site.url}/profile/keys`);
      await look(ada, "keys of a user");
      await page.goto(`${site.url}/servers/keyed/install`);
      await page.getByText("Mcp-Server-Env-API-KEY").first().waitFor();
      await look(ada, "install, with headers");
    });

    await t.step("the official client gets it without sending anything", async () => {
      const answer = await callByProgram(site, { BERTH_TOKEN: token }, address);
      assert(answer.startsWith("hello ghp_") && !answer.includes(KEPT), answer);
      assertEquals(service.seen.splice(0), [KEPT]);
    });

    await t.step(
      "what the client's env block gives comes first, also without a sign-in",
      async () => {
        await callByProgram(site, { BERTH_TOKEN: token, API_KEY: GIVEN }, address);
        await callByProgram(site, { API_KEY: GIVEN, HOME: "/nonexistent" }, address);
        assertEquals(service.seen.splice(0), [GIVEN, GIVEN]);
      },
    );

    await t.step(
      "a host that it is not for gets a placeholder, and the owner sees it",
      async () => {
        const { server } = await api("PUT", "/servers/keyed", {}, 200);
        const configuration = [{ ...server.configuration[0], hosts: ["api.example.com"] }];
        await api("PUT", "/servers/keyed", { configuration }, 200);
        await callByProgram(site, { API_KEY: GIVEN }, address);
        const [got] = service.seen.splice(0);
        assert(got!.startsWith("ghp_") && got !== GIVEN);
        const told = async () => {
          const { entries } = await api(
            "GET",
            "/servers/keyed/audit?action=keys.refuse",
            undefined,
            200,
          );
          return JSON.stringify(entries);
        };
        for (let round = 0; round < 100 && await told() === "[]"; round++) {
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        assertStringIncludes(await told(), '"variable":"API_KEY"');
      },
    );

    const written = JSON.stringify(site.lines) + site.terminal.join("\n");
    assert(!written.includes(KEPT) && !written.includes(GIVEN));
    assertEquals(ada.problems, []);
  } finally {
    await browser[Symbol.asyncDispose]();
    await site.close();
    await service.server.shutdown();
  }
});
