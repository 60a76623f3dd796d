import { assertEquals } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

/** What programs do with their standard streams before they serve; each runs on CPython as it is. */
const STARTS: Record<string, string> = {
  "reconfigure every stream": `
sys.stdin.reconfigure(encoding="utf-8")
sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True, write_through=True)
sys.stderr.reconfigure(errors="backslashreplace")`,
  "wrap the bytes of a stream": `
sys.stdin = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8")
sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", line_buffering=True)`,
  "detach the bytes of a stream": `
sys.stdin = io.TextIOWrapper(sys.stdin.detach(), encoding="utf-8")
sys.stdout = io.TextIOWrapper(sys.stdout.detach(), encoding="utf-8")`,
  "give a stream a writer of codecs": `
sys.stdout = codecs.getwriter("utf-8")(sys.stdout.buffer)
sys.stderr = codecs.getwriter("utf-8")(sys.stderr.detach())`,
  "open a stream by its number": `
sys.stdout = open(sys.stdout.fileno(), mode="w", encoding="utf8", buffering=1, closefd=False)
sys.stderr = os.fdopen(sys.stderr.fileno(), "w", 1, closefd=False)`,
  "read standard input by its number": `
assert open(0, closefd=False).read() == ""`,
  "lead one number to another": `
saved = os.dup(1)
os.dup2(2, 1)
os.dup2(saved, 1)
os.write(1, b"raw\\n")`,
  "silence a stream": `
sys.stdout = open(os.devnull, "w")`,
  "redirect a stream": `
with contextlib.redirect_stdout(io.StringIO()) as caught, contextlib.redirect_stderr(caught):
    print("a")
    print("b", file=sys.stderr)
assert caught.getvalue() == "a\\nb\\n"
contextlib.redirect_stdout(sys.stderr).__enter__()`,
  "ask for the end of standard input": `
assert sys.stdin.buffer.read() == b"" and sys.stdin.read() == "" and list(sys.stdin) == []
assert sys.stdin.readline() == "" and sys.stdin.buffer.peek() == b""`,
  "look at their attributes": `
streams = [sys.stdin, sys.stdout, sys.stderr]
assert [stream.fileno() for stream in streams] == [0, 1, 2]
assert [stream.name for stream in streams] == ["<stdin>", "<stdout>", "<stderr>"]
assert [stream.mode for stream in streams] == ["r", "w", "w"]
assert [stream.isatty() or stream.seekable() or stream.closed for stream in streams] == [False] * 3
assert {stream.encoding for stream in streams} == {"utf-8"}
assert [stream.errors for stream in streams] == ["strict", "strict", "backslashreplace"]
assert all(isinstance(stream, io.TextIOWrapper) for stream in streams)
assert isinstance(sys.stdout.buffer, io.BufferedWriter) and sys.stdout.buffer.raw.fileno() == 1`,
  "turn faulthandler on": `
faulthandler.enable()
faulthandler.dump_traceback()
faulthandler.dump_traceback_later(60)
faulthandler.cancel_dump_traceback_later()`,
  "put an object of their own in the place": `
class Tee:
    def __init__(self, stream): self.stream = stream
    def write(self, text): return self.stream.write(text)
    def __getattr__(self, name): return getattr(self.stream, name)
sys.stdout, sys.stderr = Tee(sys.stdout), Tee(sys.stderr)`,
};

for (const [what, start] of Object.entries(STARTS)) {
  Deno.test(`programs may ${what} before they serve`, async () => {
    const load = await python.load({
      "server.py": `
import codecs, contextlib, faulthandler, io, os, sys
${start}
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("streams")
@mcp.tool()
def t() -> str:
    print("hé")
    sys.stderr.write("e\\n")
    return "ok"
mcp.run()
`,
    });
    assertEquals([load.kind, load.kind === "raised" ? load.message : ""], ["loaded", ""]);
    assertEquals(await python.text("t"), "ok");
  });
}

Deno.test("what a program's own wrapper keeps back is sent when the request is done", async () => {
  await python.load({
    "server.py": `
import io, sys
sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8")
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("streams")
@mcp.tool()
def t() -> str:
    print("hé")
    sys.stdout.buffer.write("é".encode()[:1])
    sys.stdout.buffer.write("é".encode()[1:])
    return "ok"
`,
  });
  python.events.length = 0;
  await python.text("t");
  assertEquals(python.events.map(({ logger, text }) => [logger, text]), [["stdout", "éhé"]]);
});

Deno.test("a stream that is detached refuses text as on CPython", async () => {
  await python.load({
    "server.py": `
import sys
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("streams")
@mcp.tool()
def t() -> str:
    sys.stdout.detach()
    try:
        print("x")
    except ValueError as error:
        return str(error)
`,
  });
  assertEquals(await python.text("t"), "underlying buffer has been detached");
});
