import { assertEquals, assertStringIncludes } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

/** Loads a server whose tools are the functions of `source`, and gives what each of them returns. */
async function callEach(source: string, wanted: Record<string, unknown>): Promise<void> {
  const load = await python.load({
    "server.py": `
import asyncio, concurrent.futures, logging.handlers, queue, signal, threading, time
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("threads")
${source}
for tool in [value for name, value in list(globals().items()) if name.startswith("t_")]:
    mcp.add_tool(tool, structured_output=True)
`,
  });
  assertEquals(load.kind, "loaded", JSON.stringify(load));
  for (const [name, result] of Object.entries(wanted)) {
    const found = await python.tool(`t_${name}`);
    assertEquals(found.structuredContent?.result, result, `${name}: ${JSON.stringify(found)}`);
  }
}

Deno.test("threads that a server starts go on in the background", async () => {
  await callEach(
    `
ticks, done = [], queue.Queue()
work, stop = queue.Queue(), threading.Event()
loop = asyncio.new_event_loop()
def tick():
    while not stop.wait(0.001):
        ticks.append(threading.current_thread().name)
def consume():
    while (item := work.get()) is not None:
        done.put(item * 2)
        work.task_done()
threading.Thread(target=tick, name="ticker", daemon=True).start()
threading.Thread(target=consume, daemon=True).start()
threading.Thread(target=loop.run_forever, daemon=True).start()
records = []
class Keep(logging.Handler):
    def emit(self, record): records.append(record.getMessage())
log_queue = queue.SimpleQueue()
listener = logging.handlers.QueueListener(log_queue, Keep())
listener.start()

async def twice(x):
    await asyncio.sleep(0.001)
    return x * 2
def t_ticks() -> list[str]:
    while len(ticks) < 3: time.sleep(0.001)
    return ticks[:3]
def t_consumed() -> list[int]:
    for n in range(3): work.put(n)
    work.join()
    return [done.get(timeout=5) for _ in range(3)]
def t_handed_over() -> int:
    return asyncio.run_coroutine_threadsafe(twice(21), loop).result(5)
async def t_handed_over_and_awaited() -> int:
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(twice(4), loop))
def t_logged() -> list[str]:
    logger = logging.Logger("x")
    logger.addHandler(logging.handlers.QueueHandler(log_queue))
    logger.warning("one %s", "two")
    listener.stop()
    return records
def t_stopped() -> list[bool]:
    stop.set(); work.put(None)
    for thread in threading.enumerate():
        if thread.name == "ticker": thread.join(5)
    return [thread.is_alive() for thread in threading.enumerate() if thread.name == "ticker"]
`,
    {
      ticks: ["ticker", "ticker", "ticker"],
      consumed: [0, 2, 4],
      handed_over: 42,
      handed_over_and_awaited: 8,
      logged: ["one two"],
      stopped: [],
    },
  );
});

Deno.test("what waits for threads waits until it has what it waits for", async () => {
  await callEach(
    `
def t_joined() -> str:
    found = []
    def work():
        time.sleep(0.01)
        found.append(threading.current_thread().name)
    thread = threading.Thread(target=work, name="w")
    before = thread.is_alive()
    thread.start()
    during = thread.is_alive()
    thread.join(0.0001)
    still = thread.is_alive()
    thread.join()
    here = threading.current_thread() is threading.main_thread()
    return str([found, before, during, still, thread.is_alive(), here])
def t_producers() -> list[int]:
    items, found = queue.Queue(maxsize=1), []
    def produce(n):
        for i in range(3): items.put(n * 10 + i)
    def consume():
        for _ in range(6): found.append(items.get())
    threads = [threading.Thread(target=produce, args=(n,)) for n in (1, 2)]
    threads.append(threading.Thread(target=consume))
    for thread in threads: thread.start()
    for thread in threads: thread.join(5)
    return sorted(found)
def t_condition() -> list[str]:
    ready, found = threading.Condition(), []
    def wait():
        with ready:
            found.append(str(ready.wait_for(lambda: "go" in found, 5)))
    threads = [threading.Thread(target=wait) for _ in range(2)]
    for thread in threads: thread.start()
    with ready:
        found.append("go")
        ready.notify_all()
    for thread in threads: thread.join(5)
    return found
def t_barrier() -> int:
    barrier, found = threading.Barrier(3), []
    def wait(): found.append(barrier.wait(5))
    for _ in range(2): threading.Thread(target=wait).start()
    barrier.wait(5)
    time.sleep(0.01)
    return len(found)
def t_exclusive() -> list[str]:
    lock, found = threading.RLock(), []
    def work(name):
        with lock, lock:
            found.append(name + "+")
            time.sleep(0.005)
            found.append(name + "-")
    threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return found
def t_timed_out() -> str:
    lock = threading.Lock()
    lock.acquire()
    found = [threading.Event().wait(0.01), lock.acquire(timeout=0.01), lock.acquire(False)]
    try: queue.Queue().get(timeout=0.01)
    except queue.Empty: found.append("empty")
    return str(found)
def t_timer() -> list[str]:
    found = queue.Queue()
    threading.Timer(0.01, found.put, ("timer",)).start()
    cancelled = threading.Timer(0.001, found.put, ("cancelled",))
    cancelled.start(); cancelled.cancel()
    return [found.get(timeout=5)]
def t_locals() -> str:
    own, found = threading.local(), []
    own.x = "main"
    def work():
        found.append(hasattr(own, "x"))
        own.x = threading.get_ident()
        time.sleep(0.001)
        found.append(own.x == threading.get_ident() != main)
    main = threading.get_ident()
    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return str([own.x, *found])
def t_own_loop() -> str:
    found = []
    def work():
        try: asyncio.get_running_loop()
        except RuntimeError: found.append("none")
        async def main():
            await asyncio.sleep(0.001)
            return threading.current_thread().name
        found.append(asyncio.run(main()))
        own = asyncio.new_event_loop()
        asyncio.set_event_loop(own)
        found.append(own.run_until_complete(main()))
        found.append(str(asyncio.get_event_loop() is own))
    thread = threading.Thread(target=work, name="w")
    thread.start()
    thread.join()
    return str(found)
async def t_into_threads() -> list[str]:
    items = queue.Queue()
    waits = asyncio.get_running_loop().run_in_executor(None, items.get)
    other = asyncio.create_task(asyncio.to_thread(threading.current_thread))
    items.put("item")
    return [await waits, str((await other) is threading.main_thread())]
async def t_back_from_threads() -> int:
    loop = asyncio.get_running_loop()
    async def twice(x):
        await asyncio.sleep(0.001)
        return x * 2
    return await asyncio.to_thread(lambda: asyncio.run_coroutine_threadsafe(twice(4), loop).result(5))
`,
    {
      joined: "[['w'], False, True, True, False, True]",
      producers: [10, 11, 12, 20, 21, 22],
      condition: ["go", "True", "True"],
      barrier: 2,
      exclusive: ["a+", "a-", "b+", "b-"],
      timed_out: "[False, False, False, 'empty']",
      timer: ["timer"],
      locals: "['main', False, False, True, True]",
      own_loop: "['none', 'w', 'w', 'True']",
      into_threads: ["item", "False"],
      back_from_threads: 8,
    },
  );
});

