import { assert, assertEquals } from "@std/assert";
import { unpackPackage } from "../../../../workers/session/interpreter/packages.ts";
import { metadataIn, type Packed, packWheel } from "../../../../workers/analysis/packages/pack.ts";
import { sourceOf, tarOf } from "../../../helpers/package_index.ts";
import { gunzipSync, gzipSync } from "node:zlib";

type Given = Record<string, string | Uint8Array>;

const setuptools = (name: string, more: Given = {}): Given => ({
  [`${name}.egg-info/PKG-INFO`]: "",
  [`${name}.egg-info/top_level.txt`]: `${name}\n`,
  ...more,
});

/** What setuptools was told of beside the package. */
const named = (module: string): Given => ({
  "pure.egg-info/top_level.txt": `${module}\npure\n`,
});

function source(files: Given, requires: string[] = []): Uint8Array {
  return sourceOf({ name: "pure", version: "1.0", files, requires });
}

function pack(bytes: Uint8Array): Packed {
  return packWheel(bytes, { name: "pure", version: "1.0", symbols: "" });
}

/** Paths of what sessions would have, below the package's place; else the reason. */
function installed(bytes: Uint8Array): string[] | string {
  const packed = pack(bytes);
  if (packed.kind === "refused") return packed.reason;
  const plain = new Uint8Array(gunzipSync(Uint8Array.fromBase64(packed.content)));
  return unpackPackage(plain).map(({ path }) => path.slice("/lib/packages/pure/".length))
    .filter((path) => !path.includes(".dist-info/")).sort();
}

const backend = (name: string, more = "") =>
  `[build-system]\nrequires = []\nbuild-backend = "${name}"\n${more}`;

Deno.test("a source distribution of pure Python is taken for its wheel, as its backend would make it", () => {
  const ways: [Given, string[]][] = [
    [setuptools("pure", { "pure/__init__.py": "", "pure/data.json": "{}", "setup.py": "x" }), [
      "pure/__init__.py",
      "pure/data.json",
    ]],
    [setuptools("pure", { "src/pure/a.py": "", "tests/test.py": "" }), ["pure/a.py"]],
    [setuptools("pure", { "pure.py": "" }), ["pure.py"]],
    [{ "pyproject.toml": backend("hatchling.build"), "src/pure/__init__.py": "" }, [
      "pure/__init__.py",
    ]],
    [{
      "pyproject.toml": backend(
        "hatchling.build",
        '[tool.hatch.build.targets.wheel]\npackages = ["code/other"]\n',
      ),
      "code/other/a.py": "",
      "pure/b.py": "",
    }, ["other/a.py"]],
    [{
      "pyproject.toml": backend("flit_core.buildapi", '[tool.flit.module]\nname = "other"\n'),
      "other.py": "",
    }, ["other.py"]],
    [{
      "pyproject.toml": backend(
        "poetry.core.masonry.api",
        '[tool.poetry]\npackages = [{ include = "other", from = "lib" }]\n',
      ),
      "lib/other/a.py": "",
    }, ["other/a.py"]],
    [{ "pyproject.toml": backend("poetry.core.masonry.api"), "pure/a.py": "" }, ["pure/a.py"]],
    [setuptools("pure", { ...named("lost"), "pure/a.py": "", "pure/lost.py": "" }), [
      "pure/a.py",
      "pure/lost.py",
    ]],
  ];
  for (const [files, wanted] of ways) assertEquals(installed(source(files)), wanted);
});

Deno.test("a source distribution that has to be built is refused with the reason", () => {
  const pure = { "pure/__init__.py": "" };
  const ways: [Given, string][] = [
    [setuptools("pure", { ...pure, "pure/fast.pyx": "" }), "code to be compiled: pure/fast.pyx"],
    [{ ...pure, "setup.py": "" }, "what it installs is not written down"],
    [setuptools("pure", { "elsewhere/pure/a.py": "" }), "not where its name says"],
    [
      setuptools("pure", { ...pure, ...named("other"), "elsewhere/other.py": "" }),
      "not where its name says",
    ],
    [{ ...pure, "pyproject.toml": backend("maturin") }, "build backend maturin is not known"],
    [{ ...pure, "pyproject.toml": backend("x", 'backend-path = ["."]\n') }, "it builds itself"],
    [{
      ...pure,
      "pyproject.toml": backend("hatchling.build", "[tool.hatch.build.hooks.custom]\n"),
    }, "more than a copy"],
    [{
      ...pure,
      "pyproject.toml": backend(
        "poetry.core.masonry.api",
        '[tool.poetry.build]\nscript = "b.py"\n',
      ),
    }, "more than a copy"],
    [{ ...pure, "pyproject.toml": "[" }, "pyproject.toml cannot be read"],
  ];
  for (const [files, reason] of ways) {
    const said = installed(source(files));
    assert(typeof said === "string" && said.startsWith("its source distribution is not built: "));
    assert(said.includes(reason), said);
  }
});

Deno.test("hostile source distributions are refused", () => {
  const link = gunzipSync(tarOf({ "pure-1.0/a.py": "" }));
  link[156] = "2".charCodeAt(0);
  const ways: [Uint8Array, string][] = [
    [tarOf({ "pure-1.0/../../a.py": "" }), "leads elsewhere"],
    [tarOf({ "/etc/passwd": "" }), "leads elsewhere"],
    [tarOf({ "a/x.py": "", "b/y.py": "" }), "one folder"],
    [gzipSync(link), "a link or a device"],
    [Uint8Array.of(0x1f, 0x8b, 8, 0), "cannot be unpacked"],
    [
      sourceOf({ name: "other", version: "1.0", files: setuptools("pure", { "pure.py": "" }) }),
      "another package",
    ],
  ];
  for (const [bytes, reason] of ways) {
    const packed = pack(bytes);
    assert(packed.kind === "refused" && packed.reason.includes(reason), JSON.stringify(packed));
  }
});

Deno.test("what a source distribution requires is read from its metadata, else from setuptools' list", () => {
  const plain = setuptools("pure", { "pure.py": "" });
  assertEquals(metadataIn(source(plain, ["a>=1", 'b; extra == "x"'])), ["a>=1", 'b; extra == "x"']);
  const list = 'a>=1\n\n[x]\nb\n\n[:python_version < "3.8"]\nc==2\n\n[x:os_name == "nt"]\nd\n';
  assertEquals(metadataIn(source({ ...plain, "pure.egg-info/requires.txt": list })), [
    "a>=1",
    'b ; extra == "x"',
    'c==2 ; (python_version < "3.8")',
    'd ; (os_name == "nt") and extra == "x"',
  ]);
});
