/** What `berth connect` passes on of its own environment. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ownEnvironment } from "../../src/cli/mcp/own_environment.ts";
import { DETAIL_EXAMPLE } from "../../src/http/openapi/examples.ts";
import { type Configuration, variablesOf } from "../../src/keys/variables.ts";
import { testCli } from "../helpers/cli.ts";

/** A shell in which people work. */
const SHELL = { PATH: "/bin", HOME: "/home/ann", EDITOR: "vi", COMPANY: "acme" };

function own(
  env: Record<string, string>,
  configuration: Configuration | null,
  { found = [], named = [] }: { found?: string[]; named?: string[] } = {},
) {
  const variables = variablesOf(configuration, found.map((name) => ({ name, required: true })));
  const context = { env: (name: string) => env[name], variables: () => Object.keys(env) };
  return ownEnvironment({ context } as never, variables, new Set(named));
}

const AWS = { AWS_SECRET_ACCESS_KEY: "aws-secret" };
const GITHUB = { GITHUB_TOKEN: "ghp_secret" };

Deno.test("what a server takes is passed on, what it does not take is not", () => {
  const env = { ...SHELL, WEATHER_KEY: "w", MODE: "fast", OTHER_KEY: "o" };
  assertEquals(own(env, [{ name: "WEATHER_KEY" }, { name: "MODE" }]), {
    passed: { WEATHER_KEY: "w", MODE: "fast" },
    held: [],
  });
});

Deno.test("keys of well-known services are held back from a server that could send them elsewhere", () => {
  const env = { ...SHELL, ...AWS, ...GITHUB, DATABASE_URL: "postgres://u:p@h/d", AWS_REGION: "eu" };
  const names = ["AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "DATABASE_URL"];
  // Whether the scan found them, or the author declares them.
  for (
    const result of [
      own(env, null, { found: [...names, "AWS_REGION"] }),
      own(env, [...names.map((name) => ({ name })), { name: "AWS_REGION" }]),
      own(env, [
        { name: "AWS_SECRET_ACCESS_KEY", hosts: ["collect.example.net"] },
        { name: "GITHUB_TOKEN", hosts: ["api.github.com", "collect.example.net"] },
        { name: "DATABASE_URL", secret: true, hosts: ["collect.example.net"] },
        { name: "AWS_REGION" },
      ]),
    ]
  ) {
    assertEquals(result, { passed: { AWS_REGION: "eu" }, held: names });
  }
});

Deno.test("a key that could only come to its own service is passed on", () => {
  const configuration = [{ name: "GITHUB_TOKEN", hosts: ["api.github.com", "*.ghe.com:8443"] }];
  assertEquals(own({ ...SHELL, ...GITHUB }, configuration).passed, GITHUB);
  const exposed = [{ name: "GITHUB_TOKEN", hosts: ["api.github.com"], exposed: true }];
  assertEquals(own({ ...SHELL, ...GITHUB }, exposed).held, ["GITHUB_TOKEN"]);
});

Deno.test("a key that the user has named is passed on", () => {
  const configuration = [{ name: "GITHUB_TOKEN" }, { name: "AWS_SECRET_ACCESS_KEY" }];
  const { passed, held } = own({ ...SHELL, ...GITHUB, ...AWS }, configuration, {
    named: ["GITHUB_TOKEN"],
  });
  assertEquals([passed, held], [GITHUB, ["AWS_SECRET_ACCESS_KEY"]]);
});

Deno.test("a client that gives its servers only the env block needs no names", () => {
  const posix = { HOME: "/home/ann", LOGNAME: "ann", PATH: "/bin", SHELL: "/bin/sh", TERM: "x" };
  const windows = { APPDATA: "a", SYSTEMROOT: "c", TEMP: "t", USERPROFILE: "u", PATH: "p" };
  for (const clean of [posix, windows]) {
    assertEquals(own({ ...clean, ...AWS }, null, { found: ["AWS_SECRET_ACCESS_KEY"] }), {
      passed: AWS,
      held: [],
    });
  }
});

Deno.test("the script that an installed berth is adds its shell's own, and counts for nothing", () => {
  const sh = { HOME: "/home/ann", PATH: "/bin", PWD: "/", SHLVL: "0", _: "/usr/bin/deno" };
  const found = ["AWS_SECRET_ACCESS_KEY"];
  assertEquals(own({ ...sh, ...AWS }, null, { found }), { passed: AWS, held: [] });
  assertEquals(own({ ...sh, SHLVL: "1", ...AWS }, null, { found }), { passed: {}, held: found });
});

const SURROUNDINGS: [string, Record<string, string>][] = [
  ["a shell", { SHLVL: "1", EDITOR: "vi" }],
  ["a shell that counts nothing", { LANG: "C", PAGER: "less" }],
  ["a container", { HOSTNAME: "a1b2c3" }],
  ["a desktop", { DISPLAY: ":0", XDG_SESSION_ID: "2", GNOME_SETUP_DISPLAY: ":1" }],
  ["an editor", { VSCODE_PID: "12" }],
  ["a remote sign-in", { SSH_CONNECTION: "192.0.2.1" }],
  ["a service of the system", { INVOCATION_ID: "7f", LANG: "C" }],
];

for (const [where, more] of SURROUNDINGS) {
  Deno.test(`a server that declares all that ${where} sets gets no key of another service`, () => {
    const env = { HOME: "/home/ann", PATH: "/bin", ...more, ...AWS };
    const names = Object.keys(env).filter((name) => !["HOME", "PATH"].includes(name));
    const { passed, held } = own(env, names.map((name) => ({ name })));
    assertEquals([passed.AWS_SECRET_ACCESS_KEY, held], [undefined, ["AWS_SECRET_ACCESS_KEY"]]);
  });
}

Deno.test("names of the machine are never passed on", () => {
  const env = { ...SHELL, SSH_AUTH_SOCK: "/run/agent", BERTH_TOKEN: "t", NODE_OPTIONS: "x" };
  const found = ["SSH_AUTH_SOCK", "BERTH_TOKEN", "NODE_OPTIONS"];
  assertEquals(own(env, null, { found, named: found }), { passed: {}, held: [] });
});

interface Registered {
  name: string;
  configuration?: Configuration;
}

type Answer = (message: { id?: number; method: string }) => Response;

const refuses: Answer = ({ id }) =>
  Response.json({ jsonrpc: "2.0", id, error: { code: -32000, message: "no more" } });

/** A registry with one server by `author`, whose endpoint notes what it is given. */
async function registryOf(author: Registered, answer = refuses) {
  const given: (Record<string, string> | null)[] = [];
  const cli = await testCli(async (url, init) => {
    const path = new URL(url).pathname;
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
    if (path === "/api/v1/servers/weather") {
      const { configuration = [{ name: "GITHUB_TOKEN" }, { name: "MODE" }] } = author;
      const variables = variablesOf(configuration, []);
      const server = { ...DETAIL_EXAMPLE, name: "weather", author: author.name, variables };
      return Response.json({ status: "success", server });
    }
    if (path === "/mcp" && init.method === "POST") {
      const header = new Headers(init.headers).get("mcp-server-environment");
      given.push(header === null ? null : JSON.parse(atob(header)));
      return answer(JSON.parse(await new Response(init.body).text()));
    }
    return new Response(null, { status: 405 });
  });
  const line = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c" } },
  };
  const send = async (lines: unknown[], options: string[]) =>
    await cli.run(["connect", "weather", ...options], {
      stdin: lines.map((one) => `${JSON.stringify(one)}\n`).join(""),
      env: { ...SHELL, ...GITHUB, MODE: "fast", HOME: cli.home },
    });
  const connect = async (...options: string[]) => {
    const run = await send([line], options);
    return { err: run.err, given: given.pop() ?? null };
  };
  return { cli, connect, line, send, given };
}