Deno.test("threads fail as they do elsewhere", async () => {
  await callEach(
    `
kept = threading.local()
kept.value = "from the start"
signal.alarm(0)
signal.signal(signal.SIGTERM, lambda *_: None)
def t_kept() -> str: return kept.value
def t_raised() -> list[str]:
    found = []
    threading.excepthook, plain = lambda it: found.append(it.exc_type.__name__), threading.excepthook
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    threading.excepthook = plain
    return found
def t_twice() -> str:
    thread = threading.Thread(target=print)
    thread.start()
    thread.start()
def t_unlocked() -> str: threading.Lock().release()
def t_itself() -> str:
    threading.current_thread().join()
def t_too_many() -> str:
    stop = threading.Event()
    threads = []
    try:
        for _ in range(1000):
            thread = threading.Thread(target=stop.wait)
            thread.start()
            threads.append(thread)
    except RuntimeError as error:
        said = str(error)
    stop.set()
    for thread in threads: thread.join()
    return f"{said} {100 < len(threads) < 1000}"
async def t_signals() -> str:
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, print)
    return "set"
`,
    {
      kept: "from the start",
      raised: ["ZeroDivisionError"],
      too_many: "can't start new thread True",
      signals: "set",
    },
  );
  const errors = {
    twice: "threads can only be started once",
    unlocked: "release unlocked lock",
    itself: "cannot join current thread",
  };
  for (const [name, text] of Object.entries(errors)) {
    assertStringIncludes(await python.text(`t_${name}`), text);
  }
});

Deno.test("other calls are answered while a call waits for a thread", async () => {
  await callEach(
    `
gate = threading.Event()
async def t_wait() -> str:
    await asyncio.to_thread(gate.wait)
    return "waited"
def t_open() -> str:
    gate.set()
    return "opened"
`,
    {},
  );
  const waits = python.text("t_wait");
  assertEquals(await python.text("t_open"), "opened");
  assertEquals(await waits, "waited");
});

Deno.test("threads write into the log of the request that started them", async () => {
  await callEach(
    `
def t_prints() -> str:
    thread = threading.Thread(target=print, args=("from a thread",))
    thread.start()
    thread.join()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        pool.submit(print, "from a pool")
    return ""
`,
    {},
  );
  python.events.length = 0;
  await python.request("tools/call", { name: "t_prints", arguments: {} }, 77);
  const said = python.events.filter(({ type }) => type === "log");
  assertEquals(said.map(({ text, request_id }) => [text, request_id]), [
    ["from a thread", 77],
    ["from a pool", 77],
  ]);
});

Deno.test("threads that import the same module get one, whole", async () => {
  await python.load({
    "slow_module.py": "import time\nvalue = object()\ntime.sleep(0.01)\nready = True\n",
    "server.py": `
from concurrent.futures import ThreadPoolExecutor
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("imports")
def get():
    import slow_module
    return slow_module.value, slow_module.ready
@mcp.tool()
def same() -> bool:
    with ThreadPoolExecutor() as pool:
        first, second = [pool.submit(get) for _ in range(2)]
        return first.result() == second.result()
`,
  });
  assertEquals(await python.text("same"), "true");
});
