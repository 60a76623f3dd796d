import { assert, assertEquals } from "@std/assert";
import { readSymbols } from "../../../../src/packages/symbols.ts";
import { readDistribution } from "../../../../workers/analysis/packages/distribution.ts";
import { type Packed, packWheel } from "../../../../workers/analysis/packages/pack.ts";
import { COMPILED, linkedPackage } from "../../../helpers/compiled_package.ts";
import { type TestPackage, wheelOf } from "../../../helpers/package_index.ts";
import { constant, sideModule } from "../../../helpers/side_module.ts";

const symbols = new TextDecoder().decode(await readSymbols());

function pack(given: TestPackage): Packed {
  return packWheel(wheelOf(given), { name: given.name, version: given.version, symbols });
}

function reasonOf(packed: Packed): string {
  return packed.kind === "refused" ? packed.reason : packed.kind;
}

/** A package of one compiled module. */
function single(content: Uint8Array, more: Record<string, string> = {}): TestPackage {
  return { name: "single", version: "1.0", files: { "single/fast.so": content, ...more } };
}

const nothing = { shape: [0, 0], body: () => [] } as const;
const lacking = sideModule({ calls: { PyNever_WasThere: [0, 0] }, functions: { start: nothing } });

Deno.test("packWheel() takes compiled modules that the interpreter and their own libraries serve", () => {
  assertEquals(reasonOf(pack(COMPILED)), "packed");
  const packed = pack(linkedPackage());
  assert(packed.kind === "packed", reasonOf(packed));
  assertEquals(packed.modules, ["linked"]);
});

Deno.test("packWheel() says what a compiled module lacks", () => {
  assertEquals(
    reasonOf(pack(single(lacking))),
    "its compiled module single.fast needs PyNever_WasThere, which sessions do not have",
  );
  const webgl = sideModule({ calls: { glClear: [1, 0] }, functions: { start: nothing } });
  assertEquals(
    reasonOf(pack(single(webgl))),
    "its compiled module single.fast needs glClear, which sessions do not have",
  );
  assertEquals(
    reasonOf(pack(linkedPackage({ without: true }))),
    "its compiled module linked.third needs the library libbase.so, which it does not bring",
  );
  assertEquals(
    reasonOf(pack(single(Uint8Array.of(0, 0x61, 0x73, 0x6d, 9)))),
    "its compiled module single.fast cannot be read",
  );
});

Deno.test("packWheel() refuses a module whose library lacks something", () => {
  const needs = sideModule({ needed: ["lib.so"], paths: ["$ORIGIN"], functions: { a: nothing } });
  const packed = pack(single(needs, {}));
  assertEquals(reasonOf(packed).includes("does not bring"), true);
  const { files = {} } = single(needs);
  assertEquals(
    reasonOf(pack({ ...single(needs), files: { ...files, "single/lib.so": lacking } })),
    "its compiled module single.lib needs PyNever_WasThere, which sessions do not have",
  );
});

Deno.test("packWheel() ends with libraries that need each other", () => {
  const needing = (name: string) =>
    sideModule({ needed: [name], paths: ["$ORIGIN"], functions: { a: nothing } });
  const files = { "single/one.so": needing("two.so"), "single/two.so": needing("one.so") };
  assertEquals(reasonOf(pack({ name: "single", version: "1.0", files })), "packed");
});

Deno.test("packWheel() refuses compiled modules that bring JavaScript, which the loader would evaluate", () => {
  for (const name of ["__em_js__fetch", "__start_em_asm"]) {
    const module = sideModule({
      functions: { [name]: { shape: [0, 1], body: () => constant(0) } },
    });
    assertEquals(
      reasonOf(pack(single(module))),
      "its compiled module single.fast brings JavaScript of its own",
    );
  }
});

Deno.test("packWheel() leaves out a compiled module that lacks something where Python has the same", () => {
  const packed = pack(single(lacking, { "single/fast.py": "" }));
  assert(packed.kind === "packed", reasonOf(packed));
});

Deno.test("readDistribution() has what its packages require, however the lock spells it", async () => {
  const lock = await Deno.readTextFile(
    new URL(import.meta.resolve("pyodide/pyodide-lock.json")),
  );
  const found = readDistribution(lock, "https://example.com/");
  const wanted = ["numpy", "pandas", "scipy", "lxml", "pillow", "jsonschema", "scikit-image"];
  assertEquals(wanted.filter((name) => !(name in found)), []);
  // It needs a library that is no wheel.
  assertEquals("inspice" in found, false);
});

Deno.test("packWheel() leaves out programs, however large, and takes the modules beside them", () => {
  const large = (...magic: number[]) => {
    const content = new Uint8Array(70 * 2 ** 20);
    content.set(magic);
    return content;
  };
  const files = {
    "drives/__init__.py": "from drives import client\n",
    "drives/client.py": "",
    "drives/driver/node": large(0x7f, 0x45, 0x4c, 0x46),
    "drives/driver/node.exe": large(0x4d, 0x5a),
    "drives/driver/node-mac": large(0xcf, 0xfa, 0xed, 0xfe),
    "drives/driver/index.js": "//",
  };
  const packed = pack({
    name: "drives",
    version: "1.0",
    files: Object.fromEntries(
      Object.entries(files).filter(([path]) => !path.endsWith("-mac")),
    ),
  });
  assert(packed.kind === "packed", reasonOf(packed));
  assertEquals([packed.modules, packed.size < 10_000], [["drives"], true]);
  const mac = pack({
    name: "drives",
    version: "1.0",
    files: { "drives/__init__.py": "", "drives/driver/node-mac": files["drives/driver/node-mac"] },
  });
  assert(mac.kind === "packed" && mac.size < 10_000, reasonOf(mac));
});
