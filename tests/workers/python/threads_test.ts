import { assertEquals, assertStringIncludes } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

const SERVER = `
import asyncio, logging.handlers, queue, signal, threading, time
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("threads")
ticks = []
stop = threading.Event()
loop = asyncio.new_event_loop()

def tick():
    while True:
        ticks.append(threading.current_thread().name)
        time.sleep(3600)

async def work(x):
    await asyncio.sleep(0.01)
    return x * 2

threading.Thread(target=tick, name="ticker", daemon=True).start()
threading.Thread(target=stop.wait, daemon=True).start()
threading.Thread(target=queue.Queue().get, daemon=True).start()
threading.Thread(target=queue.SimpleQueue().get, daemon=True).start()
threading.Thread(target=loop.run_forever, daemon=True).start()
threading.Timer(3600, tick).start()
logging.handlers.QueueListener(queue.Queue()).start()
signal.alarm(0)
signal.signal(signal.SIGTERM, lambda *_: None)

@mcp.tool()
def seen() -> list[str]: return ticks
@mcp.tool()
def joined() -> str:
    found = []
    thread = threading.Thread(target=found.append, args=(1,))
    before = thread.is_alive()
    thread.start()
    thread.join()
    here = threading.current_thread() is threading.main_thread()
    return str([found, before, thread.is_alive(), here])
@mcp.tool()
def raised() -> list[str]:
    found = []
    threading.excepthook, plain = lambda it: found.append(it.exc_type.__name__), threading.excepthook
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    threading.excepthook = plain
    return found
@mcp.tool()
def twice():
    thread = threading.Thread(target=print)
    thread.start()
    thread.start()
@mcp.tool()
def forever():
    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    assert thread.is_alive()
    thread.join(0.01)
    thread.join()
@mcp.tool()
def handed_over() -> int:
    return asyncio.run_coroutine_threadsafe(work(21), loop).result(5)
@mcp.tool()
async def signals() -> str:
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, print)
    return "set"
@mcp.tool()
def timed_out() -> bool: return threading.Event().wait(0.01)
`;

Deno.test("threads that only wait let a server start, and are left where they wait", async () => {
  const load = await python.load({ "server.py": SERVER });
  assertEquals(load.kind, "loaded", JSON.stringify(load));
  const wanted: [name: string, result: unknown][] = [
    ["seen", ["ticker"]],
    ["joined", "[[1], False, False, True]"],
    ["raised", ["ZeroDivisionError"]],
    ["handed_over", 42],
    ["signals", "set"],
    ["timed_out", false],
  ];
  for (const [name, result] of wanted) {
    const found = await python.tool(name);
    assertEquals(found.structuredContent?.result, result, `${name}: ${JSON.stringify(found)}`);
  }
  assertStringIncludes(await python.text("twice"), "threads can only be started once");
});

Deno.test("waiting for a thread that goes no further fails, and says why", async () => {
  await python.load({ "server.py": SERVER });
  assertStringIncludes(await python.text("forever"), "threads are not available in the sandbox");
});
