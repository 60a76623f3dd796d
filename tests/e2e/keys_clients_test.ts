/**
 * Keys with clients that others made: `berth` with `--env` and `--env-file`, the Inspector and the
 * official SDKs through `berth connect` with an `env` block, and the configuration files that
 * `berth pull` writes, started as VS Code and Claude Desktop start them.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parse as parseJsonc } from "jsonc-parser";
import { commandLine } from "../../src/cli/command_line.ts";
import { denoFolder, runBerth } from "../helpers/cli_process.ts";
import { patient } from "../helpers/clients.ts";
import { mcpTools, toolVariable } from "../helpers/mcp_tools.ts";
import { startFullSite } from "../web/full_site.ts";
import { personAt, signIn, signUp } from "../web/harness.ts";
import { EMAIL } from "../web/walk.ts";

const TOOLS = mcpTools();
const PYTHON = toolVariable("TEST_MCP_PYTHON");
const VALUE = "ghp_givenGivenGIVEN0123456789xyz";

/** Sees keys. */
function startService() {
  const seen: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    seen.push(request.headers.get("x-key") ?? "none");
    return new Response("hello");
  });
  return { server, seen, host: `127.0.0.1:${server.addr.port}` };
}

/** How a client starts a server: its entry in a configuration file. */
interface Started {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

/** What clients made with the official SDKs give programs beside the block, and where Deno's cache is. */
function clientEnvironment(home: string, block: Record<string, string> = {}) {
  return { HOME: home, PATH: Deno.env.get("PATH") ?? "", DENO_DIR: denoFolder(), ...block };
}

async function ask(transport: Transport, address: string): Promise<string> {
  const client = patient(new Client({ name: "test", version: "1.0.0" }));
  await client.connect(transport);
  try {
    const result = await client.callTool({ name: "ask", arguments: { address } });
    return (result.content as { text: string }[])[0]!.text;
  } finally {
    await client.close();
  }
}

function stdio({ command, args, env }: Started, home: string): Transport {
  return new StdioClientTransport({
    command,
    args,
    env: clientEnvironment(home, env),
    stderr: "ignore",
  }) as Transport;
}

/** `value` with the answers to a client's questions in it. */
function answered<T>(value: T, answers: Record<string, string>): T {
  const text = JSON.stringify(value).replace(
    /\$\{input:([^}]+)\}/g,
    (_, id: string) => answers[id] ?? "",
  );
  return JSON.parse(text);
}

async function output(program: string, args: string[], env: Record<string, string>) {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, env }).output();
  const decoder = new TextDecoder();
  assert(success, decoder.decode(stderr) + decoder.decode(stdout));
  return decoder.decode(stdout);
}

