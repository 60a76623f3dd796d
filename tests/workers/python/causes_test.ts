import { assertEquals, assertStringIncludes } from "@std/assert";
import { Interpreter, type Load } from "./pyodide.ts";

const python = await Interpreter.boot();

type Cause = { cause: { kind: string; subject: string | null; hint: string | null } };

async function causeOf(
  source: string,
  profile: "restricted" | "full" = "full",
): Promise<Cause["cause"]> {
  const load = await python.load({ "server.py": source }, { profile }) as Load & Cause;
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

const ABSENT: Record<string, [module: string, words: string]> = {
  "that nobody knows": ["lichens_lib", "add its Python files"],
  "with something to use instead": ["boto3", "use requests with signed headers"],
  "that needs compiled code": ["docx", "has a wheel for Pyodide"],
  "that starts programs": ["playwright", "which do not run in the sandbox"],
};

for (const [what, [module, words]] of Object.entries(ABSENT)) {
  Deno.test(`the restricted profile names the full one for a package ${what}`, async () => {
    const { kind, hint } = await causeOf(`import ${module}`, "restricted");
    assertEquals(kind, "missing_package");
    assertStringIncludes(hint ?? "", words);
    assertStringIncludes(hint ?? "", "INTERPRETER_PROFILE=full");
    const full = await causeOf(`import ${module}`);
    assertEquals(full.hint?.includes("INTERPRETER_PROFILE"), false, full.hint ?? "");
  });
}

Deno.test("no profile is named for what none has", async () => {
  for (const module of ["curses", "telnetlib"]) {
    const { hint } = await causeOf(`import ${module}`, "restricted");
    assertEquals(hint?.includes("INTERPRETER_PROFILE"), false, hint ?? "");
  }
});
