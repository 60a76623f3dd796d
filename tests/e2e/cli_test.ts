/**
 * The `berth` command line as its users have it: processes and pseudo-terminals, against a Berth in
 * a process of its own, and stdio clients that start `berth connect`. The walk is that of README.md.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { fileURLToPath } from "node:url";
import { commandLine } from "../../src/cli/command_line.ts";
import { startBerthProcess } from "../helpers/berth_process.ts";
import {
  denoFolder,
  type ProcessOptions,
  runBerth,
  runInTerminal,
  typeBerth,
} from "../helpers/cli_process.ts";
import { patient, textOf } from "../helpers/clients.ts";
import { preparedDataDir } from "../helpers/data_dir.ts";
import { mcpTools, toolVariable } from "../helpers/mcp_tools.ts";
import { startWorld } from "../helpers/world.ts";

const EXAMPLE = fileURLToPath(new URL("../fixtures/servers/text-tools", import.meta.url));
/** A Python that has the official client; without it that client is not tried. */
const PYTHON = toolVariable("TEST_MCP_PYTHON");
/** MCP Inspector among them; without them it is not tried. */
const TOOLS = mcpTools();

/** Addresses in README.md, which are those of the demo. */
const DEMO = {
  registry: "http://127.0.0.1:8000",
  worker: "http://127.0.0.1:8001",
  tokens: "http://127.0.0.1:8014",
};

/** The commands of README.md's walk, with what they printed on a terminal. */
async function recordedWalk(): Promise<{ command: string; output: string }[]> {
  const readme = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
  const [, recorded] = /```console\n([^]*?)```/.exec(readme)!;
  return recorded!.split(/^\$ /m).slice(1).map((part) => {
    const end = part.indexOf("\n");
    return { command: part.slice(0, end), output: part.slice(end + 1) };
  });
}

/** What stays the same from run to run: no times, no numbers of findings, nothing that was wiped. */
function comparable(screen: string): string {
  return screen.replaceAll("\r\n", "\n")
    // deno-lint-ignore no-control-regex
    .replace(/[^\n]*\r\x1b\[K/g, "")
    .replace(/ *\d+\.\d s/g, " 0.0 s")
    .replace(/\d+ findings?/g, "0 findings")
    .trim();
}

const PYTHON_CLIENT = `
import asyncio, json, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

async def main():
    parameters = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    async with stdio_client(parameters) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            tools = await session.list_tools()
            result = await session.call_tool("slugify", {"title": "From Python"})
            print(json.dumps([[tool.name for tool in tools.tools], result.content[0].text]))

asyncio.run(main())
`;

/** As much of curl as the walk needs: not every machine has it. */
const CURL = `#!/bin/sh
exec python3 -c 'import sys, urllib.request
print(urllib.request.urlopen(sys.argv[-1]).read().decode())' "$@"
`;

/** Registers the example as README.md does with curl, before the walk. */
async function registerExample(registryUrl: string, tokensUrl: string): Promise<void> {
  const readme = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
  const [, body] = /\/api\/v1\/servers \\\n[^]*?-d '(\{[^]*?\n\s*\})'/.exec(readme)!;
  const token = await (await fetch(`${tokensUrl}/token?user=ada`)).text();
  const answer = await fetch(`${registryUrl}/api/v1/servers`, {
    method: "POST",
    headers: { authorization: `Bearer ${token.trim()}`, "content-type": "application/json" },
    body: body!,
  });
  assertEquals(answer.status, 201, await answer.text());
}

async function copyExample(to: string): Promise<void> {
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(EXAMPLE)) {
    await Deno.copyFile(`${EXAMPLE}/${name}`, `${to}/${name}`);
  }
}

