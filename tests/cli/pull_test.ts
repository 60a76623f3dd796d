/** `berth pull` and `unpull`: other programs' configuration files, which must survive. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { isInCache, keptProgram } from "../../src/cli/kept_program.ts";
import { PULLED_CLIENTS } from "../../src/mcp_clients/names.ts";
import { knownClients } from "../../src/cli/mcp_clients/clients.ts";
import { editJson, readJsonServers } from "../../src/cli/mcp_clients/json_edit.ts";
import { editToml, readTomlServers } from "../../src/cli/mcp_clients/toml_edit.ts";
import { sha256Of } from "../../src/bytes.ts";
import { type Configuration, variablesOf } from "../../src/keys/variables.ts";
import { type TestCli, testCli } from "../helpers/cli.ts";
import { archiveOf } from "../helpers/code_host_archive.ts";
import { DETAIL_EXAMPLE } from "../../src/http/openapi/examples.ts";

const URL_OF_WEATHER = "http://127.0.0.1:8001/mcp?name=weather";

async function withRegistry(
  body: (cli: TestCli, archive: { bytes: Uint8Array }) => Promise<void>,
  more: Partial<typeof DETAIL_EXAMPLE> = {},
  kept: readonly string[] = [],
): Promise<void> {
  const archive = {
    bytes: await archiveOf({ "server.py": "print()", "pkg/a.py": "x = 1" }, {
      top: "acme-weather",
      commit: "a".repeat(40),
    }),
  };
  const digest = await sha256Of(archive.bytes);
  const source = { ...DETAIL_EXAMPLE.source, archive_sha256: digest, folder: "" };
  const server = { ...DETAIL_EXAMPLE, name: "weather", source, ...more };
  await using cli = await testCli((url) => {
    const path = url.replace("http://127.0.0.1:8000", "");
    if (path === "/.well-known/berth") {
      return Response.json({
        service: {
          name: "Berth",
          version: "0.1.0",
          api_url: "http://127.0.0.1:8000/api/v1",
          mcp_url: "http://127.0.0.1:8001/mcp",
          sign_in: null,
        },
      });
    }
    if (path === "/api/v1/servers/weather/archive") {
      return new Response(archive.bytes as Uint8Array<ArrayBuffer>);
    }
    if (path === "/api/v1/servers/weather/keys" && kept.length > 0) {
      const keys = kept.map((variable) => ({ variable, state: "ready" }));
      return Response.json({ status: "success", keys });
    }
    if (path === "/api/v1/servers/weather") return Response.json({ status: "success", server });
    return Response.json({ status: "error", detail: "Not found" }, { status: 404 });
  });
  await body(cli, archive);
}

async function put(path: string, text: string): Promise<void> {
  await Deno.mkdir(path.replace(/\/[^/]*$/, ""), { recursive: true });
  await Deno.writeTextFile(path, text);
}

Deno.test("berth pull adds the server to the clients that are found, and keeps what is there", async () => {
  await withRegistry(async (cli) => {
    assertEquals((await cli.run(["pull", "weather"])).code, 1);
    const cursor = `${cli.home}/.cursor/mcp.json`;
    const codex = `${cli.home}/.codex/config.toml`;
    const before = '{\n\t// mine\n\t"mcpServers": {\n\t\t"other": { "command": "x" },\n\t},\n}\n';
    await put(cursor, before);
    await Deno.chmod(cursor, 0o640);
    await put(codex, '# mine\nmodel = "m"\n\n[mcp_servers.other]\ncommand = "x" # keep\n');
    const run = await cli.run(["pull", "weather"]);
    assertEquals(run.code, 0, run.err);
    const text = await Deno.readTextFile(cursor);
    assertStringIncludes(text, "\t// mine\n");
    assertEquals(readJsonServers(text, "mcpServers"), {
      other: { command: "x" },
      weather: { url: URL_OF_WEATHER },
    });
    assertEquals((await Deno.stat(cursor)).mode! & 0o777, 0o640);
    assertEquals(await Deno.readTextFile(`${cursor}.berth-backup`), before);
    const toml = await Deno.readTextFile(codex);
    assert(toml.startsWith('# mine\nmodel = "m"\n\n[mcp_servers.other]\ncommand = "x" # keep\n'));
    assertEquals(JSON.parse(JSON.stringify(readTomlServers(toml, "mcp_servers"))), {
      other: { command: "x" },
      weather: { url: URL_OF_WEATHER },
    });
    const again = await cli.run(["install", "weather"]);
    assertEquals(again.code, 0);
    assertStringIncludes(again.err, "Cursor already has weather");

    const removed = await cli.run(["unpull", "weather", "--json"]);
    assertEquals(removed.code, 0, removed.err);
    const outcomes = removed.json.clients.map((one: { outcome: string }) => one.outcome);
    assertEquals(outcomes.filter((one: string) => one === "removed").length, 2);
    assertEquals(readJsonServers(await Deno.readTextFile(cursor), "mcpServers"), {
      other: { command: "x" },
    });
    assertStringIncludes(await Deno.readTextFile(codex), "# keep");
    assertStringIncludes((await cli.run(["unpull", "weather"])).err, "No MCP client has weather");
  });
});

Deno.test("berth pull asks which clients, and before it replaces or removes what leads elsewhere", async () => {
  await withRegistry(async (cli) => {
    await Deno.mkdir(`${cli.home}/.cursor`);
    await Deno.mkdir(`${cli.home}/.codeium/windsurf`, { recursive: true });
    const first = await cli.run(["pull", "weather"], { answers: ["2"] });
    assertEquals(first.code, 0, first.err);
    assertStringIncludes(first.err, "1 Cursor\n  2 Windsurf");
    const windsurf = `${cli.home}/.codeium/windsurf/mcp_config.json`;
    assertEquals(JSON.parse(await Deno.readTextFile(windsurf)), {
      mcpServers: { weather: { serverUrl: URL_OF_WEATHER } },
    });
    await assertRejects(() => Deno.stat(`${cli.home}/.cursor/mcp.json`));
    assertEquals((await cli.run(["pull", "weather"], { answers: ["9"] })).code, 2);

    const mine = '{"mcpServers": {"weather": {"url": "https://elsewhere.example"}}}';
    await put(windsurf, mine);
    const args = ["pull", "weather", "--client", "windsurf"];
    const silent = await cli.run(args);
    assertEquals(silent.code, 2);
    const kept = await cli.run(args, { answers: ["n"] });
    assertEquals([kept.code, await Deno.readTextFile(windsurf)], [0, mine]);
    assertEquals((await cli.run(["unpull", "weather"], { answers: ["n"] })).code, 0);
    assertEquals(await Deno.readTextFile(windsurf), mine);
    assertEquals((await cli.run([...args, "--yes"])).code, 0);
    assertStringIncludes(await Deno.readTextFile(windsurf), URL_OF_WEATHER);
    assertEquals((await cli.run(["pull", "weather", "--client", "emacs"])).code, 2);
  });
});

Deno.test("berth pull skips a file that it cannot read or change safely, and continues with others", async () => {
  await withRegistry(async (cli) => {
    const cursor = `${cli.home}/.cursor/mcp.json`;
    const codex = `${cli.home}/.codex/config.toml`;
    const vscode = `${cli.home}/.config/Code/User/mcp.json`;
    await put(cursor, '{"mcpServers": ');
    await put(codex, 'mcp_servers = { weather = { url = "x" } }\n');
    const run = await cli.run([
      ...["pull", "weather", "--yes", "-c", "cursor", "-c", "codex,vscode"],
    ]);
    assertEquals(run.code, 1, run.err);
    assertEquals(await Deno.readTextFile(cursor), '{"mcpServers": ');
    assertEquals(await Deno.readTextFile(codex), 'mcp_servers = { weather = { url = "x" } }\n');
    assertEquals(JSON.parse(await Deno.readTextFile(vscode)), {
      servers: { weather: { type: "http", url: URL_OF_WEATHER } },
    });
  });
});

Deno.test("berth pull writes through links, and gives clients that start their servers a bridge", async () => {
  await withRegistry(async (cli) => {
    await put(`${cli.home}/dotfiles/claude.json`, "{}");
    await Deno.mkdir(`${cli.home}/.config/Claude`, { recursive: true });
    const link = `${cli.home}/.config/Claude/claude_desktop_config.json`;
    await Deno.symlink(`${cli.home}/dotfiles/claude.json`, link);
    assertEquals((await cli.run(["pull", "weather"])).code, 0);
    assert((await Deno.lstat(link)).isSymlink);
    const { mcpServers } = JSON.parse(await Deno.readTextFile(`${cli.home}/dotfiles/claude.json`));
    const { command, args } = mcpServers.weather;
    assertEquals(command, Deno.execPath());
    assertEquals(args.slice(-4), ["connect", "weather", "--registry", "http://127.0.0.1:8000"]);
    // The command that was written works.
    const run = await new Deno.Command(command, { args: [...args.slice(0, -4), "version"] })
      .output();
    assertEquals(run.code, 0, new TextDecoder().decode(run.stderr));
    assertEquals((await cli.run(["unpull", "weather"])).code, 0);
    assertEquals(JSON.parse(await Deno.readTextFile(link)), { mcpServers: {} });
  });
});

Deno.test("berth pull --print only shows, for every client or those that are named", async () => {
  await withRegistry(async (cli) => {
    const all = await cli.run(["pull", "weather", "--print", "--json"]);
    assertEquals(all.json.clients.length, PULLED_CLIENTS.length);
    assertEquals(all.json.url, URL_OF_WEATHER);
    const one = await cli.run(["pull", "weather", "--print", "-c", "codex"]);
    assertStringIncludes(one.out, `[mcp_servers.weather]\nurl = "${URL_OF_WEATHER}"\n`);
    const unknown = await cli.run(["pull", "wether", "--print"]);
    assertEquals([unknown.code, unknown.out], [1, ""]);
    const entries = await Array.fromAsync(Deno.readDir(cli.home));
    assertEquals(entries, []);
  });
});

/** What `pull` does with a server that is `change` from an ordinary one, at a registry with `rules`. */
async function pullOf(change: Record<string, unknown>, rules: unknown, args: string[] = []) {
  const server = { ...DETAIL_EXAMPLE, name: "weather", ...change };
  await using cli = await testCli((url) =>
    url.endsWith("/.well-known/berth")
      ? Response.json({
        service: {
          name: "Berth",
          version: "0.1.0",
          api_url: "http://127.0.0.1:8000/api/v1",
          mcp_url: "http://127.0.0.1:8001/mcp",
          sign_in: null,
          ...(rules === null ? {} : { execution: rules }),
        },
      })
      : Response.json({ status: "success", server })
  );
  const run = await cli.run(["pull", "weather", "-c", "cursor", ...args]);
  const written = await Deno.stat(`${cli.home}/.cursor/mcp.json`).then(() => true, () => false);
  return { code: run.code, out: run.out, err: run.err, written };
}

