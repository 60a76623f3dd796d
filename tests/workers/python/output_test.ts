import { assertEquals } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

async function call(body: string, start = ""): Promise<unknown> {
  const indented = body.trim().replaceAll("\n", "\n    ");
  const load = await python.load({
    "server.py": `
import logging, sys, warnings
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("out")
${start}
@mcp.tool()
def work():
    ${indented}
`,
  });
  if (load.kind !== "loaded") throw new Error(JSON.stringify(load));
  python.events.length = 0;
  return await python.tool("work");
}

const logs = () => python.events.map(({ level, logger, text }) => [level, logger, text]);

Deno.test("output becomes log events line by line and never part of a result", async () => {
  const result = await call(`
print("one\\ntwo")
print("three", end="")
sys.stderr.write("warn\\n")
sys.stdout.buffer.write("b\\u00fctes\\n".encode())
return "done"
`);
  assertEquals(result, { content: [{ type: "text", text: "done" }], isError: false });
  assertEquals(logs(), [
    ["info", "stdout", "one"],
    ["info", "stdout", "two"],
    ["warning", "stderr", "warn"],
    ["info", "stdout", "threebütes"],
  ]);
});

Deno.test("logging keeps its levels and loggers, however it is set up", async () => {
  const body = `
log = logging.getLogger("weather")
log.debug("d")
log.info("i")
log.warning("w %s", 1)
try:
    1 / 0
except ZeroDivisionError:
    log.exception("e")
`;
  await call(body);
  assertEquals(logs().map(([level, logger]) => [level, logger]), [
    ["warning", "weather"],
    ["error", "weather"],
  ]);
  await call(body, `logging.basicConfig(level=logging.DEBUG, format="%(levelname)s:%(message)s")`);
  assertEquals(logs().slice(0, 3), [
    ["debug", "weather", "DEBUG:d"],
    ["info", "weather", "INFO:i"],
    ["warning", "weather", "WARNING:w 1"],
  ]);
  await python.run("import logging; logging.basicConfig(force=True, level=logging.WARNING)");
});

Deno.test("output of a call is bounded", async () => {
  await call(`
for i in range(100000):
    print("x" * 100)
print("y" * 100000)
`);
  const bytes = python.events.reduce((sum, { text }) => sum + (text?.length ?? 0) + 1, 0);
  assertEquals(bytes < 257 * 1024, true);
  assertEquals(python.events.at(-1)?.text, "Output truncated: the limit is 256 KiB per call");
  python.events.length = 0;
  await python.tool("work");
  assertEquals(python.events.length > 0, true);
});

Deno.test("reading standard input gives its end at once", async () => {
  const result = await call(`
try:
    input("?")
except EOFError:
    return repr(sys.stdin.read())
`);
  assertEquals((result as { content: { text: string }[] }).content[0]!.text, "''");
});

Deno.test("results hold valid JSON whatever a tool returns", async () => {
  await python.load({
    "server.py": `
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("json")
@mcp.tool()
def odd() -> dict[str, float]: return {"a": float("nan"), "b": float("inf"), "c": 1.5}
@mcp.tool()
def surrogate() -> str: return "a\\ud800b"
`,
  });
  const odd = await python.tool("odd");
  assertEquals(odd.structuredContent, { a: null, b: null, c: 1.5 });
  assertEquals((await python.text("surrogate")).length, 3);
});
