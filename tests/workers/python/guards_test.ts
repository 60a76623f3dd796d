import { assertEquals, assertStringIncludes } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

const SERVER = `
import _thread, asyncio, ctypes, multiprocessing, os, socket, subprocess
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("guards")
@mcp.tool()
def system(): return os.system("ls")
@mcp.tool()
def popen(): return os.popen("ls").read()
@mcp.tool()
def run(): return subprocess.run(["ls"])
@mcp.tool()
def output(): return subprocess.check_output("ls", shell=True)
@mcp.tool()
async def shell(): return await asyncio.create_subprocess_shell("ls")
@mcp.tool()
def fork(): return os.fork()
@mcp.tool()
def thread(): _thread.start_new_thread(print, ())
@mcp.tool()
def process(): multiprocessing.Process(target=print).start()
@mcp.tool()
def connect(): socket.create_connection(("127.0.0.1", 80))
@mcp.tool()
def library(): ctypes.CDLL("libc.so.6")
@mcp.tool()
async def inline() -> int: return await asyncio.to_thread(len, "abc")
@mcp.tool()
def recurse(): return recurse()
@mcp.tool()
def memory(): return "x" * (1 << 40)
@mcp.tool()
def fine() -> str: return "fine"
`;

Deno.test("what the interpreter cannot do is an error of the tool, not the end of it", async () => {
  const load = await python.load({ "server.py": SERVER });
  assertEquals(load.kind, "loaded", JSON.stringify(load));
  const wanted: Record<string, string> = {
    system: "Processes are not available",
    popen: "Processes are not available",
    run: "Processes are not available",
    output: "Processes are not available",
    shell: "",
    fork: "",
    thread: "Threads are not available",
    process: "",
    connect: "Sockets are not available in the sandbox: use requests",
    library: "C libraries are not available",
    recurse: "maximum recursion depth exceeded",
    memory: "Error executing tool memory",
  };
  for (const [name, text] of Object.entries(wanted)) {
    const result = await python.tool(name);
    assertEquals(result.isError, true, `${name}: ${JSON.stringify(result)}`);
    assertStringIncludes(result.content[0].text, text);
    assertEquals(await python.text("fine"), "fine", name);
  }
  assertEquals(await python.text("inline"), "3");
});
