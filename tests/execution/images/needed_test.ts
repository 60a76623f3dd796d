import { assertEquals } from "@std/assert";
import { neededImage } from "../../../src/execution/images/needed.ts";
import { dataFiles, moduleNames } from "../../../src/execution/images/packed.ts";
import { packFiles, unpackPackage } from "../../../workers/session/interpreter/packages.ts";

const PACKAGES = {
  rich: { modules: ["rich"], requires: ["pygments", "not-there"] },
  pygments: { modules: ["pygments"], requires: [] },
  attrs: { modules: ["attr", "attrs"], requires: [] },
  click: { modules: ["click"], requires: [] },
};
const MODULES = new Set(["rich.table", "pygments.lexers", "click.core"]);

function needed(
  imports: string[],
  modules: string[] = [],
  { paths = ["main.py"], without = [] as string[] } = {},
) {
  return neededImage(PACKAGES, { imports, modules, paths }, {
    hasModule: (packages, module) => packages.size > 0 && MODULES.has(module),
    without: new Set(without),
  });
}

Deno.test("an image has the packages that a server imports and what those require, and no more", () => {
  assertEquals(needed(["rich", "os", "mcp"]), {
    packages: ["pygments", "rich"],
    modules: ["rich"],
    own: null,
  });
  assertEquals(needed(["attrs", "click"])?.packages, ["attrs", "click"]);
  assertEquals(needed(["os", "constructor", "__proto__"]), null);
});

Deno.test("servers that import the same have the same image, in whatever order they say it", () => {
  const modules = ["rich.table", "rich.table.Table", "pygments.lexers", "click.core"];
  const expected = {
    packages: ["click", "pygments", "rich"],
    modules: ["click", "rich", "click.core", "rich.table"],
    own: null,
  };
  assertEquals(needed(["rich", "click"], modules), expected);
  assertEquals(needed(["click", "json", "rich", "rich"], modules.toReversed()), expected);
});

Deno.test("a package that a server hides is in no image, nor one that requires it", () => {
  assertEquals(needed(["rich", "click"], [], { paths: ["src/pygments/__init__.py"] })?.packages, [
    "click",
  ]);
  assertEquals(needed(["attrs"], [], { paths: ["attr.py"] }), null);
});

Deno.test("modules that may be in no image are left out, and with a top-level one those below it", () => {
  const modules = ["rich.table", "click.core"];
  assertEquals(needed(["rich", "click"], modules, { without: ["rich"] }), {
    packages: ["click"],
    modules: ["click", "click.core"],
    own: null,
  });
  assertEquals(needed(["click"], modules, { without: ["click.core"] })?.modules, ["click"]);
});

Deno.test("the modules of a package are known from its files, and the files that its code reads", () => {
  const place = "/lib/packages/pytz";
  const paths = [
    "pytz/__init__.py",
    "pytz/lazy.py",
    "pytz/__pycache__/lazy.cpython-314.pyc",
    "pytz/zoneinfo/Europe/Rome",
    "pytz/py.typed",
    "pytz-1.dist-info/METADATA",
    "pytz/fast.so",
  ];
  const files = paths.map((path, i) => ({ path: `${place}/${path}`, bytes: new Uint8Array(i) }));
  const bytes = packFiles(files);
  assertEquals(unpackPackage(bytes), files);
  assertEquals([...moduleNames({ bytes })], ["pytz", "pytz.lazy"]);
  const data = dataFiles([{ name: "pytz", digest: "", bytes }]);
  assertEquals(unpackPackage(data!).map(({ path }) => path), [
    `${place}/pytz/zoneinfo/Europe/Rome`,
  ]);
  const none = packFiles(files.slice(0, 3));
  assertEquals(dataFiles([{ name: "pytz", digest: "", bytes: none }]), null);
});
