import { assert, assertEquals } from "@std/assert";
import { createBytecode, whenCompiled } from "../../src/packages/bytecode.ts";
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

Deno.test("packages that are compiled one after the other in a worker meet nothing of each other", async () => {
  await using interpreter = await linkedInterpreter();
  const { folder } = interpreter;
  // More than are compiled in one worker.
  const packages = await ownPackages(
    folder,
    Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`part${n}`, {
        files: {
          [`part${n}/__init__.py`]: `VALUE = ${n}\n`,
          [`part${n}/deep.py`]: `${"[".repeat(n * 20)}\n`,
        },
      }]),
    ),
  );
  const made: string[][] = [];
  const { signal } = new AbortController();
  await withCompiler(interpreter, { memoryMb: 256, signal, niceness: 0 }, async (compile) => {
    for (const file of Object.values(packages.files)) {
      const packed = await compile(await Deno.readFile(`${folder}/${file}`));
      made.push(
        unpackPackage(packed).map(({ path }) => path).filter((path) => path.endsWith(".pyc")),
      );
    }
  });
  assertEquals(
    made,
    Array.from({ length: 12 }, (_, n) => [
      `/lib/packages/part${n}/part${n}/__pycache__/__init__.cpython-314.pyc`,
      // An empty file is Python.
      ...n === 0 ? [`/lib/packages/part0/part0/__pycache__/deep.cpython-314.pyc`] : [],
    ]),
  );
});

Deno.test("a build gets packages with the bytecode that is there in time", async () => {
  let compiled = false;
  const given = { files: { forecast: "package" } };
  const give = () =>
    Promise.resolve(compiled ? { files: { forecast: "package-compiled" } } : given);
  assertEquals(
    await whenCompiled(give, { make: () => new Promise(() => {}) }, 1),
    given,
    "it waited for a compiler that never ends",
  );
  assertEquals(
    await whenCompiled(() => Promise.resolve(undefined), { make: () => Promise.reject() }, 1),
    undefined,
  );
  const wanted: (readonly string[])[] = [];
  const make = (files: readonly string[]) => {
    wanted.push(files);
    compiled = true;
    return Promise.resolve();
  };
  assertEquals(await whenCompiled(give, { make }, 2 ** 30), {
    files: { forecast: "package-compiled" },
  });
  assertEquals(wanted, [["package"]]);
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

/** A compiler that notes what it is given, and lets a test decide when each is done. */
function slowCompiler() {
  const begun: string[] = [];
  let release = Promise.withResolvers<void>();
  return {
    begun,
    /** Lets the one that is compiled now be done. */
    finish() {
      release.resolve();
      release = Promise.withResolvers();
    },
    async compile(packed: Uint8Array) {
      begun.push(new TextDecoder().decode(packed));
      await release.promise;
      return packed;
    },
  };
}

/** Resolves when `isSo`. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}

Deno.test("packages of a server that is being scanned are compiled at once, before all others", async () => {
  const folder = await Deno.makeTempDir();
  const names = ["a", "b", "c", "d"];
  for (const name of names) await Deno.writeTextFile(`${folder}/${name}`, name);
  const compiler = slowCompiler();
  const put: string[] = [];
  const bytecode = createBytecode({
    files: { folder, putCompiled: (name) => Promise.resolve(void put.push(name)) },
    withCompiler: (work) => work(compiler.compile),
    // Nothing is compiled in the background.
    quiet: () => new Promise(() => {}),
    delayMs: 2 ** 30,
    log: silentLog,
  });
  bytecode.want(["a", "b"]);
  let isMade = false;
  const made = bytecode.make(["b", "c"]).then(() => isMade = true);
  const alike = bytecode.make(["c"]);
  await until(() => compiler.begun.length === 1);
  assertEquals([compiler.begun, put, isMade], [["b"], [], false]);
  compiler.finish();
  await until(() => compiler.begun.length === 2);
  assertEquals([compiler.begun, put, isMade], [["b", "c"], ["b"], false]);
  const later = bytecode.make(["d"]);
  compiler.finish();
  await Promise.all([made, alike]);
  await until(() => compiler.begun.length === 3);
  assertEquals([compiler.begun, put], [["b", "c", "d"], ["b", "c"]]);
  compiler.finish();
  await later;
  // What is compiled, or has bytecode, is not waited for.
  await bytecode.make(["b", "d", "e-compiled"]);
  // "a" waits for a quiet moment; who ends does not.
  await Promise.race([bytecode.close(), bytecode.idle()]);
  assertEquals(compiler.begun, ["b", "c", "d"]);
  await bytecode.make(["f"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("who waits for packages hears of a compiler that cannot be started, and of one that breaks", async () => {
  const folder = await Deno.makeTempDir();
  for (const name of ["a", "b"]) await Deno.writeTextFile(`${folder}/${name}`, name);
  const options = {
    files: { folder, putCompiled: () => Promise.resolve() },
    quiet: () => Promise.resolve(),
    delayMs: 0,
    log: silentLog,
  };
  const none = createBytecode({
    ...options,
    withCompiler: () => Promise.reject(new Error("No process")),
  });
  await none.make(["a", "b"]);
  await none.close();
  const compiled: string[] = [];
  const breaking = createBytecode({
    ...options,
    withCompiler: (work) =>
      work((packed) => {
        compiled.push(new TextDecoder().decode(packed));
        if (compiled.length === 1) return Promise.reject(new Error("The process ended"));
        return Promise.resolve(packed);
      }),
  });
  await breaking.make(["a", "b"]);
  assertEquals(compiled, ["a", "b"]);
  await breaking.close();
  await Deno.remove(folder, { recursive: true });
});
