/** How failed commands end: one shape with `--json`, and hints that lead on. */
import { assert, assertEquals } from "@std/assert";
import { testCli } from "../helpers/cli.ts";

const KEYS = ["status", "detail", "hint", "errors", "code", "details", "request_id"];

/** What a registry may answer, in either envelope and in none. */
const ANSWERS: Record<string, () => Response | Promise<Response>> = {
  general: () =>
    Response.json({ status: "error", detail: "No", request_id: "r1" }, { status: 404 }),
  faults: () =>
    Response.json({
      status: "error",
      detail: "Invalid",
      errors: [{ path: "version", message: "is required" }],
      request_id: "r1",
    }, { status: 400 }),
  signedOut: () =>
    Response.json({
      success: false,
      error: { code: "MISSING_TOKEN", message: "No token", details: { hint: "Send one" } },
      request_id: "r1",
    }, { status: 401 }),
  forbidden: () =>
    Response.json({
      success: false,
      error: {
        code: "FORBIDDEN",
        message: "Not yours",
        details: { required: "owner", current: "user" },
      },
      request_id: "r1",
    }, { status: 403 }),
  limited: () =>
    Response.json({ status: "error", detail: "Slow down" }, {
      status: 429,
      headers: { "retry-after": "7" },
    }),
  nothing: () => new Response(null, { status: 502 }),
  page: () => new Response("<html>", { status: 500 }),
  odd: () => Response.json({ errors: 7, error: "x", request_id: [] }, { status: 418 }),
  array: () => Response.json([1], { status: 500 }),
  unknown: () => Response.json({ hello: 1 }),
  away: () => Promise.reject(new TypeError("refused")),
};

const COMMANDS: string[][] = [
  ["list"],
  ["show", "weather"],
  ["report", "weather", "--fail-on", "high"],
  ["scans", "weather"],
  ["pull", "weather", "-c", "cursor"],
  ["tools", "weather"],
  ["call", "weather", "forecast"],
  ["scan", "weather"],
  ["update", "weather", "--version", "1.2.3"],
  ["delete", "weather", "--yes"],
  ["access", "weather"],
  ["access", "weather", "--add-user", "joan"],
  ["transfer", "weather", "--accept"],
  ["whoami"],
  ["login"],
  ["login", "--token-stdin"],
  ["token", "list"],
  ["token", "create", "x"],
  ["token", "revoke", "current"],
];

/** Commands that fail before any registry is asked, or for what they are given. */
const WRONG: string[][] = [
  ["rnu"],
  ["show"],
  ["show", "Not A Name"],
  ["show", "weather", "--bogus"],
  ["list", "--limit", "1e2"],
  ["pull", "weather", "-c", "emacs"],
  ["validate"],
  ["publish"],
  ["init", "nowhere"],
  ["scan", "./nowhere"],
  ["scan", "."],
  ["config", "set", "clients", "emacs"],
  ["--registry", "ftp://x", "list"],
  ["update", "weather"],
  ["access", "weather", "--visibility", "secret"],
  ["completion", "tcsh"],
];

function lastLine(err: string): string {
  return err.trim().split("\n").at(-1)!;
}

/** Fails unless `err` ends with a failure of the one shape, and its hint leads on. */
function expectShape(err: string, args: string[]): void {
  const what = `${args.join(" ")}: ${err}`;
  const failure = JSON.parse(lastLine(err));
  assertEquals(failure.status, "error", what);
  assertEquals(typeof failure.detail, "string", what);
  assertEquals(Object.keys(failure).filter((key) => !KEYS.includes(key)), [], what);
  for (const key of ["hint", "code", "request_id"]) {
    assert(["string", "undefined"].includes(typeof failure[key]), what);
  }
  for (const { path, message } of failure.errors ?? []) {
    assertEquals([typeof path, typeof message], ["string", "string"], what);
  }
  const words = args.filter((arg) => !arg.startsWith("-"));
  const command = ["token", "config"].includes(words[0]!) ? words.slice(0, 2) : words.slice(0, 1);
  const itself = new RegExp(`\\bberth ${command.join(" ")}(?! -| [A-Z]|[\\w-])`);
  assert(!itself.test(failure.hint ?? ""), `names the command that failed: ${what}`);
}

Deno.test("with --json every failure has one shape, whatever the registry answered, and no hint names the command that failed", async () => {
  for (const [name, answer] of Object.entries(ANSWERS)) {
    const token = name === "away" ? {} : { BERTH_TOKEN: "x.y.z" };
    await using cli = await testCli(answer, token);
    for (const args of COMMANDS) {
      const run = await cli.run([...args, "--json"], { stdin: "a.b.c" });
      assert(run.code > 0, `${name} ${args}`);
      expectShape(run.err, args);
    }
  }
});

Deno.test("with --json wrong calls have the same shape", async () => {
  await using cli = await testCli(() => Promise.reject(new TypeError("refused")));
  for (const args of WRONG) {
    for (const line of [[...args, "--json"], ["--json", ...args]]) {
      const run = await cli.run(line);
      assert(run.code > 0, line.join(" "));
      expectShape(run.err, args);
    }
  }
});

Deno.test("with --json failures keep what the registry says beside its message", async () => {
  await using cli = await testCli(ANSWERS["forbidden"]!, { BERTH_TOKEN: "x" });
  const run = await cli.run(["delete", "weather", "--yes", "--json"]);
  assertEquals(JSON.parse(lastLine(run.err)), {
    status: "error",
    detail: "Not yours (requires: owner)",
    code: "FORBIDDEN",
    details: { required: "owner", current: "user" },
    request_id: "r1",
  });
});
