import { assertEquals, assertGreater, assertLess, assertMatch } from "@std/assert";
import {
  callTool,
  openTestHosts,
  server,
  sessionInput,
  watchEnd,
} from "../../helpers/interpreter.ts";

const QUICK = `
@tool
def quick() -> str:
    return "quick"
`;

Deno.test("Python meets the memory ceiling as MemoryError and the session goes on", async () => {
  await using hosts = await openTestHosts({ memoryMb: 128 });
  const session = await hosts.open(sessionInput(server(`
@tool
def fill() -> str:
    held = []
    try:
        while True: held.append(bytearray(1 << 20))
    except MemoryError:
        return str(len(held))
${QUICK}`)));
  const megabytes = Number(await callTool(session, "fill"));
  assertGreater(megabytes, 40);
  assertLess(megabytes, 128);
  assertEquals(await callTool(session, "quick"), "quick");
});

Deno.test("the memory ceiling cannot be raised from JavaScript", async () => {
  await using hosts = await openTestHosts({ memoryMb: 128 });
  const session = await hosts.open(sessionInput(server(`
@tool
def grow() -> str:
    import pyodide_js
    memory = pyodide_js._module.memory
    try:
        memory.grow(4096)
        return "grown"
    except Exception as error:
        return "refused " + str(error)
${QUICK}`)));
  assertMatch(await callTool(session, "grow"), /^refused RangeError/);
});

Deno.test("a JavaScript heap bomb ends only the hosts of its server", async () => {
  await using hosts = await openTestHosts();
  const { ended, onEnd } = watchEnd();
  const bomb = await hosts.open(sessionInput(
    server(`
@tool
def bomb() -> str:
    from pyodide.code import run_js
    run_js("const held = []; for (;;) held.push(new Array(100000).fill(Math.random()))")
    return ""
`),
    { server: "bomb", onEnd },
  ));
  const other = await hosts.open(sessionInput(server(QUICK)));
  assertMatch(await callTool(bomb, "bomb"), /^\[ended: memory\].*ran out of memory/);
  assertEquals(await ended, "memory");
  assertEquals(await callTool(other, "quick"), "quick");
  assertEquals(hosts.stats().hosts, 1);
});

Deno.test("array buffers, which no heap counts, are refused before they fill the machine", async () => {
  // Nobody looks: else the host would be ended before it meets the limit of the system.
  await using hosts = await openTestHosts({
    sessionsPerHost: 1,
    readUsage: () => Promise.resolve(new Map()),
  });
  const session = await hosts.open(sessionInput(server(`
@tool
def fill() -> str:
    from pyodide.code import run_js
    return str(run_js("""(() => {
      const held = [];
      try {
        for (let i = 0; i < 200; i++) held.push(new Uint8Array(64 << 20).fill(1));
      } catch (error) {
        return held.length * 64 + " " + error;
      }
      return "none refused";
    })()"""))
${QUICK}`)));
  const text = await callTool(session, "fill", {}, { deadlineMs: 60_000 });
  assertMatch(text, /^\d+ RangeError/);
  assertLess(parseInt(text), 2000);
  assertEquals(await callTool(session, "quick"), "quick");
});