Deno.test("berth connect says what it holds back, and remembers what was named until the author changes", async () => {
  const author = { name: "acme" };
  const { cli, connect } = await registryOf(author);
  try {
    const held = await connect();
    assertEquals(held.given, { MODE: "fast" });
    assertStringIncludes(held.err, "GITHUB_TOKEN of your environment is not passed on to weather");
    assertStringIncludes(held.err, "berth connect weather --env GITHUB_TOKEN");
    const named = await connect("--env", "GITHUB_TOKEN");
    assertEquals(named.given, { ...GITHUB, MODE: "fast" });
    assertEquals((await connect()).given, { ...GITHUB, MODE: "fast" });
    assertEquals((await connect("--no-own-env")).given, null);
    author.name = "somebody-else";
    const changed = await connect();
    assertEquals(changed.given, { MODE: "fast" });
    assert(!(held.err + named.err + changed.err).includes("ghp_secret"));
  } finally {
    await cli[Symbol.asyncDispose]();
  }
});

Deno.test("a session in place of one that ended goes by what the server declares then", async () => {
  const declared = (host: string) => [{ name: "GITHUB_TOKEN", hosts: [host] }];
  const author: Registered = { name: "acme", configuration: declared("api.github.com") };
  let hasEnded = false;
  const { cli, line, send, given } = await registryOf(author, ({ id, method }) => {
    if (method === "initialize") {
      const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "w" } };
      const headers = { "mcp-session-id": "s" };
      return Response.json({ jsonrpc: "2.0", id, result }, { headers });
    }
    if (method !== "tools/list") return new Response(null, { status: 202 });
    if (hasEnded) return Response.json({ jsonrpc: "2.0", id, result: { tools: [] } });
    hasEnded = true;
    author.configuration = declared("collect.example.net");
    return new Response(null, { status: 404 });
  });
  try {
    const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    const run = await send([line, initialized, list], []);
    assertStringIncludes(run.out, '"tools":[]');
    // The first session: its beginning, the note of that, and the request; then the second one.
    assertEquals(given, [GITHUB, GITHUB, GITHUB, null, null, null]);
    assertStringIncludes(run.err, "GITHUB_TOKEN of your environment is not passed on");
  } finally {
    await cli[Symbol.asyncDispose]();
  }
});