Deno.test("berth pull of a server that would not run fails and writes nothing", async () => {
  const report = DETAIL_EXAMPLE.security_report;
  const failed = { security_report: { ...report, status: "failed" } };
  const unfinished = { security_report: { ...report, status: "error" } };
  const classy = {
    security_report: { ...report, compatibility: { restricted: false, refused: [] } },
  };
  const cases: [change: Record<string, unknown>, rules: unknown, code: number][] = [
    [failed, null, 6],
    [failed, { policy: "unless-failed", profile: "full" }, 6],
    [failed, { policy: "passed", profile: "full" }, 6],
    [failed, { policy: "any", profile: "full" }, 0],
    [failed, { policy: "of the future" }, 6],
    [unfinished, { policy: "unless-failed", profile: "full" }, 0],
    [unfinished, { policy: "passed", profile: "full" }, 6],
    [{ lang: "go" }, { policy: "any", profile: "full" }, 1],
    [classy, { policy: "any", profile: "restricted" }, 1],
    [classy, { policy: "any", profile: "full" }, 0],
    [{}, { policy: "passed", profile: "restricted" }, 0],
  ];
  for (const [change, rules, code] of cases) {
    const run = await pullOf(change, rules);
    const what = JSON.stringify([Object.keys(change), rules]);
    assertEquals([run.code, run.written], [code, code === 0], `${what}: ${run.err}`);
    const shown = await pullOf(change, rules, ["--print"]);
    assertEquals([shown.code, shown.out === ""], [code, code !== 0], what);
  }
  const json = await pullOf(failed, null, ["--json"]);
  const { status, detail } = JSON.parse(json.err.trim().split("\n").at(-1)!);
  assertEquals(status, "error");
  assertStringIncludes(detail, "security scan failed");
});

