import { assertEquals } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

const SERVER = `
import asyncio, concurrent.futures, multiprocessing, threading, time
from concurrent.futures import ThreadPoolExecutor, ProcessPoolExecutor, as_completed
from concurrent.futures.thread import ThreadPoolExecutor as Other
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("executors")
def slow(x): time.sleep(0.001); return x * 2
@mcp.tool()
def mapped() -> list[int]:
    with ThreadPoolExecutor(max_workers=4) as pool:
        return list(pool.map(slow, range(4), timeout=5))
@mcp.tool()
def completed() -> list[int]:
    with ProcessPoolExecutor() as pool:
        futures = {pool.submit(slow, n): n for n in range(3)}
        done, left = concurrent.futures.wait(futures)
        assert not left and len(done) == 3
        return sorted(future.result() + futures[future] for future in as_completed(futures))
@mcp.tool()
def raised() -> str:
    pool = Other(2, "names")
    future = pool.submit(lambda: 1 / 0)
    seen = []
    future.add_done_callback(lambda f: seen.append(type(f.exception()).__name__))
    try:
        future.result()
    except ZeroDivisionError as error:
        return f"{error} {seen}"
@mcp.tool()
def started() -> str:
    seen = []
    pool = ThreadPoolExecutor(1, initializer=seen.append, initargs=("once",))
    pool.submit(print); pool.submit(print)
    pool.shutdown()
    try:
        pool.submit(print)
    except RuntimeError as error:
        return f"{seen} {error}"
@mcp.tool()
async def awaited() -> list[int]:
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor() as pool:
        own = await loop.run_in_executor(pool, slow, 1)
    default = await loop.run_in_executor(None, slow, 2)
    thread = await asyncio.to_thread(slow, 3)
    both = await asyncio.gather(asyncio.to_thread(slow, 4), asyncio.to_thread(slow, 5))
    return [own, default, thread, *both]
@mcp.tool()
def side_by_side() -> list[str]:
    gate, found = threading.Event(), []
    def wait():
        found.append(threading.current_thread().name)
        return gate.wait(5)
    with ThreadPoolExecutor(2, "w") as pool:
        waits = [pool.submit(wait) for _ in range(2)]
        third = pool.submit(found.append, "third")
        time.sleep(0.01)
        assert not any(each.done() for each in [*waits, third])
        gate.set()
    return found
@mcp.tool()
def cancelled() -> list[bool]:
    gate = threading.Event()
    pool = ThreadPoolExecutor(1)
    first, second = pool.submit(gate.wait, 5), pool.submit(print)
    time.sleep(0.001)
    pool.shutdown(wait=False, cancel_futures=True)
    gate.set()
    return [first.result(), second.cancelled()]
@mcp.tool()
def broken() -> str:
    pool = ThreadPoolExecutor(1, initializer=lambda: 1 / 0)
    try:
        return pool.submit(print).result()
    except concurrent.futures.BrokenExecutor as error:
        return type(error).__name__
@mcp.tool()
def same_worker() -> bool:
    pool, own = ThreadPoolExecutor(1), threading.local()
    def first(): own.x = threading.get_ident()
    pool.submit(first).result()
    return pool.submit(lambda: own.x == threading.get_ident()).result()
@mcp.tool()
def pools() -> str:
    from multiprocessing.pool import ThreadPool
    seen = []
    with multiprocessing.Pool(2) as pool, ThreadPool(2) as threads:
        pool.apply_async(slow, (4,), callback=seen.append).get()
        return str([pool.map(slow, [1, 2]), threads.starmap(max, [(1, 2)]), list(pool.imap(abs, [-1])), seen])
`;

Deno.test("executors and pools run functions and give their results", async () => {
  const load = await python.load({ "server.py": SERVER });
  assertEquals(load.kind, "loaded", JSON.stringify(load));
  const wanted: [name: string, result: unknown][] = [
    ["mapped", [0, 2, 4, 6]],
    ["completed", [0, 3, 6]],
    ["awaited", [2, 4, 6, 8, 10]],
    ["side_by_side", ["w_0", "w_1", "third"]],
    ["cancelled", [true, true]],
    ["same_worker", true],
    ["pools", "[[2, 4], [2], [1], [8]]"],
  ];
  for (const [name, result] of wanted) {
    const found = await python.tool(name);
    assertEquals(found.structuredContent?.result, result, `${name}: ${JSON.stringify(found)}`);
  }
  assertEquals(await python.text("raised"), "division by zero ['ZeroDivisionError']");
  assertEquals(await python.text("broken"), "BrokenThreadPool");
  assertEquals(
    await python.text("started"),
    "['once'] cannot schedule new futures after shutdown",
  );
});
