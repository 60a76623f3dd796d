/** Commands about `berth` itself. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { shellScript } from "../../src/cli/commands/self_install.ts";
import { createApp } from "../../src/http/app.ts";
import { testCli } from "../helpers/cli.ts";
import { startTokenIssuer } from "../helpers/token_issuer.ts";
import { stubServices } from "../http/stub_services.ts";

async function complete(...words: string[]): Promise<string[]> {
  await using cli = await testCli();
  const run = await cli.run(["__complete", "--", ...words]);
  assertEquals(run.code, 0, run.err);
  return run.out.split("\n").map((line) => line.split("\t")[0]!).filter((word) => word !== "");
}

Deno.test("completion knows commands, options and their values", async () => {
  assertEquals(await complete("re"), ["report"]);
  assert((await complete("")).includes("publish"));
  assert(!(await complete("")).some((word) => word.startsWith("__")));
  assertEquals(await complete("token", ""), ["create", "list", "revoke"]);
  assertEquals(await complete("report", "weather", "--form"), ["--format"]);
  assertEquals(await complete("report", "weather", "--format", "s"), ["sarif"]);
  assertEquals(await complete("--registry", "http://x", "who"), ["whoami"]);
  assertEquals(await complete("config", "set", "r"), ["registry"]);
  assertEquals(await complete("completion", ""), ["bash", "zsh", "fish"]);
  assertEquals(await complete("show", "weather", "--js"), ["--json"]);
  assertEquals(await complete("pull", "weather", "-c", "cu"), ["cursor"]);
  assertEquals(await complete("unpull", "weather", "--client", "z"), ["zed"]);
  assertEquals(await complete("show", "weather", ""), []);
});

const LISTED = [
  {
    name: "weather",
    description: "By\u001b[31m city\nand day",
    tools: { names: ["forecast", "now"] },
  },
  {
    name: "wiki",
    description: "Pages",
    tools: { names: ["search", "$(reboot)", "two words", "*"] },
  },
  { name: "Not a name; rm -rf", description: "x", tools: { names: [] } },
];

/** A user whose registry answers lists with `servers`; `asked` has what it was asked. */
function completing(answer: () => Response | Promise<Response>) {
  const asked: string[] = [];
  return {
    asked,
    cli: testCli((url) => {
      asked.push(url);
      return answer();
    }),
  };
}

Deno.test("completion knows the registry's servers and their tools, and asks for them once", async () => {
  const { asked, cli: opened } = completing(() =>
    Response.json({ status: "success", servers: LISTED })
  );
  await using cli = await opened;
  const words = async (...line: string[]) => {
    const run = await cli.run(["__complete", "--", ...line]);
    assertEquals([run.code, run.err], [0, ""]);
    return run.out.split("\n").filter((text) => text !== "");
  };
  assertEquals(await words("show", "w"), ["weather\tBy\\u{1b}[31m city and day", "wiki\tPages"]);
  const named = ["show", "report", "scans", "open", "tools", "call", "shell", "connect", "pull"];
  for (const command of [...named, "unpull", "update", "delete", "transfer", "scan", "install"]) {
    const found = await words(command, "wi");
    assert(found.includes("wiki\tPages"), command);
  }
  assertEquals(await words("call", "weather", ""), ["forecast", "now"]);
  assertEquals(await words("call", "weather", "f"), ["forecast"]);
  assertEquals(await words("tools", "wiki", ""), ["search"]);
  assertEquals(await words("call", "--quiet", "weather", "n"), ["now"]);
  assertEquals(await words("list", "--tool", "s"), ["search"]);
  assertEquals(await words("call", "nobody", ""), []);
  assertEquals(await words("token", "create", "w"), []);
  assertEquals(await words("config", "set", "registry", "w"), []);
  assertEquals(asked, ["http://127.0.0.1:8000/api/v1/servers?limit=1000"]);
  await words("--registry", "https://berth.example", "show", "w");
  await words("show", "w", "-r", "https://berth.example");
  assertEquals(asked.slice(1), ["https://berth.example/api/v1/servers?limit=1000"]);
  cli.clock.heldAt = Date.now() + 11 * 60_000;
  await words("show", "w");
  assertEquals(asked.length, 3);
});