Deno.test("berth pull writes what Gemini CLI and Zed read, and asks before it replaces", async () => {
  await withRegistry(async (cli) => {
    const gemini = `${cli.home}/.gemini/settings.json`;
    const zed = `${cli.home}/.config/zed/settings.json`;
    await Deno.mkdir(`${cli.home}/.gemini`);
    await put(
      zed,
      '// Zed settings\n{\n  "theme": "One Dark", // mine\n  "context_servers": {\n  },\n}\n',
    );
    const run = await cli.run(["pull", "weather"]);
    assertEquals(run.code, 0, run.err);
    assertEquals(JSON.parse(await Deno.readTextFile(gemini)), {
      mcpServers: { weather: { httpUrl: URL_OF_WEATHER } },
    });
    const text = await Deno.readTextFile(zed);
    assertStringIncludes(text, "// mine");
    assertEquals(readJsonServers(text, "context_servers"), { weather: { url: URL_OF_WEATHER } });
    assertStringIncludes(
      await Deno.readTextFile(`${zed}.berth-backup`),
      '"context_servers": {\n  }',
    );
    assertEquals((await cli.run(["unpull", "weather"])).code, 0);
    assertEquals(readJsonServers(await Deno.readTextFile(zed), "context_servers"), {});
    const other = '{"mcpServers": {"weather": {"httpUrl": "https://elsewhere.example"}}}';
    await put(gemini, other);
    assertEquals((await cli.run(["pull", "weather", "-c", "gemini"])).code, 2);
    assertEquals(await Deno.readTextFile(gemini), other);
    assertEquals((await cli.run(["pull", "weather", "-c", "gemini"], { answers: ["y"] })).code, 0);
    assertStringIncludes(await Deno.readTextFile(gemini), URL_OF_WEATHER);
  });
});

