import { assertEquals, assertStringIncludes } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

async function message(source: string): Promise<string> {
  const load = await python.load({ "server.py": `import logging, os, sys\n${source}` });
  await python.run("logging.basicConfig(force=True, handlers=[]) if 'logging' in dir() else None");
  if (load.kind !== "raised") throw new Error(`${source}: ${JSON.stringify(load)}`);
  return load.message;
}

/** Programs that say the same before they end, each by another way. */
const WAYS: Record<string, string> = {
  "standard error": `print("run migrate first", file=sys.stderr)\nsys.exit(1)`,
  "standard output": `print("run migrate first")\nsys.exit(1)`,
  "a line without its end": `sys.stderr.write("run migrate first")\nsys.exit(1)`,
  "bytes": `sys.stderr.buffer.write(b"run migrate first\\n")\nraise SystemExit(3)`,
  "a logger": `logging.getLogger("x").error("run migrate first")\nsys.exit(1)`,
  "a logger set up for it": `
logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(message)s", force=True)
logging.info("run migrate first")
sys.exit(1)`,
  "the SDK's logger": `
from mcp.server.fastmcp.utilities.logging import configure_logging, get_logger
configure_logging("INFO")
get_logger("x").error("run migrate first")
sys.exit(1)`,
  "a handler that holds back": `
import logging.handlers
target = logging.StreamHandler(sys.stderr)
logging.getLogger("y").addHandler(logging.handlers.MemoryHandler(100, logging.CRITICAL, target))
logging.getLogger("y").warning("run migrate first")
sys.exit(1)`,
  "a function at exit": `
import atexit
atexit.register(print, "run migrate first", file=sys.stderr)
sys.exit(1)`,
  "the text of the exit": `sys.exit("run migrate first")`,
  "an exit past all handlers": `print("run migrate first", file=sys.stderr)\nos._exit(1)`,
  "warnings": `import warnings\nwarnings.warn("run migrate first")\nquit(1)`,
  "a log before an error": `logging.error("run migrate first")\nraise ValueError("no schema")`,
  "a command line's own error": `
import argparse
argparse.ArgumentParser().error("run migrate first")`,
  "a traceback": `
try:
    raise KeyError("run migrate first")
except KeyError:
    logging.exception("it failed")
    sys.exit(1)`,
};

for (const [way, source] of Object.entries(WAYS)) {
  Deno.test(`a start that ends says why in its own words, given by ${way}`, async () => {
    assertStringIncludes(await message(source), "run migrate first");
  });
}

Deno.test("the last words are the last ones, and no more than fit a message", async () => {
  const text = await message(`
for n in range(2000):
    print("line", n, "x" * n, file=sys.stderr)
print("the very last", file=sys.stderr)
sys.exit(1)`);
  assertEquals(text.length < 3000, true);
  assertEquals(text.split("\n").at(-1), "the very last");
});

Deno.test("what a program printed on its way is not taken for the reason of an error", async () => {
  assertEquals(
    await message(`print("starting")\nraise ValueError("broken")`),
    "ValueError: broken",
  );
});