Deno.test("berth goes from init to call, on terminals and for stdio clients", async (t) => {
  const world = await startWorld();
  const dataDir = await preparedDataDir();
  const home = await Deno.makeTempDir({ prefix: "berth-test-" });
  const berth = await startBerthProcess({
    dataDir,
    environment: world.environment,
  });
  const options: ProcessOptions = {
    home,
    env: {
      BERTH_REGISTRY: berth.registryUrl,
      OSV_API_URL: world.environment["OSV_API_URL"]!,
    },
  };
  const run = (args: string[], more: Partial<ProcessOptions> = {}) =>
    runBerth(args, { ...options, ...more });
  const type = (args: string[], steps: [string, string][]) => typeBerth(args, steps, options);
  const bridge = commandLine();
  bridge.args.push("connect", "text-tools", "--registry", berth.registryUrl);
  try {
    await t.step("goes the way from init to call that README.md has recorded", async () => {
      await registerExample(berth.registryUrl, world.tokensUrl);
      await copyExample(`${home}/text-tools`);
      assertEquals((await run(["self-install"])).code, 0);
      await Deno.writeTextFile(`${home}/.local/bin/curl`, CURL, { mode: 0o755 });
      for (const { command, output } of await recordedWalk()) {
        const real = command.replace(DEMO.tokens, world.tokensUrl);
        const seen = await runInTerminal(["bash", "-c", real], [], {
          home,
          cwd: `${home}/text-tools`,
          env: {
            ...options.env,
            PATH: `${home}/.local/bin:${Deno.env.get("PATH")}`,
            NO_COLOR: "1",
          },
        });
        const screen = seen.screen.replaceAll(home, "/home/ada")
          .replaceAll(berth.registryUrl, DEMO.registry).replaceAll(berth.workerUrl, DEMO.worker);
        assertEquals(comparable(screen), comparable(output), command);
        assertEquals(seen.code, 0, command);
      }
      const validated = await run(["validate", "text-tools"]);
      assertEquals(validated.code, 0, validated.err);
    });

    await t.step("shows tables and colours on a terminal, lines when piped", async () => {
      const seen = await type(["list"], []);
      assertStringIncludes(seen.screen, "NAME");
      assertStringIncludes(seen.screen, "\x1b[32mpassed");
      const piped = await run(["list"]);
      assertMatch(piped.out, /^text-tools\t0\.1\.0\tpython\t3\t/);
      assertEquals(piped.err, "");
    });

    await t.step("calls tools", async () => {
      const tools = await run(["tools", "text-tools"]);
      assertEquals(tools.code, 0, tools.err);
      assertEquals(tools.out.split("\n").length, 4);
      const called = await run(["call", "text-tools", "slugify", "--arg", "title=Hello, World!"]);
      assertEquals([called.code, called.out], [0, "hello-world\n"], called.err);
      const failed = await run(["call", "text-tools", "slugify", "-a", "title=!"]);
      assertEquals(failed.code, 5);
      assertStringIncludes(failed.err, "no letters or digits");
    });

    await t.step("a shell completes, calls and ends", async () => {
      const shell = await type(["shell", "text-tools"], [
        ["> ", "slug\t"],
        ["slugify ", "ti\t"],
        ["title=", '"Two Words"\r'],
        ["two-words", "exit\r"],
      ]);
      assertEquals(shell.code, 0, shell.screen);
      const history = await Deno.readTextFile(`${home}/.local/state/berth/shell_history`);
      assertEquals(history, 'slugify title="Two Words"\n');
    });

    await t.step("asks before it removes, and is interrupted by Ctrl-C", async () => {
      const kept = await type(["delete", "text-tools"], [["[y/N] ", "n\r"]]);
      assertEquals(kept.code, 1, kept.screen);
      const interrupted = await type(["delete", "text-tools"], [["[y/N] ", "\x03"]]);
      assert(interrupted.code !== 0, interrupted.screen);
      assertEquals((await run(["show", "text-tools"])).code, 0);
    });

    await t.step("connect serves the official TypeScript client", async () => {
      const client = patient(new Client({ name: "stdio", version: "1.0.0" }));
      const transport = new StdioClientTransport({
        command: bridge.program,
        args: bridge.args,
        env: { HOME: home, DENO_DIR: denoFolder() },
        stderr: "inherit",
      });
      await client.connect(transport as unknown as Parameters<Client["connect"]>[0]);
      const { tools } = await client.listTools();
      assertEquals(tools.map(({ name }: { name: string }) => name), [
        ...["word_count", "slugify", "repeat"],
      ]);
      const result = await client.callTool({ name: "slugify", arguments: { title: "From stdio" } });
      assertEquals(textOf(result), "from-stdio");
      await client.close();
    });

    if (PYTHON !== undefined) {
      await t.step("connect serves the official Python client", async () => {
        const client = await new Deno.Command(PYTHON, {
          args: ["-c", PYTHON_CLIENT, bridge.program, ...bridge.args],
          cwd: home,
        }).output();
        const text = new TextDecoder().decode(client.stdout);
        assertEquals(client.code, 0, new TextDecoder().decode(client.stderr));
        assertEquals(JSON.parse(text), [["word_count", "slugify", "repeat"], "from-python"]);
      });
    }

    if (TOOLS !== undefined) {
      await t.step("connect serves MCP Inspector", async () => {
        const inspector = await new Deno.Command(TOOLS.node, {
          args: [
            TOOLS.inspector,
            ...["--cli", `${home}/.local/bin/berth`, "connect", "text-tools"],
            ...["-e", `BERTH_REGISTRY=${berth.registryUrl}`],
            ...["--method", "tools/call", "--tool-name", "slugify"],
            ...["--tool-arg", "title=From Inspector"],
          ],
          cwd: home,
        }).output();
        const text = new TextDecoder().decode(inspector.stdout);
        assertEquals(inspector.code, 0, new TextDecoder().decode(inspector.stderr));
        assertStringIncludes(text, "from-inspector");
      });
    }

    await t.step("pull writes the address that clients use", async () => {
      const pulled = await run(["pull", "text-tools", "--client", "cursor"]);
      assertEquals(pulled.code, 0, pulled.err);
      const { mcpServers } = JSON.parse(await Deno.readTextFile(`${home}/.cursor/mcp.json`));
      assertEquals(mcpServers["text-tools"].url, `${berth.workerUrl}/mcp?name=text-tools`);
      const source = await run(["pull", "text-tools", "--source", "source"]);
      assertEquals(source.code, 0, source.err);
      assertEquals(
        await Deno.readTextFile(`${home}/source/server.py`),
        await Deno.readTextFile(`${EXAMPLE}/server.py`),
      );
    });

    await t.step("says so when the registry is gone", async () => {
      await berth.stop();
      const run4 = await run(["list"]);
      assertEquals(run4.code, 4);
      assertStringIncludes(run4.err, "cannot be reached");
    });
  } finally {
    await berth.stop("SIGKILL");
    await world.close();
    await Deno.remove(dataDir, { recursive: true });
    await Deno.remove(home, { recursive: true });
  }
});