Deno.test("keptProgram() keeps a program that a package runner may delete", async () => {
  await withRegistry(async (cli) => {
    const context = { env: (name: string) => name === "HOME" ? cli.home : undefined, os: "linux" };
    const cache = `${cli.home}/.npm/_npx/0123/node_modules/deno`;
    await put(`${cache}/deno`, "#!/bin/sh\necho kept\n");
    await Deno.chmod(`${cache}/deno`, 0o755);
    const path = await keptProgram(context as never, `${cache}/deno`);
    assert(path.startsWith(`${cli.home}/.local/share/berth/bin/`), path);
    await Deno.remove(cache, { recursive: true });
    const run = await new Deno.Command(path).output();
    assertEquals(new TextDecoder().decode(run.stdout), "kept\n");
    await put(`${cache}/deno`, "#!/bin/sh\necho newer than it was\n");
    assertEquals(await keptProgram(context as never, `${cache}/deno`), path);
    assertStringIncludes(await Deno.readTextFile(path), "newer");
  });
  for (
    const path of [
      "/home/a/.npm/_npx/1f/node_modules/deno/deno",
      "/home/a/.cache/pnpm/dlx-1/node_modules/deno/deno",
      "/Users/a/Library/Caches/pnpm/dlx/1/deno",
      "/tmp/bunx-0-deno@latest/node_modules/deno/deno",
      "/tmp/xfs-1/dlx-2/deno",
      "C:\\Users\\a\\AppData\\Local\\npm-cache\\_npx\\1\\deno.exe",
    ]
  ) {
    assert(isInCache(path), path);
  }
  for (const path of ["/usr/bin/deno", "/home/a/.deno/bin/deno", "/opt/node_modules/deno/deno"]) {
    assert(!isInCache(path), path);
  }
});

Deno.test("berth pull --source writes what was scanned, and nothing else", async () => {
  await withRegistry(async (cli, archive) => {
    const run = await cli.run(["pull", "weather", "--source", "src"]);
    assertEquals(run.code, 0, run.err);
    assertEquals(await Deno.readTextFile(`${cli.home}/src/pkg/a.py`), "x = 1");
    assertEquals((await cli.run(["pull", "weather", "--source", "src"])).code, 2);
    assertEquals((await cli.run(["pull", "weather", "--source", "src", "--yes"])).code, 0);
    archive.bytes = await archiveOf({ "server.py": "evil()" }, {
      top: "acme-weather",
      commit: "b".repeat(40),
    });
    const other = await cli.run(["pull", "weather", "--source", "other"]);
    assertEquals(other.code, 1);
    assertStringIncludes(other.err, "not the one that was scanned");
    await assertRejects(() => Deno.stat(`${cli.home}/other`));
  });
});

