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
  assertEquals(await complete("show", "weather", ""), []);
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
    date.now = () => new Date(time - 60_000);
    const late = await cli.run(["doctor"]);
    assertEquals(late.code, 1);
    assertMatch(late.out, /✗ clock +\d\d s ahead of the registry's/);
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
  assertMatch(nothing.out, /– sign-in +not looked at: the registry does not answer/);
});

Deno.test("self-install writes a command that runs from anywhere, where the path leads", async () => {
  await using cli = await testCli();
  const folder = `${cli.home}/.local/bin`;
  const elsewhere = await cli.run(["self-install"], { env: { PATH: "/usr/bin" } });
  assertEquals(elsewhere.code, 0, elsewhere.err);
  assertStringIncludes(elsewhere.err, "is not on your path");
  const onPath = await cli.run(["self-install"], { env: { PATH: `/usr/bin:${cli.home}/bin` } });
  assertStringIncludes(onPath.err, `Installed ${cli.home}/bin/berth`);
  assert(!onPath.err.includes("is not on your path"));
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
  assertEquals(silent.code, 0);
  assertStringIncludes(silent.err, "description: is required");
});
