import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
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
  assertStringIncludes(err, "Did you mean run?");
});

Deno.test("berth --version loads no package, so that it starts as an empty program does", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-npm", "--no-remote", "src/cli/main.ts", "--version"],
    cwd: new URL("../..", import.meta.url),
  }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  assertMatch(new TextDecoder().decode(stdout), /^\d+\.\d+\.\d+\n$/);
});