Deno.test("editToml() changes one table, or refuses", () => {
  const entry = { url: "https://x" };
  const change = (text: string, next: Record<string, unknown> | null = entry) =>
    editToml(text, "mcp_servers", { name: "weather", entry: next });
  assertEquals(change(""), '[mcp_servers.weather]\nurl = "https://x"\n');
  const both =
    '[mcp_servers."weather"]\nurl = "old"\n[mcp_servers.weather.env]\nA = "1"\n\n[z]\na = 1\n';
  assertEquals(change(both, null), "[z]\na = 1\n");
  assertEquals(
    change(both),
    '[z]\na = 1\n\n[mcp_servers.weather]\nurl = "https://x"\n',
  );
  const text = '[a]\nb = """\n[mcp_servers.weather]\n"""\n';
  for (const hard of ["mcp_servers.weather.url = 1\n", text, "[[mcp_servers]]\n"]) {
    try {
      change(hard);
    } catch (error) {
      assertStringIncludes(String(error), "safely");
      continue;
    }
    throw new Error(`It changed ${hard}`);
  }
});

Deno.test("editJson() keeps line ends, indentation and comments", () => {
  const text = '{\r\n    // c\r\n    "a": 1\r\n}\r\n';
  const added = editJson(text, "servers", { name: "w", entry: { url: "u" } });
  assert(added.startsWith('{\r\n    // c\r\n    "a": 1,\r\n    "servers": {\r\n        "w"'));
  assert(!/[^\r]\n/.test(added));
  assertEquals(readJsonServers(added, "servers"), { w: { url: "u" } });
});

Deno.test("knownClients() follows each system's conventions", () => {
  const at = (os: "linux" | "darwin" | "windows", env: Record<string, string>) =>
    knownClients({ os, env: (name: string) => env[name] } as never)
      .find(({ name }) => name === "claude")!.path.replaceAll("\\", "/");
  assertEquals(at("linux", { HOME: "/h" }), "/h/.config/Claude/claude_desktop_config.json");
  assertEquals(
    at("darwin", { HOME: "/h" }),
    "/h/Library/Application Support/Claude/claude_desktop_config.json",
  );
  assertEquals(
    at("windows", { USERPROFILE: "/h", APPDATA: "/h/R" }),
    "/h/R/Claude/claude_desktop_config.json",
  );
});

const DECLARED: Configuration = [
  { name: "API_KEY", required: true, description: "From the account page" },
  { name: "REGION" },
];

Deno.test("berth pull asks for what a server needs and writes each client's form of it", async () => {
  await withRegistry(async (cli) => {
    const files = {
      code: `${cli.home}/.config/Code/User/mcp.json`,
      claude: `${cli.home}/.config/Claude/claude_desktop_config.json`,
      cursor: `${cli.home}/.cursor/mcp.json`,
      codex: `${cli.home}/.codex/config.toml`,
    };
    const names = ["vscode", "claude", "cursor", "codex"];
    const pull = ["pull", "weather", "--client", names.join(",")];
    const pulled = await cli.run(pull, { answers: ["s3cr3t-value"] });
    assertEquals(pulled.code, 0, pulled.err);
    assertStringIncludes(pulled.err, "API_KEY (From the account page): ");
    assert(!pulled.err.includes("s3cr3t"));
    const read = async (path: string) => JSON.parse(await Deno.readTextFile(path));
    const code = await read(files.code);
    assertEquals(code.servers.weather.headers, {
      "Mcp-Server-Env-API-KEY": "${input:berth-weather-API_KEY}",
    });
    assertEquals(code.inputs, [{
      type: "promptString",
      id: "berth-weather-API_KEY",
      description: "From the account page",
      password: true,
    }]);
    assertEquals((await read(files.claude)).mcpServers.weather.env, { API_KEY: "s3cr3t-value" });
    const header = { "Mcp-Server-Env-API-KEY": "s3cr3t-value" };
    assertEquals((await read(files.cursor)).mcpServers.weather.headers, header);
    const codex = readTomlServers(await Deno.readTextFile(files.codex), "mcp_servers");
    assertEquals({ ...(codex["weather"] as { http_headers: typeof header }).http_headers }, header);

    // Without an answer, what was entered stays; nothing that is shown has it.
    const again = await cli.run(pull, { answers: ["", "y", "y", "y", "y"] });
    assertEquals(again.code, 0, again.err);
    assertEquals((await read(files.cursor)).mcpServers.weather.headers, header);
    assert(!(again.err + again.out).includes("s3cr3t"));
    assertEquals((await cli.run(["unpull", "weather", "-y"])).code, 0);
    assertEquals(await read(files.code), { servers: {} });
  }, { configuration: DECLARED, variables: variablesOf(DECLARED, []) });
});