Deno.test("a key reaches its service through every client, and is dropped where it is removed", async (t) => {
  const service = startService();
  const site = await startFullSite({
    INTERPRETER_PROFILE: "full",
    EXECUTION_POLICY: "any",
    EGRESS_ALLOW: service.host,
    SECRETS_KEY: new Uint8Array(32).fill(7).toBase64(),
  });
  const home = await Deno.makeTempDir({ prefix: "berth-test-" });
  const address = `http://${service.host}/`;
  const { program, args } = commandLine();
  const connect: Started = {
    command: program,
    args: [...args, "connect", "keyed", "--registry", site.url],
  };
  const sent = (text: string) => {
    assertEquals([text, service.seen.splice(0)], ["hello", [VALUE]]);
  };
  try {
    await signUp(site, EMAIL);
    const person = personAt(site);
    await signIn(person, EMAIL);
    const made = await person.send(await person.load("/profile/tokens"), "/profile/tokens", {
      name: "test",
      expires_in: "3600",
    });
    const token = /id="token"[^>]*><code>([^<]+)</.exec(made.html)![1]!;
    const api = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${site.url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      assert(response.ok, text);
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
      configuration: [{ name: "API_KEY", required: true, hosts: [service.host] }],
    });
    const berth = async (words: string[], more: { env?: Record<string, string>; stdin?: string }) =>
      await runBerth([...words, "--registry", site.url], { home, ...more });

    await t.step("berth call, tools and shell take it from --env and --env-file", async () => {
      const file = `${home}/keys.env`;
      await Deno.writeTextFile(file, `# mine\nexport API_KEY="${VALUE}"\n`);
      const call = ["call", "keyed", "ask", "-a", `address=${address}`];
      for (
        const [options, env] of [
          [["--env", `API_KEY=${VALUE}`], {}],
          [["--env", "API_KEY"], { API_KEY: VALUE }],
          [["--env-file", file], {}],
          [["--env-file", file, "--env", `API_KEY=${VALUE}`], {}],
        ] as [string[], Record<string, string>][]
      ) {
        const run = await berth([...call, ...options], { env });
        assertEquals(run.code, 0, run.err);
        sent(run.out.trim());
        assert(!run.err.includes(VALUE), run.err);
      }
      const tools = await berth(["tools", "keyed", "--env-file", file], {});
      assertStringIncludes(tools.out, "ask");
      const shell = await berth(["shell", "keyed", "--env-file", file], {
        stdin: `ask address=${address}\n`,
      });
      assertEquals(shell.code, 0, shell.err);
      sent(shell.out.trim());
      const without = await berth(call, { env: { API_KEY: VALUE } });
      assertStringIncludes(without.err, "API_KEY is not set");
      assertEquals([without.code === 0, service.seen.length], [false, 0]);
    });

    await t.step({
      name: "the Inspector gives it in an env block",
      ignore: TOOLS === undefined,
      async fn() {
        const env = clientEnvironment(home, { API_KEY: VALUE });
        const path = `${home}/inspector.json`;
        await Deno.writeTextFile(
          path,
          JSON.stringify({ mcpServers: { keyed: { ...connect, env } } }),
        );
        const text = await output(TOOLS!.node, [
          ...[
            TOOLS!.inspector,
            "--cli",
            "--connect-timeout",
            "600000",
            "--config",
            path,
            "--server",
            "keyed",
          ],
          ...["--method", "tools/call", "--tool-name", "ask", "--tool-arg", `address=${address}`],
        ], { HOME: home });
        sent(JSON.parse(text).content[0].text);
      },
    });

    await t.step("the official TypeScript SDK gives it in an env block", async () => {
      sent(await ask(stdio({ ...connect, env: { API_KEY: VALUE } }, home), address));
    });

    await t.step({
      name: "the official Python SDK gives it in an env block",
      ignore: PYTHON === undefined,
      async fn() {
        const helper = new URL("../helpers/stdio_client.py", import.meta.url).pathname;
        const text = await output(PYTHON!, [
          helper,
          JSON.stringify([connect.command, ...connect.args]),
          JSON.stringify(clientEnvironment(home, { API_KEY: VALUE })),
          "ask",
          JSON.stringify({ address }),
        ], {});
        sent(JSON.parse(text).text);
      },
    });

    await t.step("Claude Desktop starts what berth pull writes", async () => {
      const path = `${home}/.config/Claude/claude_desktop_config.json`;
      await Deno.mkdir(`${home}/.config/Claude`, { recursive: true });
      await Deno.writeTextFile(
        path,
        JSON.stringify({
          globalShortcut: "",
          mcpServers: { keyed: { ...connect, env: { API_KEY: VALUE } } },
        }),
      );
      // What was entered before stays.
      const pulled = await berth(["pull", "keyed", "--client", "claude", "--yes"], {});
      assertEquals(pulled.code, 0, pulled.err);
      const written = JSON.parse(await Deno.readTextFile(path));
      assertEquals(written.globalShortcut, "");
      assertEquals(written.mcpServers.keyed.env, { API_KEY: VALUE });
      sent(await ask(stdio(written.mcpServers.keyed, home), address));
    });

    await t.step("VS Code asks what berth pull has it ask, and sends the answer", async () => {
      const pulled = await berth(["pull", "keyed", "--client", "vscode", "--yes"], {});
      assertEquals(pulled.code, 0, pulled.err);
      const path = `${home}/.config/Code/User/mcp.json`;
      const { servers, inputs } = parseJsonc(await Deno.readTextFile(path));
      assertEquals(inputs.map(({ type, password }: Record<string, unknown>) => [type, password]), [
        ["promptString", true],
      ]);
      const { url, headers } = answered(servers.keyed, { [inputs[0].id]: VALUE });
      const transport = new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers },
      });
      sent(await ask(transport as Transport, address));
    });

    await t.step("a live session loses a kept value with berth keys rm", async () => {
      await api("PUT", "/servers/keyed/keys/API_KEY", { value: VALUE });
      const client = patient(new Client({ name: "test", version: "1.0.0" }));
      await client.connect(stdio({ ...connect, env: { BERTH_TOKEN: token } }, home));
      const once = async () => {
        const result = await client.callTool({ name: "ask", arguments: { address } });
        return (result.content as { text: string }[])[0]!.text;
      };
      try {
        sent(await once());
        const removed = await berth(["keys", "rm", "keyed", "API_KEY"], {
          env: { BERTH_TOKEN: token },
        });
        assertEquals(removed.code, 0, removed.err);
        // The node hears of it as soon as it is through.
        let answer = await once();
        for (let round = 0; round < 50 && answer === "hello"; round++) answer = await once();
        assertStringIncludes(answer, "The value of API_KEY was removed or replaced");
      } finally {
        await client.close();
      }
    });

    await t.step("an account is taken along and deleted by berth", async () => {
      const sent = await berth(["account", "export"], { env: { BERTH_TOKEN: token } });
      assertEquals(JSON.parse(sent.out).servers.map(({ name }: { name: string }) => name), [
        "keyed",
      ]);
      const refused = await berth(["account", "delete", "--confirm", "ada"], {
        env: { BERTH_TOKEN: token },
      });
      assertStringIncludes(refused.err, "An API token cannot delete the account");
      const wrong = await berth(["account", "delete", "--confirm", "eve"], {
        env: { BERTH_TOKEN: token },
      });
      assertStringIncludes(wrong.err, "That is not the username");
    });

    await t.step("and on the page, where its name is typed", async () => {
      const page = await person.load("/profile/delete");
      assertStringIncludes(page.html, "keyed");
      const wrong = await person.send(page, "/profile/delete", { username: "eve" });
      assertStringIncludes(wrong.html, "Type your username to delete your account");
      const data = await person.load("/profile/export");
      assertEquals(JSON.parse(data.html).user.username, "ada");
      const gone = await person.send(page, "/profile/delete", { username: "ada" });
      assertStringIncludes(gone.html, "Your account is deleted");
      const answer = await fetch(`${site.url}/api/v1/servers/keyed`);
      await answer.body?.cancel();
      assertEquals(answer.status, 404);
      const refused = await fetch(`${site.url}/api/v1/auth/me`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await refused.body?.cancel();
      assertEquals(refused.status, 401);
    });

    const written = JSON.stringify(site.lines) + site.terminal.join("\n");
    assert(!written.includes(VALUE));
  } finally {
    await site.close();
    await service.server.shutdown();
    await Deno.remove(home, { recursive: true });
  }
});
