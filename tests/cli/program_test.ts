import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { testCli } from "../helpers/cli.ts";

async function berth(...args: string[]) {
  await using cli = await testCli(() => {
    throw new Error("Nothing may be asked");
  });
  return await cli.run(args);
}

Deno.test("berth run prints the deprecation notice, suggests pull and succeeds with any arguments", async () => {
  for (
    const args of [[], ["weather"], ["weather", "--port", "1", "-x"], ["--help"], ["--", "-h"], [
      "-V",
    ], ["--json", "--version"]]
  ) {
    const { code, out, err } = await berth("run", ...args);
    assertEquals(code, 0, args.join(" "));
    assertStringIncludes(out, "deprecated");
    assertStringIncludes(out, "berth pull");
    assertEquals(err, "");
  }
});

Deno.test("berth run contacts nothing: it runs without any permission", async () => {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--cached-only", "src/cli/main.ts", "run", "weather"],
    cwd: new URL("../..", import.meta.url),
    env: { NO_COLOR: "1" },
  });
  const { code, stdout } = await command.output();
  assertStringIncludes(new TextDecoder().decode(stdout), "berth pull");
  assertEquals(code, 0);
});

Deno.test("berth shows its version and its commands on standard output", async () => {
  assertMatch((await berth("version")).out, /^\d+\.\d+\.\d+\n$/);
  assertEquals((await berth("--version")).code, 0);
  const help = await berth("--help");
  assertEquals(help.code, 0);
  assertStringIncludes(help.out, "run");
});

Deno.test("berth answers an unknown command with exit code 2 and a hint", async () => {
  const { code, out, err } = await berth("rnu");
  assertEquals(code, 2);
  assertEquals(out, "");
  assertEquals(err, "berth: Unknown command 'rnu'\nHint: Did you mean run?\n");
});

Deno.test("berth says how a command is called that was called wrongly, in the form of every failure", async () => {
  const wrong: [args: string[], what: string, path: string][] = [
    [["list", "--nope"], "Unknown option '--nope'", "berth list"],
    [["list", "--version"], "Unknown option '--version'", "berth list"],
    [["call"], "Missing required argument 'name'", "berth call"],
    [["token", "nope"], "Unknown command 'nope'", "berth token"],
  ];
  for (const [args, what, path] of wrong) {
    const hint = `Run ${path} --help for usage`;
    const text = await berth(...args);
    assertEquals([text.code, text.out], [2, ""]);
    assertEquals(text.err, `berth: ${what}\nHint: ${hint}\n`);
    const { err } = await berth(...args, "--json");
    assertEquals(JSON.parse(err), { status: "error", detail: what, hint });
  }
  assertStringIncludes((await berth("list", "--lang", "cobol")).err, "choices are python, ");
});

Deno.test("berth --version is the program's before a command, and the server's after update and init", async () => {
  for (const args of [["-V"], ["--json", "--version"]]) {
    const { code, out } = await berth(...args);
    assertEquals(code, 0);
    assertMatch(out, /^\d+\.\d+\.\d+\n$/);
  }
  const { code, out, err } = await berth("update", "weather", "--version", "2.0.0");
  assertEquals([code, out], [3, ""]);
  assertStringIncludes(err, "Not signed in");
  assertStringIncludes((await berth("--help")).out, "-V, --version");
  assert(!(await berth("list", "--help")).out.includes("--version"));
});

Deno.test("berth --version loads no package, so that it starts as an empty program does", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-npm", "--no-remote", "src/cli/main.ts", "--version"],
    cwd: new URL("../..", import.meta.url),
  }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  assertMatch(new TextDecoder().decode(stdout), /^\d+\.\d+\.\d+\n$/);
});