Deno.test("completion asks a large registry for what the first page has not", async () => {
  const { asked, cli: opened } = completing(() =>
    Response.json({
      servers: asked.at(-1)!.includes("q=zeb") ? [{ name: "zebra" }] : LISTED,
      next_cursor: "x",
    })
  );
  await using cli = await opened;
  assertEquals((await cli.run(["__complete", "--", "show", "zeb"])).out, "zebra\n");
  assertEquals((await cli.run(["__complete", "--", "show", "zeb"])).out, "zebra\n");
  assertEquals(asked.length, 2);
});

Deno.test("completion says nothing where the registry does not answer, or nonsense, and keeps what it knew", async () => {
  const failures: (() => Response | Promise<Response>)[] = [
    () => Promise.reject(new TypeError("no network")),
    () => new Response("<html>", { status: 502 }),
    () => Response.json({ status: "error", detail: "too many" }, { status: 429 }),
    () => Response.json({ servers: "none" }),
    () => Response.json({ servers: [null, 1, { name: 7 }, { name: "../../etc" }] }),
  ];
  for (const fail of failures) {
    let answer = fail;
    const { asked, cli: opened } = completing(() => answer());
    await using cli = await opened;
    const complete = async () => {
      const run = await cli.run(["__complete", "--", "show", ""]);
      assertEquals([run.code, run.err], [0, ""]);
      return run.out;
    };
    assertEquals(await complete(), "");
    assertEquals(await complete(), "");
    assertEquals(asked.length, 1);
    answer = () => Response.json({ servers: LISTED });
    cli.clock.heldAt = Date.now() + 11 * 60_000;
    assertStringIncludes(await complete(), "weather");
    answer = fail;
    cli.clock.heldAt += 11 * 60_000;
    if (fail !== failures.at(-1)) assertStringIncludes(await complete(), "weather");
  }
  await using cli = await testCli();
  await Deno.mkdir(`${cli.home}/.config/berth`, { recursive: true });
  await Deno.writeTextFile(`${cli.home}/.config/berth/config.json`, "nonsense");
  const run = await cli.run(["__complete", "--", "show", ""]);
  assertEquals([run.code, run.out, run.err], [0, "", ""]);
});

Deno.test("the script for bash offers the registry's names", async () => {
  await using cli = await testCli();
  const script = (await cli.run(["completion", "bash"])).out;
  const bin = `${cli.home}/bin`;
  await Deno.mkdir(bin);
  await Deno.writeTextFile(
    `${bin}/berth`,
    '#!/bin/sh\nprintf "weather\\tBy city\\nwiki\\tPages\\n"\n',
  );
  await Deno.chmod(`${bin}/berth`, 0o755);
  const shell = await new Deno.Command("bash", {
    args: [
      "-c",
      `${script}\nCOMP_WORDS=(berth show w) COMP_CWORD=2; _berth; echo "\${COMPREPLY[*]}"`,
    ],
    env: { PATH: `${bin}:${Deno.env.get("PATH")}` },
  }).output();
  assertEquals(new TextDecoder().decode(shell.stdout), "weather wiki\n");
});

Deno.test("berth completion prints scripts that their shells accept", async () => {
  await using cli = await testCli();
  const script = (await cli.run(["completion", "bash"])).out;
  const check = await new Deno.Command("bash", {
    args: ["-c", `${script}\ncomplete -p berth`],
  }).output();
  assertEquals(new TextDecoder().decode(check.stdout), "complete -F _berth berth\n");
  for (const shell of ["zsh", "fish"]) {
    assertStringIncludes((await cli.run(["completion", shell])).out, "berth __complete --");
  }
  assertEquals((await cli.run(["completion", "tcsh"])).code, 2);
});

