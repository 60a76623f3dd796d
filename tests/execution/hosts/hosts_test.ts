import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import {
  callTool,
  openHosts,
  openTestHosts,
  processorSeconds,
  server,
  sessionInput,
  testInterpreter,
  until,
  watchEnd,
} from "../../helpers/interpreter.ts";
import { inputOf } from "../../helpers/plain_json.ts";

const QUICK = server(`
@tool
def quick() -> str:
    return "quick"
`);

Deno.test("sessions of a server share a host up to the limit; other servers have their own", async () => {
  await using hosts = await openTestHosts({ sessionsPerHost: 2 });
  const sessions = [];
  for (const name of ["a", "a", "a", "b"]) {
    sessions.push(await hosts.open(sessionInput(QUICK, { server: name })));
  }
  assertEquals(hosts.stats().hosts, 3);
  for (const session of sessions) await session.close();
  assertEquals(hosts.stats(), { hosts: 0, sessions: 0, warm: 0, pids: [], images: null });
});

Deno.test("starts of one build share a host, those of two and sessions do not", async () => {
  await using hosts = await openHosts({ warmSessions: 2 });
  await until(() => hosts.stats().warm === 2);
  const open = (client: string, background: boolean) =>
    hosts.open(inputOf(sessionInput(QUICK, { client })), { background });
  const first = await open("build 1", true);
  const again = await open("build 1", true);
  const other = await open("build 2", true);
  const session = await open("user ada", false);
  assertEquals(again.pid, first.pid);
  assertEquals(new Set([first.pid, other.pid, session.pid]).size, 3);
  for (const one of [first, again, other, session]) await one.close();
});

Deno.test("a full node refuses another session with 503 and Retry-After", async () => {
  await using hosts = await openTestHosts({ maxSessions: 1 });
  const session = await hosts.open(sessionInput(QUICK));
  const error = await assertRejects(
    () => hosts.open(sessionInput(QUICK)),
    AppError,
    "(MAX_SESSIONS)",
  );
  assertEquals(error.status, 503);
  assertEquals(error.headers["Retry-After"], "5");
  await session.close();
  await (await hosts.open(sessionInput(QUICK))).close();
});

Deno.test("a killed host ends its sessions with a reason, and no others", async () => {
  await using hosts = await openTestHosts();
  const { ended, onEnd } = watchEnd();
  const session = await hosts.open(sessionInput(QUICK, { onEnd }));
  const pid = hosts.stats().pids[0]!;
  const other = await hosts.open(sessionInput(QUICK, { server: "other" }));
  Deno.kill(pid, "SIGKILL");
  assertEquals(await ended, "crashed");
  assertMatch(await callTool(session, "quick"), /^\[ended: crashed\].*SIGKILL/);
  assertEquals(await callTool(other, "quick"), "quick");
  assertEquals(hosts.stats().sessions, 1);
});

Deno.test("warm sessions wait, are taken first, and are replaced; a dead one too", async () => {
  await using hosts = await openTestHosts({ warmSessions: 1 });
  await until(() => hosts.stats().warm === 1);
  const pid = hosts.stats().pids[0]!;
  const session = await hosts.open(sessionInput(QUICK));
  assertEquals(await callTool(session, "quick"), "quick");
  assert(hosts.stats().pids.includes(pid));
  await until(() => hosts.stats().warm === 1);
  assertEquals(hosts.stats().hosts, 2);

  const waiting = hosts.stats().pids.find((other) => other !== pid)!;
  Deno.kill(waiting, "SIGKILL");
  await until(() => !hosts.stats().pids.includes(waiting) && hosts.stats().warm === 1);
  assertEquals(await callTool(session, "quick"), "quick");
});

Deno.test("close() ends everything at once, whatever runs", async () => {
  const hosts = await openTestHosts({ warmSessions: 1 });
  const { ended, onEnd } = watchEnd();
  const session = await hosts.open(sessionInput(
    server(`
@tool
def spin() -> str:
    from pyodide.code import run_js
    run_js("for (;;) {}")
`),
    { onEnd },
  ));
  const call = callTool(session, "spin");
  await new Promise((resolve) => setTimeout(resolve, 200));
  const { pids } = hosts.stats();
  await hosts.close();
  assertEquals(await ended, "shutdown");
  assertMatch(await call, /^\[ended: shutdown\].*shutting down/);
  for (const pid of pids) assertEquals(await processorSeconds(pid), null);
  await assertRejects(() => hosts.open(sessionInput(QUICK)), AppError, "shutting down");
});

Deno.test("a session that is closed ends its calls, and twice is once", async () => {
  await using hosts = await openTestHosts();
  const reasons: string[] = [];
  const session = await hosts.open(sessionInput(
    server(`
@tool
def loop() -> str:
    while True: pass
`),
    { onEnd: (reason) => reasons.push(reason) },
  ));
  const beside = await hosts.open(sessionInput(QUICK));
  const call = callTool(session, "loop");
  await Promise.all([session.close(), session.close()]);
  assertMatch(await call, /^\[ended: closed\]/);
  await session.close();
  assertEquals(reasons, ["closed"]);
  assertEquals(await callTool(beside, "quick"), "quick");
});

Deno.test("hosts die with their parent, even when it is killed", async () => {
  const script = new URL("../../fixtures/hosts_parent.ts", import.meta.url);
  const config = new URL("../../../deno.json", import.meta.url).pathname;
  const parent = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", `--config=${config}`, script.href],
    stdout: "piped",
  }).spawn();
  const reader = parent.stdout.getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { done, value } = await reader.read();
    assert(!done, `The parent ended after "${text}"`);
    text += new TextDecoder().decode(value);
  }
  const pids = JSON.parse(text) as number[];
  assertEquals(pids.length, 2);
  parent.kill("SIGKILL");
  await parent.status;
  await reader.cancel();
  await until(async () => {
    const left = await Promise.all(pids.map(processorSeconds));
    return left.every((seconds) => seconds === null);
  });
});

Deno.test("the interpreter's folder may have any name", async () => {
  const { folder, ...prepared } = await testInterpreter();
  const parent = await Deno.makeTempDir({ prefix: "a, b'c %20d" });
  try {
    for await (const { name } of Deno.readDir(folder)) {
      await Deno.copyFile(`${folder}/${name}`, `${parent}/${name}`);
    }
    // Hosts may run as another user.
    await Deno.chmod(parent, 0o755);
    await using hosts = await openTestHosts({ interpreter: { folder: parent, ...prepared } });
    assertEquals(await callTool(await hosts.open(sessionInput(QUICK)), "quick"), "quick");
  } finally {
    await Deno.remove(parent, { recursive: true });
  }
});