const CONNECT = ["connect", "weather", "--registry", "http://127.0.0.1:8000"];

async function entriesOf(cli: TestCli): Promise<Record<string, Record<string, unknown>>> {
  const read = async (path: string) => JSON.parse(await Deno.readTextFile(`${cli.home}/${path}`));
  const codex = await Deno.readTextFile(`${cli.home}/.codex/config.toml`);
  return {
    vscode: (await read(".config/Code/User/mcp.json")).servers.weather,
    "claude-code": (await read(".claude.json")).mcpServers.weather,
    cursor: (await read(".cursor/mcp.json")).mcpServers.weather,
    windsurf: (await read(".codeium/windsurf/mcp_config.json")).mcpServers.weather,
    codex: readTomlServers(codex, "mcp_servers")["weather"] as Record<string, unknown>,
    gemini: (await read(".gemini/settings.json")).mcpServers.weather,
    zed: (await read(".config/zed/settings.json")).context_servers.weather,
  };
}

Deno.test("berth pull has every client sign in as the user for whom values are kept", async () => {
  const declared = { configuration: DECLARED, variables: variablesOf(DECLARED, []) };
  await withRegistry(
    async (cli) => {
      const run = await cli.run(["pull", "weather", "--client", PULLED_CLIENTS.join(",")]);
      assertEquals(run.code, 0, run.err);
      for (const [client, entry] of Object.entries(await entriesOf(cli))) {
        assert(typeof entry["command"] === "string", client);
        assertEquals((entry["args"] as string[]).slice(-4), CONNECT, client);
        assertEquals([entry["url"], entry["headers"], entry["env"]], Array(3).fill(undefined));
      }
      const removed = await cli.run(["unpull", "weather"]);
      assertEquals(removed.code, 0, removed.err);
    },
    declared,
    ["API_KEY"],
  );
});

Deno.test("berth pull has clients sign in where the user leaves a value empty", async () => {
  const declared = { configuration: DECLARED, variables: variablesOf(DECLARED, []) };
  await withRegistry(async (cli) => {
    const pull = ["pull", "weather", "--client", "cursor"];
    const empty = await cli.run(pull, { answers: [""] });
    assertEquals(empty.code, 0, empty.err);
    assertStringIncludes(empty.err, "berth keys set weather");
    const cursor = async () =>
      JSON.parse(await Deno.readTextFile(`${cli.home}/.cursor/mcp.json`)).mcpServers.weather;
    assertEquals((await cursor()).args.slice(-4), CONNECT);
    const given = await cli.run(pull, { answers: ["s3cr3t-value", "y"] });
    assertEquals(given.code, 0, given.err);
    assertEquals(await cursor(), {
      url: URL_OF_WEATHER,
      headers: { "Mcp-Server-Env-API-KEY": "s3cr3t-value" },
    });
    // What is there is enough for a script.
    assertEquals((await cli.run([...pull, "--yes"])).code, 0);
  }, declared);
});

Deno.test("berth pull fails where it cannot ask for a required value, and writes nothing", async () => {
  const declared = { configuration: DECLARED, variables: variablesOf(DECLARED, []) };
  await withRegistry(async (cli) => {
    const run = await cli.run(["pull", "weather", "--client", "cursor,vscode", "--yes"]);
    assertEquals(run.code, 1);
    assertStringIncludes(run.err, "weather needs values for API_KEY");
    assertStringIncludes(run.err, "berth keys set weather API_KEY");
    await assertRejects(() => Deno.stat(`${cli.home}/.cursor/mcp.json`));
    // VS Code asks by itself.
    assertEquals((await cli.run(["pull", "weather", "--client", "vscode", "--yes"])).code, 0);
  }, declared);
});
