import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import type { EgressRequest } from "../../../src/egress/types.ts";
import type { ServerLog } from "../../../src/execution/interpreters/types.ts";
import { callTool, openTestHosts, server, sessionInput } from "../../helpers/interpreter.ts";

Deno.test("a session runs the entrypoint and answers calls", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(server(`
@tool
def add(a: int, b: int) -> int:
    return a + b
`)));
  assertEquals(session.load.kind, "loaded");
  const listed = await session.request("tools/list", {}, { deadlineMs: 600_000, requestId: 1 });
  assert(listed.kind === "result");
  assertEquals((listed.result as { tools: { name: string }[] }).tools.map((t) => t.name), ["add"]);
  assertEquals(await callTool(session, "add", { a: 2, b: 3 }), "5");
});

Deno.test("sessions of one host share nothing", async () => {
  const source = server(`
import os, random, uuid, secrets, json, sys, builtins
@tool
def leave(text: str) -> str:
    builtins.left = text
    json.left = text
    os.environ["LEFT"] = text
    with open("/tmp/left", "w") as file: file.write(text)
    with open("/app/left.txt", "w") as file: file.write(text)
    return "done"
@tool
def look() -> str:
    return json.dumps([hasattr(builtins, "left"), hasattr(json, "left"), "LEFT" in os.environ,
        os.path.exists("/tmp/left"), os.path.exists("/app/left.txt"), os.environ.get("KEY")])
@tool
def draw() -> str:
    return json.dumps([random.random(), secrets.token_hex(8), str(uuid.uuid4()), str(uuid.uuid1())])
`);
  await using hosts = await openTestHosts();
  const first = await hosts.open(sessionInput(source, { environment: { KEY: "one" } }));
  const second = await hosts.open(sessionInput(source, { environment: { KEY: "two" } }));
  assertEquals(hosts.stats().hosts, 1);
  assertEquals(await callTool(first, "leave", { text: "x" }), "done");
  assertEquals(JSON.parse(await callTool(first, "look")), [true, true, true, true, true, "one"]);
  assertEquals(JSON.parse(await callTool(second, "look")), [
    false,
    false,
    false,
    false,
    false,
    "two",
  ]);
  const [a, b] = [await callTool(first, "draw"), await callTool(second, "draw")].map((text) =>
    JSON.parse(text) as string[]
  );
  a!.forEach((value, i) => assertNotEquals(value, b![i]));
});

Deno.test("every module is importable although the worker may read nothing", async () => {
  const source = server(`
import helper
@tool
def late() -> str:
    import sqlite3, wsgiref.util, xmlrpc.client, tomllib, zoneinfo, unittest.mock, urllib3.contrib
    return helper.VALUE
@tool
def bundle() -> str:
    import requests.certs
    return str("BEGIN CERTIFICATE" in open(requests.certs.where()).read())
`);
  const encoder = new TextEncoder();
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(source, {
    files: new Map([
      ["main.py", encoder.encode(source)],
      ["helper/__init__.py", encoder.encode("VALUE = 'own'")],
    ]),
  }));
  assertEquals(await callTool(session, "late"), "own");
  assertEquals(await callTool(session, "bundle"), "True");
});

Deno.test("HTTP of the code goes to the given function, bodies as bytes", async () => {
  const seen: EgressRequest[] = [];
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(
    server(`
import requests
@tool
def fetch() -> str:
    answer = requests.post("https://example.com/a", data=bytes(range(256)), timeout=5)
    return f"{answer.status_code} {len(answer.content)} {answer.headers['x-test']}"
`),
    {
      http(request) {
        seen.push(request);
        return Promise.resolve({
          kind: "response",
          status: 201,
          reason: "Created",
          headers: [["X-Test", "yes"]],
          body: new Uint8Array(300_000).fill(7),
        });
      },
    },
  ));
  assertEquals(await callTool(session, "fetch"), "201 300000 yes");
  assertEquals(seen[0]?.method, "POST");
  assertEquals(seen[0]?.url, "https://example.com/a");
  assertEquals(seen[0]?.body, Uint8Array.from({ length: 256 }, (_, i) => i));
});

Deno.test("what the code prints becomes log entries, cut at the limit with a line that says so", async () => {
  const logs: ServerLog[] = [];
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(
    server(`
@tool
def talk(lines: int) -> str:
    for i in range(lines):
        print("line", i, "x" * 1000)
    return "said"
`),
    { onLog: (log) => logs.push(log) },
  ));
  assertEquals(await callTool(session, "talk", { lines: 2 }), "said");
  assertStringIncludes(logs.map((log) => log.text).join("\n"), "line 1 xxx");
  logs.length = 0;
  assertEquals(await callTool(session, "talk", { lines: 5000 }), "said");
  const bytes = logs.reduce((sum, log) => sum + log.text.length, 0);
  assert(bytes <= 260 * 1024, `${bytes} bytes of logs`);
  assertMatch(logs.at(-1)!.text, /truncated: the limit is 256 KiB per call/);
  assertEquals(await callTool(session, "talk", { lines: 1 }), "said");
});

Deno.test("a result over the limit is an error that names it, and the session lives", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(server(`
@tool
def big(megabytes: int) -> str:
    return "x" * (megabytes * 1024 * 1024)
`)));
  assertMatch(await callTool(session, "big", { megabytes: 9 }), /limit of 8 MiB/);
  assertEquals((await callTool(session, "big", { megabytes: 1 })).length, 1024 * 1024);
});

Deno.test("an entrypoint that raises is told with its traceback", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput("raise ValueError('no luck')"));
  assert(session.load.kind === "raised");
  assertStringIncludes(session.load.message + session.load.traceback, "no luck");
});
