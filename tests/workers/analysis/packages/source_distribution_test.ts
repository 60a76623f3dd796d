import { assert, assertEquals } from "@std/assert";
import { unpackPackage } from "../../../../workers/session/interpreter/packages.ts";
import { metadataIn, type Packed, packWheel } from "../../../../workers/analysis/packages/pack.ts";
import { setupListOf } from "../../../../workers/analysis/packages/sources/setup_list.ts";
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

async function pack(bytes: Uint8Array): Promise<Packed> {
  const list = await setupListOf(bytes);
  return packWheel(bytes, { name: "pure", version: "1.0", symbols: "", list });
}

/** Paths of what sessions would have, below the package's place; else the reason. */
async function installed(bytes: Uint8Array): Promise<string[] | string> {
  const packed = await pack(bytes);
  if (packed.kind === "refused") return packed.reason;
  const plain = new Uint8Array(gunzipSync(Uint8Array.fromBase64(packed.content)));
  return unpackPackage(plain).map(({ path }) => path.slice("/lib/packages/pure/".length))
    .filter((path) => !path.includes(".dist-info/")).sort();
}

const backend = (name: string, more = "") =>
  `[build-system]\nrequires = []\nbuild-backend = "${name}"\n${more}`;

Deno.test("a source distribution of pure Python is taken for its wheel, as its backend would make it", async () => {
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
  for (const [files, wanted] of ways) assertEquals(await installed(source(files)), wanted);
});

Deno.test("a source distribution that has to be built is refused with the reason", async () => {
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
    const said = await installed(source(files));
    assert(typeof said === "string" && said.startsWith("its source distribution is not built: "));
    assert(said.includes(reason), said);
  }
});

/** An entry that says that it has so many bytes. */
function claiming(size: number): Uint8Array {
  const tar = gunzipSync(tarOf({ "pure-1.0/a.py": "x" }));
  const text = Number.isNaN(size) ? "z".repeat(11) : size.toString(8).padStart(11, "0");
  tar.set(new TextEncoder().encode(text.slice(0, 12)), 124);
  return gzipSync(tar);
}

function many(count: number): Uint8Array {
  return tarOf(
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`pure-1.0/${at}.py`, ""])),
  );
}

Deno.test("a source distribution whose setup.py lists its modules is taken, though setuptools left nothing", async () => {
  const setup = (text: string) => ({ "setup.py": `from distutils.core import setup\n${text}\n` });
  const inside = { "pure/__init__.py": "", "pure/more/a.py": "", "pure/data.txt": "1" };
  const all = Object.keys(inside).sort();
  const ways: [Given, string[]][] = [
    [{ ...inside, ...setup("setup(name='pure', packages=['pure'])"), "test/test.py": "" }, all],
    [{ ...inside, ...setup("setup(name='pure', packages=('pure', 'pure.more'))") }, all],
    [{ ...inside, ...setup("setup(packages=['pure'], package_dir={'pure': 'pure'})") }, all],
    [{ "lib/pure/a.py": "", ...setup("setup(packages=['pure'], package_dir={'': 'lib'})") }, [
      "pure/a.py",
    ]],
    [{ "code/a.py": "", ...setup("setup(packages=['pure'], package_dir={'pure': './code/'})") }, [
      "pure/a.py",
    ]],
    [{ "pure.py": "", "other.py": "", ...setup("setup(py_modules=['pure'])") }, ["pure.py"]],
    [
      {
        ...inside,
        "setup.py": "import setuptools as s\nif True:\n    s.setup(\n        # ours\n" +
          "        packages=[\n            'pure',  # all\n        ],\n" +
          "        package_data={'pure': glob()}, classifiers=read(), install_requires=['a>=1'])\n",
      },
      all,
    ],
  ];
  for (const [files, wanted] of ways) assertEquals(await installed(source(files)), wanted);
  const requiring = source({
    ...inside,
    ...setup("setup(packages=['pure'], install_requires=['a', 'b>=2'])"),
  });
  assertEquals(metadataIn(requiring, await setupListOf(requiring)), ["a", "b>=2"]);
});

Deno.test("a source distribution whose setup.py computes or builds anything is refused", async () => {
  const inside = { "pure/__init__.py": "" };
  const scripts = [
    "setup(packages=find_packages())",
    "setup(packages=['pure'] + more)",
    "setup(packages=['pure', name])",
    "setup(packages=['pure'], ext_modules=[Extension('pure.fast', ['fast.c'])])",
    "setup(packages=['pure'], cmdclass={'build_py': Own})",
    "setup(packages=['pure'], use_scm_version=True, setup_requires=['x'])",
    "setup(packages=['pure'], pbr=True)",
    "setup(packages=['pure'], install_requires=read())",
    "setup(packages=['pure'], package_dir={'pure': here})",
    "setup(packages=['pure'], package_dir={'pure.more': 'x'})",
    "setup(packages=['pure'], package_dir={'pure': '../pure'})",
    "setup(packages=['pure'], package_dir={'pure': '/etc'})",
    "setup(packages=['../pure'])",
    "setup(**{'packages': ['pure']}, **more)",
    "setup(packages=['pure'])\nsetup(packages=['pure'])",
    "setup(packages=[])",
    "setup(packages=['pure'",
    "",
  ];
  for (const script of scripts) {
    const text = `from setuptools import setup\n${script}\n`;
    assertEquals([script, await installed(source({ ...inside, "setup.py": text }))], [
      script,
      "its source distribution is not built: what it installs is not written down",
    ]);
  }
  const plain = "from setuptools import setup\nsetup(packages=['pure'])\n";
  const native = await installed(source({ ...inside, "setup.py": plain, "pure/fast.c": "" }));
  assert(typeof native === "string" && native.includes("code to be compiled: pure/fast.c"));
  const elsewhere = await installed(source({ "x/pure/a.py": "", "setup.py": plain }));
  assert(typeof elsewhere === "string" && elsewhere.includes("not where its name says"));
});

Deno.test("hostile source distributions are refused", async () => {
  const link = gunzipSync(tarOf({ "pure-1.0/a.py": "" }));
  link[156] = "2".charCodeAt(0);
  const zeros = new Uint8Array(gzipSync(new Uint8Array(400 * 2 ** 20), { level: 1 }));
  const ways: [Uint8Array, string][] = [
    [tarOf({ "pure-1.0/../../a.py": "" }), "leads elsewhere"],
    [tarOf({ "/etc/passwd": "" }), "leads elsewhere"],
    [tarOf({ "a/x.py": "", "b/y.py": "" }), "one folder"],
    [gzipSync(link), "a link or a device"],
    [Uint8Array.of(0x1f, 0x8b, 8, 0), "cannot be unpacked"],
    // Each unpacks to a thousand times its size.
    [zeros, "too large"],
    [tarOf({ "pure.tar.gz": zeros }), "is not a source distribution"],
    [claiming(2 ** 40), "damaged"],
    [claiming(NaN), "damaged"],
    [many(30_000), "files"],
    // The same script is read in a tree, which is bounded too.
    [source({ "setup.py": `setup(packages=${"[".repeat(200_000)}`, "pure.py": "" }), "not written"],
    [
      sourceOf({ name: "other", version: "1.0", files: setuptools("pure", { "pure.py": "" }) }),
      "another package",
    ],
  ];
  for (const [bytes, reason] of ways) {
    const packed = await pack(bytes);
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
