/** Attacks: what a session returns is made to keep the node busy, or to say more than one answer. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createAskRelay } from "../../src/execution/interpreters/asks.ts";
import { createOutputBounds } from "../../src/execution/interpreters/output.ts";
import { createResultReader } from "../../src/execution/interpreters/results.ts";
import { eventsOf, harness, json, post, rpc } from "../execution/harness.ts";
import { openHosts } from "../helpers/interpreter.ts";

/** A server whose code puts any text in the place of a call's outcome. */
const SOURCE = `
from berth_runtime import wire
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("forger")
honest = wire.text_of
forged = []
wire.text_of = lambda data: forged.pop() if forged else honest(data)
@mcp.tool()
def forge(text: str) -> str:
    forged.append(text)
    return ""
mcp.run()
`;
const STREAM = { headers: { accept: "text/event-stream" } };
const MARKER = "of-the-result";

/** Runs `body` and gives what JSON.parse was given meanwhile. */
async function parsedWhile(body: () => Promise<void>): Promise<string[]> {
  const given: string[] = [];
  const { parse } = JSON;
  JSON.parse = (text, ...rest) => {
    given.push(text);
    return parse(text, ...rest);
  };
  try {
    await body();
  } finally {
    JSON.parse = parse;
  }
  return given;
}

async function forger(hosts: Awaited<ReturnType<typeof openHosts>>) {
  const { send } = await harness({ sandbox: hosts, source: SOURCE });
  let sessions = 0;
  return {
    begin: () => sessions++,
    forge: (text: string, options = {}) =>
      send(post(rpc("tools/call", { name: "forge", arguments: { text } }, 7), {
        session: `s${sessions}`,
        ...options,
      })),
  };
}

Deno.test("an outcome that is not one JSON text ends the session, and says nothing of its own", async () => {
  await using hosts = await openHosts();
  const { begin, forge } = await forger(hosts);
  const result = '{"content":[]}';
  for (
    const text of [
      `{"kind":"result","result":${result}},"id":8}`,
      `{"kind":"result","result":${result}}\n\nevent: message\ndata: {"smuggled":1}\n\n`,
      `{"kind":"result","result":{\n"smuggled":1}}`,
      '{"kind":"result","result":{"a":"\r\ndata: {"smuggled":1}"}}',
      '{"kind":"result","result":{"a":"\u0000smuggled"}}',
      `{"kind":"result","result":{},"result":{"smuggled":1}}`,
      `{"kind":"result","result":${"[".repeat(2000)}${"]".repeat(2000)}}`,
    ]
  ) {
    begin();
    const response = await forge(text, STREAM);
    const events = await eventsOf(response).rest();
    const messages = events.flatMap(({ message }) => message === undefined ? [] : [message]);
    assertEquals(messages.map(({ id }) => id), [7], text.slice(0, 60));
    assertEquals(messages[0].error.data, { reason: "session_ended", ended: "protocol" });
    assert(!JSON.stringify(messages).includes("smuggled"));
  }
});

Deno.test("a result with members of a message, names twice and escaped lines is one answer", async () => {
  await using hosts = await openHosts();
  const { forge } = await forger(hosts);
  const members = '"id":8,"jsonrpc":"1.0","error":{"code":1},"a":1,"a":2,' +
    '"b":"\\n\\ndata: {}\\n\\n\\u000a","content":[],"c":"\u2028"';
  const text = `{"kind":"result","result":{${members}}}`;
  const wanted = `{"jsonrpc":"2.0","id":7,"result":{${members}}}`;
  assertEquals(await (await forge(text)).text(), wanted);
  const streamed = await (await forge(text, STREAM)).text();
  assertEquals(streamed.split("\n").filter((line) => line.startsWith("data: {")), [
    `data: ${wanted}`,
  ]);
});

Deno.test("results are built by nobody in the main process, deep, wide or long", async () => {
  await using hosts = await openHosts();
  const { forge } = await forger(hosts);
  const wide = `[${"[],".repeat(300_000)}"${MARKER}"]`;
  const deep = `${"[".repeat(900)}"${MARKER}"${"]".repeat(900)}`;
  const many = `{${Array.from({ length: 20_000 }, (_, at) => `"${at}":"${MARKER}"`).join()}}`;
  const given = await parsedWhile(async () => {
    for (const value of [wide, deep, many, `"${MARKER}${"x".repeat(1_000_000)}"`]) {
      for (const options of [{}, STREAM]) {
        const text = `{"kind":"result","result":{"content":[],"structuredContent":${value}}}`;
        const response = await forge(text, options);
        assertEquals((await response.text()).includes(MARKER), true);
      }
    }
  });
  assertEquals(given.filter((text) => text.includes(MARKER)), []);
});

Deno.test("a session cannot have more read than its share: results, events and questions", async () => {
  const stands = () => 0;
  const bytes = (text: string) => new TextEncoder().encode(text);
  const large = bytes(`{"kind":"result","result":{"a":"${"x".repeat(1_000_000)}"}}`);
  const read = createResultReader(stands);
  const kinds = [];
  for (let i = 0; i < 100; i++) kinds.push((await read(large)).kind);
  assert(kinds.filter((kind) => kind === "result").length <= 68);

  const bounds = createOutputBounds(stands);
  let events = 0;
  for (let i = 0; i < 1000; i++) if (bounds.read(500_000)) events++;
  assert(events <= 68);
  let small = 0;
  for (let i = 0; i < 9000; i++) if (createOutputBounds(stands).read(1)) small++;
  assertEquals(small, 9000);

  const sent: string[] = [];
  let asked = 0;
  const relay = createAskRelay({
    ask() {
      asked++;
      return Promise.resolve({ kind: "result", result: {} });
    },
    callOf: () => null,
    pause: () => () => {},
    send: (_command, body) => void sent.push(new TextDecoder().decode(body?.[0])),
    onAsked() {},
    onBreach(error) {
      throw error;
    },
  });
  const question = bytes(`{"method":"ping","params":{"a":"${"x".repeat(4_000_000)}"}}`);
  for (let i = 1; i <= 20; i++) {
    relay.handle(i, question);
    while (sent.length < i) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  assert(asked <= 9);
  assertStringIncludes(sent.at(-1)!, "MiB per minute");
});

Deno.test("a client's own body is not built either", async () => {
  const { send } = await harness();
  const given = await parsedWhile(async () => {
    const value = `[${"[],".repeat(500_000)}"${MARKER}"]`;
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":${value}}}`;
    await json(await send(post(call)), 200);
    const message = `{"jsonrpc":"2.0","id":1,"result":${value}}`;
    assertEquals((await send(post(message))).status, 202);
  });
  assertEquals(given.filter((text) => text.includes(MARKER)), []);
});
