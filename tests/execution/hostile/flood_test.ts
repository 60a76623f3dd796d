import { assert, assertEquals, assertLess, assertMatch } from "@std/assert";
import type { ServerLog } from "../../../src/execution/interpreters/types.ts";
import { callTool, server } from "../../helpers/interpreter.ts";
import { ANYTHING, openArena } from "./arena.ts";

const CUT = /limit is 256 KiB per call|\(line truncated at 8192 characters\)/;

/** Output without end, and what it must be cut down to. */
const OUTPUT: [name: string, code: string][] = [
  ["many lines", "for i in range(20_000): print('x' * 200)"],
  ["one line without end", "print('x' * 20_000_000)"],
  ["a line in pieces", "import sys\nfor i in range(200_000): sys.stdout.write('xxxxx')"],
  ["stderr", "import sys\nfor i in range(20_000): print('x' * 200, file=sys.stderr)"],
  ["the descriptor itself", "import os\nfor i in range(5000): os.write(1, b'x' * 1000 + b'\\n')"],
  ["the logging module", "import logging\nfor i in range(20_000): logging.error('x' * 200)"],
  ["warnings", "import warnings\nfor i in range(5000): warnings.warn('x' * 200 + str(i))"],
  ["control characters", "for i in range(20_000): print('\\x1b[2J\\r\\0' * 40)"],
];

/** Results that are not what they should be. */
const RESULTS: [name: string, code: string, given: RegExp][] = [
  ["a result over the limit", "out = 'x' * (9 << 20)", /limit of 8 MiB/],
  ["a result of characters that take more bytes", "out = '\\u4f60' * (4 << 20)", /limit of 8 MiB/],
  ["an error with a huge message", "raise ValueError('x' * (20 << 20))", /^raised ValueError: x/],
  ["half a character", "out = '\\ud800'", /./],
  ["text that ends the line of a frame", "out = '\\n\\n\\0\\r\\n'", /./],
];

const LISTS = server(`
import os
class Many: pass
def make(i, text):
    def f() -> str: return ""
    f.__name__ = f"t{i}"
    f.__doc__ = text
    mcp.tool()(f)
kind = os.environ["KIND"]
if kind == "count":
    for i in range(1200): make(i, "x")
if kind == "size":
    make(0, "x" * 300_000)
if kind == "total":
    for i in range(100): make(i, "x" * 50_000)
@tool
def quick() -> str:
    return "quick"
`);

Deno.test("hostile: floods are cut, and say so", async (t) => {
  await using arena = await openArena({ maxSessions: 64 });
  await t.step("output is cut at the limit, with a line that says so", async (t) => {
    const logs: ServerLog[] = [];
    const { session } = await arena.open(ANYTHING, { onLog: (log) => logs.push(log) });
    for (const [name, code] of OUTPUT) {
      await t.step(name, async () => {
        logs.length = 0;
        await callTool(session, "py", { code });
        const bytes = logs.reduce((sum, { text }) => sum + text.length, 0);
        assertLess(bytes, 300 * 1024);
        assertMatch(logs.map(({ text }) => text.slice(-100)).join("\n"), CUT);
        logs.length = 0;
        // The next call has its own budget.
        await callTool(session, "py", { code: "print('after')" });
        assertEquals(logs.map(({ text }) => text.trim()), ["after"]);
      });
    }
    await arena.check("output");
  });

  await t.step("notifications are passed on at a rate, and the rest is counted", async () => {
    const logs: string[] = [];
    let notifications = 0;
    const { session } = await arena.open(
      server(`
from mcp.server.fastmcp import Context
@tool
async def flood(ctx: Context) -> str:
    for i in range(5000):
        await ctx.report_progress(i, 5000)
        await ctx.session.send_tool_list_changed()
    return "done"
@tool
def quick() -> str:
    return "quick"
`),
      { onLog: ({ text }) => logs.push(text), onNotification: () => notifications++ },
    );
    const start = performance.now();
    assertEquals(await callTool(session, "flood"), "done");
    await callTool(session, "quick");
    const seconds = Math.ceil((performance.now() - start) / 1000) + 1;
    assert(notifications <= 200 + 100 * seconds, `${notifications} in ${seconds} s`);
    assertMatch(logs.join("\n"), /notifications were dropped: the limit is 100 per second/);
    await arena.check("notifications");
  });

  await t.step("results that are too large or odd are answers or errors", async (t) => {
    const { session } = await arena.open();
    for (const [name, code, given] of RESULTS) {
      await t.step(name, async () => {
        assertMatch(await callTool(session, "py", { code }), given);
        assertEquals(await callTool(session, "quick"), "quick");
      });
    }
    await arena.check("results");
  });

  await t.step("lists that are too long name the limit", async (t) => {
    const kinds: [kind: string, given: RegExp][] = [
      ["count", /too many tools: the limit is 1000/],
      ["size", /"t0"\) of 29\d KiB: .*256 KiB/],
      ["total", /tools of 5 MiB: the limit is 4 MiB/],
    ];
    for (const [kind, given] of kinds) {
      await t.step(kind, async () => {
        const { session } = await arena.open(LISTS, { environment: { KIND: kind } });
        const options = { deadlineMs: 600_000, requestId: 1 };
        const outcome = await session.request("tools/list", {}, options);
        assert(outcome.kind === "error", JSON.stringify(outcome).slice(0, 300));
        assertMatch(outcome.message, given);
        assertEquals(await callTool(session, "quick"), "quick");
        await session.close();
      });
    }
    await arena.check("lists");
  });

  await t.step(
    "the console of JavaScript goes nowhere, and its error stream ends the host",
    async () => {
      const quiet = await arena.open();
      const log = "for (let i = 0; i < 20000; i++) console.log('x'.repeat(500)); return 'done'";
      assertEquals(await callTool(quiet.session, "js", { code: log }), "done");
      await arena.check("console.log");
      const loud = await arena.open(ANYTHING, { server: "loud" });
      const error = "for (;;) console.error('x'.repeat(10000))";
      assertMatch(
        await callTool(loud.session, "js", { code: error }),
        /^\[ended: protocol\]/,
      );
      assertEquals(arena.kills.map(({ server, reason }) => [server, reason]), [[
        "loud",
        "protocol",
      ]]);
      await arena.check("console.error");
    },
  );

  await t.step("HTTP requests of a loop come one at a time", async () => {
    let open = 0;
    let most = 0;
    const { session } = await arena.open(ANYTHING, {
      async http() {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 5));
        open--;
        return { kind: "error", error: "refused", message: "No network in tests" };
      },
    });
    const python =
      "import requests\nn = 0\nfor i in range(50):\n  try: requests.get('http://x/')\n" +
      "  except requests.RequestException: n += 1\nout = n";
    assertEquals(await callTool(session, "py", { code: python }), "50");
    assertEquals(most, 1);
    await arena.check("http");
  });
});
