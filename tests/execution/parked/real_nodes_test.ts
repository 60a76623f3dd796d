/**
 * Sessions that go on at another node: real interpreters, hosts of their own for each node, and a
 * database that the nodes share.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Sql } from "../../../src/database/client.ts";
import type { Execution } from "../../../src/execution/execution.ts";
import { createDepot, STORED_MAX_BYTES } from "../../../src/execution/parked/depot.ts";
import { parkedStore } from "../../../src/execution/parked/store.ts";
import { runtimeOf } from "../../../src/services/parked.ts";
import { openHosts, testInterpreter, until } from "../../helpers/interpreter.ts";
import { recordingLogger } from "../../helpers/log.ts";
import { describeNodes, openEmbeddedNodes } from "../../helpers/nodes.ts";
import { INITIALIZE, json, post, rpc, storedScript } from "../harness.ts";
import { oneFileExecution } from "../../helpers/one_file_execution.ts";
import { testSealer } from "./memory_depot.ts";

const SOURCE = `
import asyncio, os, random, re, time
import pydantic
from mcp.server.fastmcp import FastMCP, Context
mcp = FastMCP("test")

class Entry(pydantic.BaseModel):
    number: int
    text: str = pydantic.Field(min_length=1)

entries = []
words = {word: len(word) for word in ["one", "two", "three"]}
dice = random.Random(7)

@mcp.tool()
async def note(text: str) -> str:
    entries.append(Entry(number=str(len(entries)), text=text))
    with open("/tmp/notes.txt", "a") as file:
        file.write(text)
    return "|".join([
        os.environ["KEY"], ",".join(entry.model_dump_json() for entry in entries),
        str(words), str(dice.random()), open("/tmp/notes.txt").read(), str(hash("x")),
    ])

@mcp.tool()
def invalid() -> str:
    try:
        Entry(number="x", text="")
    except pydantic.ValidationError as error:
        return str(error.error_count())

mcp.run()
`;
const BYTES = new TextEncoder().encode(SOURCE);
const HEADERS = { "mcp-server-environment": btoa(JSON.stringify({ KEY: "secret-key-1" })) };

interface Node extends AsyncDisposable {
  execution: Execution;
  lines: Record<string, unknown>[];
  sessions(): number;
  note(text: string): Promise<string>;
  send(request: Request): Promise<Response>;
}

async function startNode(sql: Sql, { key = 1, parkAfterSeconds = 600 } = {}): Promise<Node> {
  const hosts = await openHosts({ warmSessions: 1 });
  const { log, lines } = recordingLogger();
  const { folder } = await testInterpreter();
  const execution = await oneFileExecution(BYTES, {
    sql,
    hosts,
    log,
    depot: createDepot({
      store: parkedStore(sql, STORED_MAX_BYTES),
      sealer: await testSealer(key),
      runtime: await runtimeOf({ INTERPRETER_PROFILE: "full" }, folder, null),
      maxBytes: 1024 * 2 ** 20,
      log,
    }),
    stored: storedScript,
    settings: { parkAfterSeconds, parkedMb: 64 },
  });
  const send = (request: Request) =>
    execution.transport.handle(request, { clientAddress: "192.0.2.1", requestId: "r" });
  return {
    execution,
    lines,
    send,
    sessions: () => hosts.stats().sessions,
    async note(text) {
      const call = rpc("tools/call", { name: "note", arguments: { text } });
      const { result, error } = await json(await send(post(call)), 200);
      assert(result !== undefined, JSON.stringify(error));
      return result.content[0].text;
    },
    async [Symbol.asyncDispose]() {
      await execution.close();
      await hosts.close();
    },
  };
}

describeNodes((kind, open) => {
  Deno.test(`a session goes on at another node with its values, files, packages and environment (${kind})`, async () => {
    const { nodes: [a, b], close } = await open();
    try {
      const seen: string[][] = [];
      {
        await using first = await startNode(a, { parkAfterSeconds: 1 });
        await json(await first.send(post(INITIALIZE, { headers: HEADERS })), 200);
        seen.push((await first.note("a")).split("|"));
        // One is parked when its node ends, the next is live.
        await until(() => first.execution.live.list()[0]!.state === "parked");
      }
      {
        await using second = await startNode(b);
        seen.push((await second.note("b")).split("|"));
        const invalid = rpc("tools/call", { name: "invalid", arguments: {} });
        const { result } = await json(await second.send(post(invalid)), 200);
        assertEquals(result.content[0].text, "2");
        assert(!JSON.stringify(second.lines).includes("secret-key-1"));
      }
      await using third = await startNode(a);
      seen.push((await third.note("c")).split("|"));
      const dice = [0.32383276483316237, 0.15084917392450192, 0.6509344730398537];
      const entries = ["a", "b", "c"].map((text, number) => JSON.stringify({ number, text }));
      seen.forEach(([key, noted, words, number, file, hash], i) => {
        assertEquals(key, "secret-key-1");
        assertEquals(noted, entries.slice(0, i + 1).join());
        assertEquals(words, "{'one': 3, 'two': 3, 'three': 5}");
        assertEquals(Number(number), dice[i]);
        assertEquals(file, "abc".slice(0, i + 1));
        assertEquals(hash, seen[0]![5]);
      });
      assertEquals(third.sessions(), 1);
    } finally {
      await close();
    }
  });
});

Deno.test("what was stored and is no session any more ends as one that cannot be resumed", async () => {
  const { nodes: [sql], close } = await openEmbeddedNodes();
  try {
    {
      await using first = await startNode(sql);
      await json(await first.send(post(INITIALIZE, { headers: HEADERS })), 200);
      await first.note("a");
    }
    const [row] = await sql<{ id: string; secret: number }[]>`
      select id, position('secret-key-1'::bytea in bytes) as secret
      from parked_session_parts where part = 0`;
    assertEquals(row?.secret, 0);
    await using other = await startNode(sql, { key: 2 });
    const { error } = await json(await other.send(post(rpc("tools/list"))), 404);
    assertMatch(error.message, /Session not found/);
    await sql`update parked_session_parts set bytes = set_byte(bytes, 1000, 255 - get_byte(bytes, 1000))`;
    await using second = await startNode(sql);
    assertEquals((await second.send(post(rpc("tools/list")))).status, 404);
    assertEquals(second.sessions(), 0);
    await json(await second.send(post(INITIALIZE, { headers: HEADERS })), 200);
  } finally {
    await close();
  }
});
