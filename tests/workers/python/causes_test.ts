import { assertEquals } from "@std/assert";
import { Interpreter, type Load } from "./pyodide.ts";

const python = await Interpreter.boot();

type Cause = { cause: { kind: string; subject: string | null; hint: string | null } };

async function causeOf(source: string): Promise<Cause["cause"]> {
  const load = await python.load({ "server.py": source }) as Load & Cause;
  assertEquals(load.kind, "raised", JSON.stringify(load));
  return load.cause;
}

Deno.test("an ImportError that a library made from an absent package names that package", async () => {
  const cause = await causeOf(`
try:
    import gevent
except ImportError as error:
    raise ImportError("This module requires a library") from error
`);
  assertEquals([cause.kind, cause.subject], ["missing_package", "gevent"]);
  assertEquals(cause.hint?.startsWith("it needs compiled code"), true);
});

Deno.test("an ImportError of a name is that of a module", async () => {
  const cause = await causeOf("from json import nothing_like_it");
  assertEquals([cause.kind, cause.hint], ["missing_module", null]);
});
