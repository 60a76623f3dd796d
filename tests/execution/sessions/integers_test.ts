/** Integers of any size keep their value between client and server, and so do floats. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { RawJson } from "../../../src/protocol/raw_json.ts";
import { openHosts, sessionInput } from "../../helpers/interpreter.ts";
import { PATIENCE_MS } from "../../helpers/patience.ts";
import { inputOf } from "../../helpers/plain_json.ts";
import { harness, INITIALIZE, json, post, rpc } from "../harness.ts";

const BIG = "9007199254740993";
const LARGER = String(2n ** 70n);

const SOURCE = `
from typing import Any
from pydantic import BaseModel, Field
from SDK import FastMCP
mcp = FastMCP("big")
class M(BaseModel):
    channel_id: int
@mcp.tool()
def number() -> int: return ${LARGER}
@mcp.tool()
def model() -> M: return M(channel_id=${BIG})
@mcp.tool()
def mapping() -> dict[str, Any]: return {"id": ${BIG}, "float": 1.0, "small": 5e-324}
@mcp.tool()
def listed() -> list[int]: return [${BIG}, -${LARGER}]
@mcp.tool()
def default(id: int = Field(default=${BIG}, le=${LARGER})) -> str: return str(id)
@mcp.tool()
def echo(value: Any) -> str: return repr(value)
@mcp.tool()
def typed(id: int, m: M, d: dict[str, Any], x: float) -> str: return repr((id, m.channel_id, d, x))
@mcp.tool()
def long() -> dict[str, Any]: return {"id": 10**5000}
mcp.run()
`;

/** A session with the server, whose answers are text. */
async function opened(hosts: Awaited<ReturnType<typeof openHosts>>, sdk: string) {
  const session = await hosts.open(inputOf(sessionInput(SOURCE.replace("SDK", sdk))));
  async function ask(method: string, params: string): Promise<string> {
    const text = RawJson.checked(new TextEncoder().encode(params));
    const options = { deadlineMs: PATIENCE_MS, requestId: 1 };
    const outcome = await session.request(method, text, options);
    if (outcome.kind === "result") return outcome.result.text();
    return `${outcome.kind}: ${outcome.message}`;
  }
  return {
    ask,
    call: (name: string, args = "{}") =>
      ask("tools/call", `{"name":"${name}","arguments":${args}}`),
  };
}

for (const sdk of ["mcp.server.fastmcp", "fastmcp"]) {
  Deno.test(`${sdk}: integers and floats of results, arguments and schemas are exact`, async () => {
    await using hosts = await openHosts();
    const { ask, call } = await opened(hosts, sdk);
    assertStringIncludes(await call("number"), `"structuredContent":{"result":${LARGER}}`);
    assertStringIncludes(await call("model"), `"structuredContent":{"channel_id":${BIG}}`);
    const mapping = `"structuredContent":{"id":${BIG},"float":1.0,"small":5e-324}`;
    assertStringIncludes(await call("mapping"), mapping);
    assertStringIncludes(await call("listed"), `{"result":[${BIG},-${LARGER}]}`);
    assertStringIncludes(await call("default"), `"text":"${BIG}"`);
    assertStringIncludes(
      await call("echo", `{"value":[${LARGER},1.0,-${BIG}]}`),
      `[${LARGER}, 1.0, -${BIG}]`,
    );
    assertStringIncludes(
      await call("typed", `{"id":${BIG},"m":{"channel_id":${LARGER}},"d":{"a":${BIG}},"x":0.1}`),
      `(${BIG}, ${LARGER}, {'a': ${BIG}}, 0.1)`,
    );
    const list = await ask("tools/list", "{}");
    assertStringIncludes(list, `"default":${BIG}`);
    assertStringIncludes(list, `"maximum":${LARGER}`);
  });
}

Deno.test("a session outlives integers that Python does not read or write", async () => {
  await using hosts = await openHosts();
  const { call } = await opened(hosts, "mcp.server.fastmcp");
  assertStringIncludes(await call("echo", `{"value":${"7".repeat(5000)}}`), "digits");
  const answer = await call("long");
  assert(/^error: |"isError":true/.test(answer), answer.slice(0, 200));
  assertStringIncludes(await call("echo", '{"value":1}'), '"text":"1"');
});

Deno.test("ids and tokens beyond 2^53 are echoed, and name what is cancelled and how far it is", async () => {
  const started = Promise.withResolvers<AbortSignal>();
  const { send, hosts } = await harness({
    server: {
      answer(method, _params, options, session) {
        if (method !== "tools/call") return { kind: "result", result: {} };
        for (const token of [BigInt(BIG) - 1n, BigInt(BIG)]) {
          session.input.onNotification({
            method: "notifications/progress",
            params: RawJson.of({ progressToken: token, progress: 1 }),
            requestId: options.requestId,
          });
        }
        started.resolve(options.signal!);
        return new Promise((resolve) => {
          options.signal!.addEventListener(
            "abort",
            () => resolve({ kind: "error", code: -32603, message: "The call was cancelled" }),
          );
        });
      },
    },
  });
  await json(await send(post(INITIALIZE)), 200);
  const call = `{"jsonrpc":"2.0","id":${LARGER},"method":"tools/call","params":` +
    `{"name":"x","_meta":{"progressToken":${BIG}}}}`;
  const accept = { headers: { accept: "application/json, text/event-stream" } };
  const answering = send(post(call, accept));
  const signal = await started.promise;
  const cancel = (id: bigint) =>
    send(post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`));
  await cancel(BigInt(LARGER) + 1n);
  assertEquals(signal.aborted, false);
  await cancel(BigInt(LARGER));
  assertEquals(signal.aborted, true);
  const text = await (await answering).text();
  assertStringIncludes(text, `"params":{"progressToken":${BIG},"progress":1}`);
  assert(!text.includes(String(BigInt(BIG) - 1n)));
  assertStringIncludes(text, `{"jsonrpc":"2.0","id":${LARGER},"error":`);
  assertEquals(hosts.sessions[0]!.requests[0]!.options.requestId, BigInt(LARGER));
});

Deno.test("what a client says of itself and answers to questions keeps its numbers", async () => {
  const outcomes: unknown[] = [];
  const { send, hosts } = await harness({
    server: {
      async answer(method, _params, { requestId }, session) {
        if (method !== "tools/call") return { kind: "result", result: {} };
        const question = {
          method: "elicitation/create" as const,
          params: RawJson.checked(new TextEncoder().encode(
            `{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"integer","default":${BIG}}}}}`,
          )),
          requestId,
          timeoutMs: null,
        };
        outcomes.push(await session.exact.ask(question, new AbortController().signal));
        return { kind: "result", result: {} };
      },
    },
  });
  await json(await send(post(rpc("initialize", { capabilities: { elicitation: {} } }))), 200);
  const accept = { headers: { accept: "application/json, text/event-stream" } };
  const response = await send(post(rpc("tools/call", { name: "x" }), accept));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let asked = "";
  while (!asked.includes("elicitation/create")) asked += (await reader.read()).value;
  assertStringIncludes(asked, `"default":${BIG}`);
  const id = /"id":(\d+)/.exec(asked)![1];
  const answer = `{"action":"accept","content":{"a":${LARGER}}}`;
  await send(post(`{"jsonrpc":"2.0","id":${id},"result":${answer}}`));
  while (!(await reader.read()).done);
  assertEquals((outcomes[0] as { result: RawJson }).result.text(), answer);
  assertEquals(hosts.sessions.length, 1);
});
