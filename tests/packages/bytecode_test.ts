import { assert, assertEquals } from "@std/assert";
import { createBytecode } from "../../src/packages/bytecode.ts";
import { withCompiler } from "../../src/setup/bytecode.ts";
import { unpackPackage } from "../../workers/session/interpreter/packages.ts";
import { silentLog } from "../helpers/database.ts";
import { callTool, openTestHosts, server, sessionInput } from "../helpers/interpreter.ts";
import { linkedInterpreter } from "../helpers/made_images.ts";
import { ownPackages, testPackageFiles } from "../helpers/own_packages.ts";

Deno.test("sessions import the bytecode that was made of a package's own sources, which run nowhere meanwhile", async () => {
  await using interpreter = await linkedInterpreter();
  const { folder } = interpreter;
  const packages = await ownPackages(folder, {
    plain: {
      files: {
        "plain/__init__.py": "from . import part\nVALUE = part.VALUE\n",
        "plain/part.py": "VALUE = 'as it was written'\n",
        // As templates of projects are.
        "plain/template.py": "class {{ name }}:\n",
        "plain/data.txt": "data",
      },
    },
    hostile: {
      files: {
        "hostile.py": `
import builtins, marshal
builtins.compile = marshal.dumps = lambda *args, **named: b"hostile"
while True:
    pass
`,
      },
    },
  });
  const files = testPackageFiles(folder);
  const bytecode = createBytecode({
    files,
    withCompiler: (work, signal) =>
      withCompiler(interpreter, { memoryMb: 256, signal, niceness: 0 }, work),
    quiet: () => Promise.resolve(),
    delayMs: 0,
    log: silentLog,
  });
  bytecode.want([packages.files["hostile"]!, packages.files["plain"]!]);
  await bytecode.idle();
  await bytecode.close();

  const plain = packages.files["plain"]!;
  const compiled = `${plain}-compiled`;
  const before = unpackPackage(await Deno.readFile(`${folder}/${plain}`));
  const after = unpackPackage(await Deno.readFile(`${folder}/${compiled}`));
  assertEquals(after.slice(0, before.length), before);
  assertEquals(after.slice(before.length).map(({ path }) => path).sort(), [
    "/lib/packages/plain/plain/__pycache__/__init__.cpython-314.pyc",
    "/lib/packages/plain/plain/__pycache__/part.cpython-314.pyc",
  ]);
  // It would hang if it had run.
  assert(
    unpackPackage(await Deno.readFile(`${folder}/${packages.files["hostile"]}-compiled`)).length >
      2,
  );

  await using hosts = await openTestHosts({ interpreter });
  const source = server(`
import plain
@tool
def run() -> str:
    cached = plain.part.__spec__.cached
    return f"{plain.VALUE} {cached}"
`);
  const given = { ...packages, files: { ...packages.files, plain: compiled } };
  const session = await hosts.open(sessionInput(source, { packages: given }));
  assertEquals(
    await callTool(session, "run"),
    "as it was written /lib/packages/plain/plain/__pycache__/part.cpython-314.pyc",
  );
});

Deno.test("a package that breaks its compiler keeps none behind it from being compiled", async () => {
  await using interpreter = await linkedInterpreter();
  const { folder } = interpreter;
  const packages = await ownPackages(folder, {
    breaking: { files: { "breaking.py": "VALUE = 0\n" } },
    plain: { files: { "plain.py": "VALUE = 1\n" } },
  });
  const files = testPackageFiles(folder);
  let broken = 0;
  const bytecode = createBytecode({
    files,
    withCompiler: (work, signal) =>
      withCompiler(interpreter, { memoryMb: 256, signal, niceness: 0 }, async (compile) => {
        await work(async (packed) => {
          if (broken++ === 0) throw new Error("The process ended");
          return await compile(packed);
        });
      }),
    quiet: () => Promise.resolve(),
    delayMs: 0,
    log: silentLog,
  });
  const { breaking, plain } = packages.files;
  bytecode.want([breaking!, plain!]);
  await bytecode.idle();
  await bytecode.close();
  assertEquals(broken, 2);
  assert((await Deno.stat(`${folder}/${plain}-compiled`)).isFile);
});

Deno.test("a compiler that cannot be started is not started again and again", async () => {
  await using interpreter = await linkedInterpreter();
  let started = 0;
  const bytecode = createBytecode({
    files: testPackageFiles(interpreter.folder),
    withCompiler() {
      started++;
      return Promise.reject(new Error("No process"));
    },
    quiet: () => Promise.resolve(),
    delayMs: 0,
    log: silentLog,
  });
  bytecode.want(["package-of-nobody"]);
  await bytecode.idle();
  assertEquals(started, 1);
});
