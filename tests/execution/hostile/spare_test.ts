/**
 * What a hostile server tries while it waits for a client that it does not have.
 *
 * @module
 */
import { assertEquals, assertMatch } from "@std/assert";
import type { HostKill } from "../../../src/execution/hosts/types.ts";
import { startSpare } from "../../../src/execution/spares/spare.ts";
import { openHosts, server, until } from "../../helpers/interpreter.ts";

/** A server that starts JavaScript for later. */
function later(code: string): string {
  return server(`
from pyodide.code import run_js
run_js(${JSON.stringify(code)})
`);
}

function codeOf(source: string) {
  return {
    server: "attacker",
    files: new Map([["main.py", new TextEncoder().encode(source)]]),
    entrypoint: "main.py",
    profile: "full",
  } as const;
}

/** Starts `source` as a spare session, and waits for the fault that it comes to have. */
async function faultOf(source: string): Promise<{ fault: string | null; kills: HostKill[] }> {
  await using hosts = await openHosts();
  const kills: HostKill[] = [];
  hosts.onKill((kill) => kills.push(kill));
  const spare = await startSpare(hosts, codeOf(source));
  if (typeof spare === "string") return { fault: spare, kills };
  await until(() => spare.fault !== null);
  await spare.close();
  assertEquals(hosts.room(), 20);
  return { fault: spare.fault, kills };
}

Deno.test("hostile: a spare session that computes while it waits is ended, well before a session would be", async () => {
  const { fault, kills } = await faultOf(later(
    "setInterval(() => { const end = Date.now() + 400; while (Date.now() < end); }, 500)",
  ));
  assertEquals([fault, kills.map(({ reason }) => reason)], ["ended", ["processor"]]);
  assertMatch(kills[0]!.message, /more than 3 s within 30 s/);
});

Deno.test("hostile: a spare session that fills memory while it waits is ended", async () => {
  const { fault, kills } = await faultOf(later(
    "const kept = []; setInterval(() => kept.push(new Uint8Array(1 << 26).fill(1)), 20)",
  ));
  assertEquals([fault, kills.length], ["ended", 1]);
});

Deno.test("hostile: a spare session that breaks its worker is waited for by nobody", async () => {
  const { fault } = await faultOf(later("setTimeout(() => { throw new Error('late') }, 50)"));
  assertEquals(fault, "ended");
});

Deno.test("hostile: a server that exits, raises or uses the network while it starts waits for nobody", async () => {
  const cases: [source: string, fault: string][] = [
    ["import sys\nsys.exit(0)\n", "not_started"],
    [
      server(
        "import requests\ntry:\n    requests.get('http://a.example')\nexcept Exception: pass\n",
      ),
      "network",
    ],
    ["raise RuntimeError('no')\n", "not_started"],
  ];
  for (const [source, fault] of cases) assertEquals((await faultOf(source)).fault, fault, source);
});
