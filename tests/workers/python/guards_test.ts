import { assertEquals, assertStringIncludes } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

const SERVER = `
import _thread, asyncio, ctypes, multiprocessing, os, socket, subprocess
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("guards")
@mcp.tool()
def run(): return subprocess.run(["ls"])
@mcp.tool()
def output(): return subprocess.check_output("ls", shell=True)
@mcp.tool()
async def exec(): return await asyncio.create_subprocess_exec("ls")
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
    run: "Processes are not available",
    output: "returned non-zero exit status 127",
    exec: "Processes are not available",
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

const ABSENT = `
import asyncio, contextlib, errno, os, subprocess
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("absent")
PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}

def begun(text):
    return text.decode().split(" (")[0] if isinstance(text, bytes) else text.split(" (")[0]

@mcp.tool()
def told() -> str:
    results = {}
    for name, command in {"text": "lichen --x", "bytes": b"lichen", "list": ["lichen", "-x"]}.items():
        ended = subprocess.run(command, shell=True, capture_output=True, input=b"x" * 100)
        results[name] = [ended.returncode, ended.stdout, begun(ended.stderr)]
    merged = subprocess.run("lichen", shell=True, stdout=-1, stderr=subprocess.STDOUT, text=True)
    results["merged"] = [merged.returncode, begun(merged.stdout), merged.stderr]
    hidden = subprocess.run("lichen", shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    results["hidden"] = [hidden.returncode, hidden.stdout, hidden.stderr]
    results["getstatusoutput"] = [begun(each) if isinstance(each, str) else each
                                  for each in subprocess.getstatusoutput("lichen")]
    with subprocess.Popen("lichen", shell=True, stdin=subprocess.PIPE, **PIPES) as process:
        process.stdin.write(b"x")
        results["process"] = [process.poll(), process.wait(1), process.stdout.read(), process.kill()]
    results["call"] = subprocess.call("lichen", shell=True)
    with contextlib.redirect_stderr(None):
        results["system"] = os.system("lichen")
    pipe = os.popen("lichen")
    results["popen"] = [pipe.read(), pipe.close()]
    return repr(results)

@mcp.tool()
async def awaited() -> str:
    results = {}
    try:
        await asyncio.create_subprocess_exec("lichen", "-x")
    except FileNotFoundError as error:
        results["exec"] = [error.errno == errno.ENOENT, error.filename]
    try:
        os.execvp("lichen", ["lichen"])
    except FileNotFoundError as error:
        results["execvp"] = error.errno == errno.ENOENT
    process = await asyncio.create_subprocess_shell("lichen", stdin=subprocess.PIPE, **PIPES)
    out, err = await process.communicate(b"x")
    results["shell"] = [process.returncode, out, begun(err), await process.wait(), process.pid > 0]
    process = await asyncio.create_subprocess_shell(
        "lichen", stdin=-1, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    process.stdin.close()
    await process.stdin.wait_closed()
    results["lines"] = [begun(line) async for line in process.stdout]
    try:
        process.kill()
    except ProcessLookupError:
        results["killed"] = True
    plain = await asyncio.create_subprocess_shell("lichen")
    results["plain"] = [await plain.wait(), plain.stdout]
    return repr(results)
`;

const SAID = "sh: 1: lichen: not found";

Deno.test("a program that is absent is absent in each way to start it, as on any machine", async () => {
  const load = await python.load({ "server.py": ABSENT });
  assertEquals(load.kind, "loaded", JSON.stringify(load));
  assertEquals(
    await python.text("told"),
    `{'text': [127, b'', '${SAID}'], 'bytes': [127, b'', '${SAID}'], ` +
      `'list': [127, b'', '${SAID}'], 'merged': [127, '${SAID}', None], ` +
      `'hidden': [127, None, None], 'getstatusoutput': [127, '${SAID}'], ` +
      `'process': [127, 127, b'', None], 'call': 127, 'system': 32512, 'popen': ['', 32512]}`,
  );
  const logs = python.events.filter(({ text }) => text?.includes(SAID));
  // What nobody catches is on standard error: of `call` and of `os.system` and `os.popen`.
  assertEquals(logs.map(({ type }) => type), ["log", "log", "log"]);
  assertEquals(
    await python.text("awaited"),
    `{'exec': [True, 'lichen'], 'execvp': True, 'shell': [127, b'', '${SAID}', 127, True], ` +
      `'lines': ['${SAID}'], 'killed': True, 'plain': [127, None]}`,
  );
});
