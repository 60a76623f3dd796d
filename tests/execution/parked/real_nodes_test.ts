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
import { linkedInterpreter, testImages } from "../../helpers/made_images.ts";
import type { PreparedInterpreter } from "../../../src/setup/setup.ts";
import { systemClock } from "../../../src/execution/clock.ts";
import { storeBounds } from "../../../src/execution/parked/bounds.ts";
import { imageRows } from "../../../src/execution/parked/image_rows.ts";
import {
  createSharedImages,
  STORED_IMAGE_MAX_BYTES,
} from "../../../src/execution/parked/images.ts";
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

interface Start {
  key?: number;
  parkAfterSeconds?: number;
  bytes?: Uint8Array<ArrayBuffer>;
  stored?: typeof storedScript;
  /** An interpreter of its own, and the images that it has made. */
  own?: { interpreter: PreparedInterpreter; images: Awaited<ReturnType<typeof testImages>> };
}

async function startNode(
  sql: Sql,
  { key = 1, parkAfterSeconds = 600, bytes = BYTES, stored = storedScript, own }: Start = {},
): Promise<Node> {
  const interpreter = own?.interpreter ?? await testInterpreter();
  const hosts = await openHosts({ warmSessions: 1, interpreter, made: own?.images.made });
  const { log, lines } = recordingLogger();
  const sealer = await testSealer(key);
  const imageStore = own?.images.store ?? null;
  const maxBytes = 1024 * 2 ** 20;
  const execution = await oneFileExecution(bytes, {
    sql,
    hosts,
    log,
    depot: createDepot({
      store: parkedStore(sql, STORED_MAX_BYTES),
      sealer,
      runtime: await runtimeOf({ INTERPRETER_PROFILE: "full" }, interpreter.folder, imageStore),
      images: imageStore === null ? null : createSharedImages({
        rows: imageRows(sql, STORED_IMAGE_MAX_BYTES),
        sealer,
        images: imageStore,
        bounds: storeBounds(maxBytes),
        clock: systemClock,
        log,
      }),
      maxBytes,
      log,
    }),
    stored,
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

const IMAGED = `
import os
import yaml
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("test")
notes = []

@mcp.tool()
def note(text: str) -> str:
    notes.append(yaml.safe_load(text))
    return f"{os.path.exists(yaml.__file__)} {notes} {hash('x')}"

mcp.run()
`;

describeNodes((kind, open) => {
  Deno.test(`a session whose image its node made goes on at a node that lacks it (${kind})`, async () => {
    const { nodes: [a, b], close } = await open();
    await using made = await linkedInterpreter();
    await using plain = await linkedInterpreter();
    await using images = await testImages(made);
    await using none = await testImages(plain);
    const node = (sql: Sql, own: NonNullable<Start["own"]>) =>
      startNode(sql, {
        bytes: new TextEncoder().encode(IMAGED),
        stored: async () => {
          const { scanned, packages } = await storedScript("", "");
          return { scanned: { ...scanned!, imports: ["mcp", "yaml"] }, packages };
        },
        own,
      });
    try {
      const noted: string[] = [];
      {
        await using first = await node(a, { interpreter: made, images });
        await json(await first.send(post(INITIALIZE)), 200);
        assertMatch(await first.note("[1]"), /^True/);
        await images.made.idle();
        assertEquals(images.store.figures().images, 1);
      }
      await a`delete from parked_sessions`;
      await a`delete from execution_sessions`;
      {
        await using first = await node(a, { interpreter: made, images });
        await json(await first.send(post(INITIALIZE)), 200);
        noted.push(await first.note("{a: 1}"));
      }
      assertEquals(none.store.figures().images, 0);
      {
        await using second = await node(b, { interpreter: plain, images: none });
        noted.push(await second.note("{b: 2}"));
        assertEquals(second.lines.map((line) => line["event"]).includes("image.received"), true);
      }
      assertEquals(Object.values(none.store.images()).map(({ packages }) => packages), [[
        "pyyaml",
      ]]);
      // Back where it began: there it has another name.
      await using third = await node(a, { interpreter: made, images });
      noted.push(await third.note("{c: 3}"));
      assertEquals(images.store.figures().images, 1);
      const hash = noted[0]!.split(" ").at(-1);
      assertEquals(noted, [
        `False [{'a': 1}] ${hash}`,
        `False [{'a': 1}, {'b': 2}] ${hash}`,
        `False [{'a': 1}, {'b': 2}, {'c': 3}] ${hash}`,
      ]);
      const [{ found } = {}] = await a`select count(*)::int as found from parked_images`;
      assertEquals(found, 1);
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