Deno.test("berth doctor says what works, and what to do about the rest", async () => {
  const issuer = await startTokenIssuer({ audience: "berth" });
  const { services } = stubServices(issuer);
  const app = createApp(services);
  // Both clocks stand: the machine's may be set while the command runs.
  const time = Date.now();
  const date = { now: () => new Date(time) };
  await using cli = await testCli(async (url, init) => {
    const { pathname, port } = new URL(url);
    if (port === "8001") return new Response("{}");
    if (pathname.startsWith("/oidc/")) {
      return Response.json({
        issuer: "http://127.0.0.1:8000/oidc",
        token_endpoint: "http://127.0.0.1:8000/oidc/token",
        device_authorization_endpoint: "http://127.0.0.1:8000/oidc/device/auth",
      });
    }
    const response = await app.request(url, init);
    response.headers.set("date", date.now().toUTCString());
    return response;
  });
  cli.clock.heldAt = time;
  try {
    const good = await cli.run(["doctor"]);
    assertEquals(good.code, 0, good.out);
    assertMatch(good.out, /✓ registry +version \d/);
    assertMatch(good.out, /– sign-in +not signed in\n +berth login/);
    const token = await issuer.mint({ sub: "owner" });
    const signedIn = await cli.run(["doctor", "--json"], { env: { BERTH_TOKEN: token } });
    const found = signedIn.json.checks.find(({ name }: { name: string }) => name === "sign-in");
    assertEquals([found.state, found.text], ["ok", "owner (BERTH_TOKEN)"]);
    await using demo = await testCli(async (url, init) => {
      const { pathname, port } = new URL(url);
      if (port === "8001") return new Response("{}");
      // A provider that only says what tokens are signed with, as the demo's.
      if (pathname.startsWith("/oidc/")) {
        return Response.json({ issuer: "x", jwks_uri: "http://x" });
      }
      const response = await app.request(url, init);
      response.headers.set("date", date.now().toUTCString());
      if (!pathname.endsWith("/berth")) return response;
      const known = await response.json();
      known.service.sign_in.client_id = null;
      return Response.json(known);
    });
    demo.clock.heldAt = time;
    const noClient = await demo.run(["doctor"]);
    assertEquals(noClient.code, 0, noClient.out);
    assertMatch(
      noClient.out,
      /– identity +\S+ does not support sign-in from a terminal\n +Sign in with an existing token: /,
    );
    date.now = () => new Date(time - 60_000);
    const late = await cli.run(["doctor"]);
    assertEquals(late.code, 1);
    assertMatch(late.out, /✗ clock +\d\d s ahead of the registry\n/);
    date.now = () => new Date(time);
    await Deno.mkdir(`${cli.home}/.local/share/berth`, { recursive: true });
    const path = `${cli.home}/.local/share/berth/credentials.json`;
    await Deno.writeTextFile(path, '{"version": 1, "registries": {}}', { mode: 0o644 });
    assertStringIncludes((await cli.run(["doctor"])).out, `chmod 600 ${path}`);
    await Deno.writeTextFile(path, "secret");
    const broken = await cli.run(["doctor"]);
    assertEquals(broken.code, 1);
    assert(!broken.out.includes('"secret"'));
  } finally {
    await issuer.close();
  }
  await using away = await testCli(() => {
    throw new TypeError("connection refused");
  });
  const nothing = await away.run(["doctor"]);
  assertEquals(nothing.code, 1);
  assertMatch(nothing.out, /✗ registry +The registry at \S+ cannot be reached\n +Start it, or/);
  assertEquals(nothing.out.match(/cannot be reached/g)?.length, 1);
  assertMatch(nothing.out, /– sign-in +skipped: the registry did not respond/);
});

