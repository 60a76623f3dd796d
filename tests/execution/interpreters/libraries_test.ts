import { assert, assertEquals } from "@std/assert";
import { unpackPackage } from "../../../workers/session/interpreter/packages.ts";
import {
  callTool,
  openTestHosts,
  server,
  sessionInput,
  testInterpreter,
} from "../../helpers/interpreter.ts";

/** Modules of the compiled libraries that sessions may import. */
async function compiledModules(): Promise<string[]> {
  const { folder } = await testInterpreter();
  const { packages } = JSON.parse(await Deno.readTextFile(`${folder}/index.json`));
  const modules: string[] = [];
  for (const [name, file] of Object.entries<string>(packages)) {
    const place = `/lib/packages/${name}/`;
    for (const { path } of unpackPackage(await Deno.readFile(`${folder}/${file}`))) {
      if (!path.endsWith(".so")) continue;
      modules.push(path.slice(place.length).replace(/\..*/, "").replaceAll("/", "."));
    }
  }
  return modules;
}

Deno.test("every compiled library of packages.lock loads, though the interpreter is stripped", async () => {
  const modules = await compiledModules();
  assert(modules.includes("pydantic_core._pydantic_core"), modules.join());
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(server(`
import importlib

@tool
def load(name: str) -> str:
    return importlib.import_module(name).__name__

@tool
def validated(numbers: list[str]) -> list:
    from pydantic_core import SchemaValidator, core_schema
    import jiter
    shape = core_schema.list_schema(core_schema.int_schema(gt=0))
    return [SchemaValidator(shape).validate_python(numbers), jiter.from_json(b'{"a": [1.5]}')]
`)));
  for (const name of modules) assertEquals(await callTool(session, "load", { name }), name);
  assertEquals(await callTool(session, "validated", { numbers: ["1", "2"] }), "1");
});