Deno.test("self-install writes a command that runs from anywhere, where the path leads", async () => {
  await using cli = await testCli();
  const folder = `${cli.home}/.local/bin`;
  const elsewhere = await cli.run(["self-install"], { env: { PATH: "/usr/bin" } });
  assertEquals(elsewhere.code, 0, elsewhere.err);
  assertStringIncludes(elsewhere.err, "is not on your PATH");
  const onPath = await cli.run(["self-install"], { env: { PATH: `/usr/bin:${cli.home}/bin` } });
  assertStringIncludes(onPath.err, `Installed ${cli.home}/bin/berth`);
  assert(!onPath.err.includes("is not on your PATH"));
  const run = await new Deno.Command(`${folder}/berth`, {
    args: ["config", "path"],
    cwd: cli.home,
    env: { HOME: "/somewhere", XDG_CONFIG_HOME: "/else where", NO_COLOR: "1" },
  }).output();
  assertEquals(new TextDecoder().decode(run.stderr), "");
  assertEquals(new TextDecoder().decode(run.stdout), "/else where/berth/config.json\n");
});

Deno.test("the command has Deno look at the packages only after their list has changed", async () => {
  const root = await Deno.makeTempDir({ prefix: "berth it's " });
  const packages = `${root}/node_modules/.deno`;
  await Deno.mkdir(packages, { recursive: true });
  await Deno.writeTextFile(`${root}/deno.lock`, "");
  await Deno.writeTextFile(
    `${root}/berth`,
    shellScript({ program: "/bin/echo", args: ["run", "--quiet", "main.ts"] }, root),
  );
  async function started(): Promise<string> {
    const { stdout } = await new Deno.Command("sh", { args: [`${root}/berth`, "a b"] }).output();
    return new TextDecoder().decode(stdout).trim();
  }
  await Deno.utime(`${root}/deno.lock`, 1000, 1000);
  await Deno.utime(packages, 2000, 2000);
  assertEquals(await started(), "run --node-modules-dir=manual --quiet main.ts a b");
  await Deno.utime(`${root}/deno.lock`, 3000, 3000);
  assertEquals(await started(), "run --node-modules-dir=auto --quiet main.ts a b");
  await Deno.remove(packages);
  assertEquals(await started(), "run --node-modules-dir=auto --quiet main.ts a b");
  await Deno.remove(root, { recursive: true });
});

Deno.test("init asks for what the folder does not tell", async () => {
  await using cli = await testCli();
  await Deno.writeTextFile(`${cli.home}/notes.txt`, "nothing");
  const run = await cli.run(["init", ".", "--name", "notes"], {
    answers: ["Keeps notes", "python", "MIT", "server.py", "https://github.com/acme/notes"],
  });
  assertEquals(run.code, 0, run.err);
  assertEquals(JSON.parse(await Deno.readTextFile(`${cli.home}/berth.json`)), {
    name: "notes",
    version: "0.1.0",
    description: "Keeps notes",
    lang: "python",
    license: "MIT",
    entrypoint: "server.py",
    repository: { type: "git", url: "https://github.com/acme/notes" },
  });
  const silent = await cli.run(["init", "--force"]);
  assertEquals(silent.code, 1);
  assertStringIncludes(silent.err, "description: is required");
});

Deno.test("init of a folder that tells nothing writes what is to be corrected, and fails", async () => {
  await using cli = await testCli();
  const run = await cli.run(["init"]);
  assertEquals([run.code, run.out], [1, ""]);
  assertMatch(run.err, /Wrote .*berth\.json\nberth: berth\.json has \d errors\n/);
  assert(!run.err.includes("Next:"));
  assertEquals(JSON.parse(await Deno.readTextFile(`${cli.home}/berth.json`)).version, "0.1.0");
  const json = await cli.run(["init", "--force", "--json"]);
  assertEquals([json.code, json.json.version], [1, "0.1.0"]);
  const { errors } = JSON.parse(json.err.trim().split("\n").at(-1)!);
  assert(errors.some(({ path }: { path: string }) => path === "license"));
});
