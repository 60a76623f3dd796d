import choices from "../fixtures/sdk_choices.json" with { type: "json" };
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describeDatabases, openTestDatabase } from "../helpers/database.ts";
import type { TestPackage } from "../helpers/package_index.ts";
import { wasmLibrary } from "../helpers/wasm_library.ts";
import { directOf, HERE, reasonsOf, versionsOf, withIndex, withPackages } from "./harness.ts";

const CODE = { "greeting/__init__.py": "def hello():\n    return 'hello'\n" };

describeDatabases((kind, open) => {
  Deno.test(`resolvePackages() stores what it resolves once, and needs no wheel twice (${kind})`, async () => {
    const database = await open();
    try {
      await withIndex(database.sql, [
        { name: "greeting", version: "1.0", files: CODE, requires: ["words>=2"] },
        { name: "words", version: "2.1", files: { "words.py": "" } },
        { name: "words", version: "1.0" },
      ], async ({ index, resolve }) => {
        const files = { "server.py": "import greeting", "requirements.txt": "greeting\n" };
        const first = await resolve(files);
        assertEquals([first.problem, first.missing], [null, []]);
        assertEquals(
          first.resolved.map(({ name, version, source, sha256, requires, direct, modules }) => [
            name,
            version,
            source,
            sha256,
            requires,
            direct,
            modules,
          ]),
          [
            ["greeting", "1.0", "index", index.digests["greeting 1.0"]!, ["words"], true, [
              "greeting",
            ]],
            ["words", "2.1", "index", index.digests["words 2.1"]!, [], false, ["words"]],
          ],
        );
        assertEquals(first.files, ["requirements.txt"]);
        index.asked.length = 0;
        const { duration_ms: _, ...again } = await resolve(files);
        const { duration_ms: __, ...before } = first;
        assertEquals(again, before);
        assertEquals(index.asked.filter((path) => path.endsWith(".whl")), []);
      });
    } finally {
      await database.close();
    }
  });
});

Deno.test("resolvePackages() takes the newest version whose own requirements fit", async () => {
  await withPackages([
    { name: "client", version: "3.0", requires: ["native>=2"] },
    { name: "client", version: "2.0", requires: ["native<2"] },
    { name: "client", version: "1.5", requires: ["plain"] },
    { name: "client", version: "1.0" },
    { name: "native", version: "2.0", tag: "cp314-cp314-win_amd64" },
    { name: "native", version: "1.0", sdist: true },
    { name: "plain", version: "1.0" },
  ], async ({ resolve }) => {
    const packages = await resolve({ "server.py": "", "requirements.txt": "client>=1\n" });
    assertEquals(versionsOf(packages), ["client 1.5", "plain 1.0"]);
    assertEquals(packages.missing, []);
  });
});

Deno.test("resolvePackages() says why a package cannot be had, and resolves the others", async () => {
  await withPackages([
    { name: "source", version: "1.0", sdist: true },
    { name: "windows", version: "1.0", tag: "cp314-cp314-win_amd64" },
    { name: "later", version: "1.0", python: ">=3.15" },
    { name: "good", version: "1.0" },
    // The runtime does its work.
    { name: "orjson", version: "3.0", tag: "cp314-cp314-win_amd64" },
  ], async ({ resolve }) => {
    const packages = await resolve({
      "server.py": "",
      "pyproject.toml": `[project]
name = "x"
version = "1"
dependencies = ["source", "windows==1.0", "later", "good", "orjson", "nowhere", "mcp[cli]>=1", "uvicorn",
  "kept @ https://example.com/kept.whl"]
`,
    });
    const others = packages.resolved.filter(({ source }) => source !== "installation");
    assertEquals(versionsOf({ ...packages, resolved: others }), [
      "good 1.0",
      "mcp 2.3.0",
      "mcp-types 2.3.0",
    ]);
    assertEquals(reasonsOf(packages).sort(), [
      "kept: it is not taken from an index",
      "later: its wheels are for other platforms or versions of Python",
      "nowhere: the index does not have it",
      "source: its source distribution is not built: it has code to be compiled: module.c",
      "windows: its wheels are for other platforms or versions of Python",
    ]);
  });
});

Deno.test("resolvePackages() follows a lock file where its wheels fit, and the requirements elsewhere", async () => {
  await withPackages([
    { name: "locked", version: "1.0" },
    { name: "locked", version: "2.0" },
    { name: "moved", version: "1.0", tag: "cp314-cp314-win_amd64" },
    { name: "moved", version: "1.1" },
  ], async ({ index, resolve }) => {
    const lock = (digest: string) =>
      `version = 1
[[package]]
name = "locked"
version = "1.0"
source = { registry = "https://pypi.org/simple" }
wheels = [{ url = "https://example.com/locked.whl", hash = "sha256:${digest}" }]
[[package]]
name = "moved"
version = "1.0"
source = { registry = "https://pypi.org/simple" }
`;
    const pyproject = `[project]
name = "x"
version = "1"
dependencies = ["locked>=1", "moved"]
`;
    const digest = index.digests["locked 1.0"]!;
    const files = { "server.py": "", "pyproject.toml": pyproject, "uv.lock": lock(digest) };
    const packages = await resolve(files);
    assertEquals(versionsOf(packages), ["locked 1.0", "moved 1.1"]);
    assertEquals(packages.files, ["pyproject.toml", "uv.lock"]);
  });
});

Deno.test("resolvePackages() goes by locked files where a session could use one of them", async () => {
  await withPackages([{ name: "locked", version: "1.0" }], async ({ resolve }) => {
    const other = "0".repeat(64);
    const pyproject = `[project]\nname = "x"\nversion = "1"\ndependencies = ["locked>=1"]\n`;
    const lock = (names: readonly string[]) => {
      const wheels = names.map((each) =>
        `{ url = "https://example.com/${each}", hash = "sha256:${other}" },`
      );
      return `version = 1
[[package]]
name = "locked"
version = "1.0"
source = { registry = "https://pypi.org/simple" }
wheels = [${wheels.join("\n")}]
`;
    };
    const ofOthers = [
      "locked-1.0-cp313-cp313-manylinux_2_28_x86_64.whl",
      "locked-1.0-cp312-cp312-macosx_11_0_arm64.whl",
      "locked-1.0-pp311-pypy311_pp73-win_amd64.whl",
    ];
    const fitting = [
      "locked-1.0-cp314-cp314-manylinux_2_28_x86_64.whl",
      "locked-1.0-py2.py3-none-any.whl",
      "locked-1.0-py3-none-any.whl",
    ];
    const versions = async (names: readonly string[]) =>
      versionsOf(
        await resolve({ "server.py": "", "pyproject.toml": pyproject, "uv.lock": lock(names) }),
      );
    assertEquals(await versions(ofOthers), ["locked 1.0"]);
    for (const each of fitting) assertEquals(await versions([...ofOthers, each]), [], each);
    // A source distribution alone names no machine.
    assertEquals(await versions(["locked-1.0.tar.gz"]), []);
  });
});

Deno.test("resolvePackages() refuses a package whose file is not the one that was locked", async () => {
  await withPackages([
    { name: "locked", version: "1.0" },
    { name: "locked", version: "2.0" },
    { name: "facade", version: "1.0", requires: ["locked"] },
    { name: "facade", version: "0.9" },
  ], async ({ index, resolve }) => {
    const forged = "0".repeat(64);
    const reason = "locked: the index's file of version 1.0 has another digest than was locked";
    const digest = index.digests["facade 1.0"];
    const uv = `version = 1
[[package]]
name = "locked"
version = "1.0"
source = { registry = "https://pypi.org/simple" }
wheels = [{ url = "https://example.com/locked.whl", hash = "sha256:${forged}" }]
`;
    const poetry = `[[package]]
name = "locked"
version = "1.0"
files = [{ file = "locked-1.0-py3-none-any.whl", hash = "sha256:${forged}" }]
`;
    const pyproject = `[project]\nname = "x"\nversion = "1"\ndependencies = ["locked>=1"]\n`;
    for (
      const files of [
        { "requirements.txt": `locked==1.0 --hash=sha256:${forged}\n` },
        { "requirements.txt": `locked==1.0 \\\n    --hash=sha256:${forged}\n` },
        { "pyproject.toml": pyproject, "uv.lock": uv },
        { "pyproject.toml": pyproject, "poetry.lock": poetry },
      ] as Record<string, string>[]
    ) {
      const found = await resolve({ "server.py": "", ...files });
      assertEquals([versionsOf(found), reasonsOf(found)], [[], [reason]], JSON.stringify(files));
    }
    // What requires it stays as it was locked.
    const found = await resolve({
      "server.py": "",
      "requirements.txt": `facade==1.0 --hash=sha256:${digest}\n` +
        `locked==1.0 --hash=sha256:${forged}\n`,
    });
    assertEquals([versionsOf(found), reasonsOf(found)], [["facade 1.0"], [reason]]);
  });
});

Deno.test("resolvePackages() prefers what the installation has, and asks no index for it", async () => {
  await withPackages([], async ({ index, resolve }) => {
    const packages = await resolve({
      "server.py": "",
      "requirements.txt": "httpx>=0.27\npydantic>=2\nrequests\n",
    });
    assertEquals(directOf(packages).map(({ name, source }) => [name, source]), [
      ["httpx", "installation"],
      ["pydantic", "installation"],
      ["requests", "installation"],
    ]);
    assertEquals([index.asked, packages.missing], [[], []]);
  });
});

Deno.test("resolvePackages() reads extras, markers and scripts as a session would install them", async () => {
  await withPackages([
    {
      name: "base",
      version: "1.0",
      extras: ["fast", "slow"],
      requires: [
        'quick; extra == "fast"',
        'sluggish; extra == "slow"',
        'windows-only; sys_platform == "win32"',
        'old-only; python_version < "3.10"',
        'here; sys_platform == "emscripten"',
      ],
    },
    { name: "quick", version: "1.0" },
    { name: "here", version: "1.0" },
  ], async ({ resolve }) => {
    const script = "# /// script\n# dependencies = ['base[fast]']\n# ///\nimport base\n";
    const files = { "server.py": script, "requirements.txt": "unrelated\n" };
    const packages = await resolve(files);
    assertEquals(versionsOf(packages), ["base 1.0", "here 1.0", "quick 1.0"]);
    assertEquals(packages.missing, []);
  });
});

Deno.test("resolvePackages() uses another version than asked for rather than none, and says so", async () => {
  await withPackages([
    { name: "pinned", version: "1.0", sdist: true },
    { name: "pinned", version: "1.2" },
  ], async ({ resolve }) => {
    const { resolved } = await resolve({ "server.py": "", "requirements.txt": "pinned==1.0\n" });
    assertEquals(resolved.map(({ version, instead }) => [version, instead]), [
      ["1.2", "pinned==1.0"],
    ]);
  });
});

Deno.test("resolvePackages() keeps a package and its companion together where neither is as pinned", async () => {
  const other = "cp314-cp314-win_amd64";
  await withPackages([
    { name: "facade", version: "1.0", requires: ["facade-core==1.0"] },
    { name: "facade", version: "2.0", requires: ["facade-core==2.0"] },
    { name: "facade", version: "3.0", requires: ["facade-core==3.0"] },
    { name: "facade-core", version: "1.0", tag: other },
    { name: "facade-core", version: "2.0" },
    { name: "facade-core", version: "3.0", tag: other },
  ], async ({ resolve }) => {
    for (const pins of ["facade==1.0", "facade==1.0\nfacade-core==1.0", "facade-core==1.0"]) {
      const requirements = `${pins}\nfacade`;
      const found = await resolve({ "server.py": "", "requirements.txt": requirements });
      assertEquals([found.problem, found.missing], [null, []], pins);
      assertEquals(versionsOf(found), ["facade 2.0", "facade-core 2.0"], pins);
    }
  });
});

Deno.test("resolvePackages() gives way where versions never go together, and keeps the rest", async () => {
  const askers = ["north", "east", "south", "west"];
  const versions = Array.from({ length: 20 }, (_, at) => at);
  await withPackages([
    ...askers.flatMap((name, group) =>
      versions.map((at): TestPackage => ({
        name,
        version: `1.${at}`,
        requires: [`middle==${group + 1}.${at}`],
      }))
    ),
    ...askers.flatMap((_, group) =>
      versions.map((at): TestPackage => ({ name: "middle", version: `${group + 1}.${at}` }))
    ),
    { name: "greeting", version: "1.0", files: CODE },
  ], async ({ resolve }) => {
    const found = await resolve({
      "server.py": "import greeting",
      "requirements.txt": [...askers, "greeting"].join("\n"),
    });
    assertEquals([found.problem, found.missing], [null, []]);
    const names = found.resolved.map(({ name }) => name);
    assertEquals(names, ["east", "greeting", "middle", "north", "south", "west"]);
    const { instead } = found.resolved.find(({ name }) => name === "middle")!;
    assertStringIncludes(instead ?? "", "middle==");
  });
});

Deno.test("resolvePackages() takes the Python part of a wheel whose compiled part is optional", async () => {
  const linux = "cp314-cp314-manylinux_2_17_x86_64.manylinux2014_x86_64";
  const compiled = new Uint8Array([0x7f, 0x45]);
  await withPackages([
    {
      name: "optional",
      version: "2.0",
      tag: linux,
      files: {
        "optional/__init__.py":
          "try:\n    from ._fast import f\nexcept ImportError:\n    from ._slow import f\n",
        "optional/_slow.py": "",
        "optional/_fast.cpython-314-x86_64-linux-gnu.so": compiled,
      },
    },
    {
      name: "needed",
      version: "2.0",
      tag: linux,
      files: {
        "needed/__init__.py": "from . import _core\n",
        "needed/_core.cpython-314-x86_64-linux-gnu.so": compiled,
      },
    },
    { name: "needed", version: "1.0", files: { "needed/__init__.py": "" } },
    {
      name: "lazy",
      version: "1.0",
      tag: linux,
      files: {
        "lazy/__init__.py": "from . import (\n    plain,\n)\ndef f():\n    from . import _core\n",
        "lazy/plain.py": "",
        "lazy/_core.abi3.so": compiled,
      },
    },
    {
      name: "bare",
      version: "1.0",
      tag: linux,
      files: { "bare.cpython-314-x86_64-linux-gnu.so": compiled },
    },
    {
      name: "bracketed",
      version: "1.0",
      tag: linux,
      files: {
        "bracketed/__init__.py": "from .inner import (\n    plain,\n    _core as core,\n)\n",
        "bracketed/inner/__init__.py": "",
        "bracketed/inner/_core.abi3.so": compiled,
      },
    },
  ], async ({ resolve }) => {
    const packages = await resolve({
      "server.py": "",
      "requirements.txt": "optional\nneeded\nlazy\nbare\nbracketed\n",
    });
    assertEquals(
      packages.resolved.map(({ name, version, python_part }) => [
        name,
        version,
        python_part,
      ]),
      [["lazy", "1.0", true], ["needed", "1.0", false], ["optional", "2.0", true]],
    );
    assertEquals(reasonsOf(packages), [
      "bare: it is compiled for other machines alone",
      "bracketed: it needs its compiled module bracketed.inner._core",
    ]);
  });
});

Deno.test("resolvePackages() takes the Python part where whoever imports a compiled module expects its absence", async () => {
  const core = { "kit/_core.abi3.so": new Uint8Array([0x7f, 0x45]) };
  const fast = { ...core, "kit/fast.py": "from kit._core import go\n" };
  const suppressed = "import contextlib\nwith contextlib.suppress(ImportError):\n" +
    "    from kit.fast import go\n";
  const cases: [what: string, files: Record<string, string | Uint8Array>, taken: boolean][] = [
    ["a module that needs it, and that only a guarded import names", {
      ...fast,
      "kit/__init__.py": suppressed,
    }, true],
    ["the same behind another one", {
      ...fast,
      "kit/more.py": "from . import fast\n",
      "kit/__init__.py":
        `${suppressed}try:\n    from . import more\nexcept ImportError:\n    pass\n`,
    }, true],
    ["another module needs it, too", {
      ...fast,
      "kit/more.py": "from kit import fast\n",
      "kit/__init__.py": suppressed,
    }, false],
    ["the package itself needs it, whatever its parts expect", {
      ...core,
      "kit/__init__.py": "from ._core import go\n",
      "kit/types.py": "try:\n    import kit\nexcept ImportError:\n    kit = None\n" +
        "if TYPE_CHECKING:\n    from kit import go\n",
    }, false],
    ["it is imported later, for types alone", {
      ...fast,
      "kit/__init__.py": "if TYPE_CHECKING:\n    from kit import fast\n",
    }, false],
    ["nothing expects its absence", { ...fast, "kit/__init__.py": "" }, false],
    ["a loader looks for it by its name", {
      ...core,
      "kit/__init__.py":
        'from kit.loader import load_raw\nraw = load_raw("kit._core", """int f();""")\n',
      "kit/loader.py": "def load_raw(name, text): ...\n",
    }, false],
    ["a loader may fail", {
      ...core,
      "kit/__init__.py": 'try:\n    raw = load_raw("kit._core")\nexcept OSError:\n    raw = None\n',
    }, true],
  ];
  for (const [what, files, taken] of cases) {
    const tag = "cp314-cp314-manylinux_2_17_x86_64.manylinux2014_x86_64";
    await withPackages([{ name: "kit", version: "1.0", tag, files }], async ({ resolve }) => {
      const packages = await resolve({ "server.py": "", "requirements.txt": "kit\n" });
      assertEquals([what, packages.resolved.map((each) => each.python_part)], [
        what,
        taken ? [true] : [],
      ]);
      if (!taken) {
        assertEquals(reasonsOf(packages), ["kit: it needs its compiled module kit._core"]);
      }
    });
  }
});

Deno.test("resolvePackages() refuses compiled modules that import what the interpreter lacks", async () => {
  const wasm = "cp314-cp314-pyemscripten_2026_0_wasm32";
  const lacking = wasmLibrary("malloc", "PyNever_WasThere");
  await withPackages([
    {
      name: "fits",
      version: "1.0",
      tag: wasm,
      files: { "fits/__init__.py": "", "fits/_core.so": wasmLibrary("malloc") },
    },
    {
      name: "lacks",
      version: "1.0",
      tag: wasm,
      files: { "lacks/__init__.py": "", "lacks/_core.so": lacking },
    },
    { name: "older", version: "2.0", tag: wasm, files: { "older.so": lacking } },
    { name: "older", version: "1.0", files: { "older.py": "" } },
    {
      name: "twin",
      version: "1.0",
      tag: wasm,
      files: { "twin/__init__.py": "", "twin/_core.so": lacking, "twin/_core.py": "" },
    },
    {
      name: "other",
      version: "1.0",
      tag: wasm,
      files: { "other/__init__.py": "", "other/_core.so": lacking },
    },
    {
      name: "other",
      version: "1.0",
      tag: "cp314-cp314-manylinux_2_17_x86_64",
      files: {
        "other/__init__.py": "try:\n    from . import _core\nexcept ImportError:\n    pass\n",
        "other/_core.so": new Uint8Array([0x7f, 0x45]),
      },
    },
    {
      name: "damaged",
      version: "1.0",
      tag: wasm,
      files: { "damaged.so": lacking.subarray(0, 20) },
    },
  ], async ({ resolve }) => {
    const packages = await resolve({
      "server.py": "",
      "requirements.txt": "fits\nlacks\nolder\ntwin\nother\ndamaged\n",
    });
    assertEquals(versionsOf(packages), ["fits 1.0", "older 1.0", "other 1.0", "twin 1.0"]);
    assertEquals(reasonsOf(packages).sort(), [
      "damaged: its compiled module damaged cannot be read",
      "lacks: its compiled module lacks._core needs PyNever_WasThere, which sessions do not have",
    ]);
  });
});

Deno.test("resolvePackages() prefers a wheel for any machine to a compiled one of the same version", async () => {
  const files = { "both.py": "" };
  await withPackages([
    { name: "both", version: "1.0", tag: "cp314-cp314-pyemscripten_2026_0_wasm32", files },
    { name: "both", version: "1.0", files: { ...files, "both.txt": "for any" } },
  ], async ({ index, resolve }) => {
    await resolve({ "server.py": "", "requirements.txt": "both\n" });
    const wheels = index.asked.filter((path) => path.endsWith(".whl"));
    assertEquals(wheels, ["/files/both-1.0-py3-none-any.whl"]);
  });
});

Deno.test("resolvePackages() gives up compiled wheels of a package after a few that do not fit", async () => {
  const tag = "cp314-cp314-pyemscripten_2026_0_wasm32";
  const content = wasmLibrary("PyNever_WasThere");
  const versions = Array.from({ length: 8 }, (_, at) => `${at + 1}.0`);
  await withPackages(
    versions.map((version) => ({ name: "many", version, tag, files: { "many.so": content } })),
    async ({ index, resolve }) => {
      const packages = await resolve({ "server.py": "", "requirements.txt": "many\n" });
      assertEquals(packages.missing.map(({ name }) => name), ["many"]);
      assertEquals(index.asked.filter((path) => path.endsWith(".whl")).length, 2);
    },
  );
});

Deno.test("resolvePackages() knows the digests of lock files that have them apart", async () => {
  const locked = (key: string, digest: string) =>
    `[[package]]\nname = "thing"\nversion = "1.0"\n\n[metadata]\nlock-version = "1.1"\n\n` +
    `[metadata.files]\n${key} = [\n` +
    `    {file = "thing-1.0-py3-none-any.whl", hash = "sha256:${digest}"},\n]\n`;
  await withPackages([{ name: "thing", version: "1.0" }], async ({ index, resolve }) => {
    const sha256 = index.digests["thing 1.0"]!;
    for (const [file, key] of [["poetry.lock", "thing"], ["pdm.lock", '"thing 1.0"']] as const) {
      const found = async (digest: string) =>
        await resolve({
          "server.py": "",
          "pyproject.toml": '[project]\nname = "x"\nversion = "1"\ndependencies = ["thing"]\n',
          [file]: locked(key, digest),
        });
      assertEquals(versionsOf(await found(sha256)), ["thing 1.0"]);
      const forged = await found("0".repeat(64));
      assertEquals([file, versionsOf(forged), reasonsOf(forged)], [file, [], [
        "thing: the index's file of version 1.0 has another digest than was locked",
      ]]);
    }
  });
});

Deno.test("resolvePackages() reads what Poetry, setup.cfg, setup.py and Pipfile ask for", async () => {
  await withPackages([{ name: "asked", version: "1.4" }, { name: "asked", version: "2.0" }], async (
    { resolve },
  ) => {
    for (
      const [file, text] of [
        ["pyproject.toml", '[tool.poetry.dependencies]\npython = "^3.10"\nasked = "^1.2"\n'],
        ["setup.cfg", "[metadata]\nname = x\n[options]\ninstall_requires =\n    asked<2\n"],
        ["setup.py", "from setuptools import setup\nsetup(name='x', install_requires=['asked<2'])"],
        // Not what its build, its tests and its extras take.
        [
          "setup.py",
          "from setuptools import setup\nsetup(name='x', install_requires=['asked<2'], " +
          "setup_requires=['pytest'], tests_require=['pytest'], extras_require={'all': ['pytest']})",
        ],
        [
          "setup.py",
          "from setuptools import setup\nARGS = {'install_requires': ['asked<2'], " +
          "'extras_require': {'all': ['pytest']}}\nsetup(name='x', **ARGS)",
        ],
        ["Pipfile", '[packages]\nasked = "<2"\n[dev-packages]\npytest = "*"\n'],
      ] as const
    ) {
      const packages = await resolve({ "src/server.py": "", [file]: text }, {
        entrypoint: "src/server.py",
      });
      assertEquals([file, versionsOf(packages)], [file, ["asked 1.4"]]);
    }
  });
});

Deno.test("resolvePackages() reads what a Dockerfile installs where nothing else says what is needed", async () => {
  const known = ["asked", "other", "listed", "meant"].map((name) => ({ name, version: "1.0" }));
  await withPackages(known, async ({ resolve }) => {
    const cases: [dockerfile: string, versions: string[]][] = [
      ["RUN pip install --no-cache-dir asked 'other>=1'", ["asked 1.0", "other 1.0"]],
      ["run PIP_NO_INPUT=1 python3 -m pip install -U pip asked\\\n  # why\n  other", [
        "asked 1.0",
        "other 1.0",
      ]],
      ["RUN --mount=type=cache,target=/x apt-get update && uv pip install --system asked", [
        "asked 1.0",
      ]],
      ['RUN ["pip3", "install", "asked==1.0", "-t", "other"]', ["asked 1.0"]],
      ["RUN pip install -r /tmp/needs.txt -c other", ["listed 1.0"]],
      ["RUN pip install . $MORE ./asked --index-url other -e other && pip install meant", [
        "meant 1.0",
      ]],
      ["RUN echo pip install asked\nENV A='pip install other'\nRUN pip download other", []],
    ];
    for (const [dockerfile, versions] of cases) {
      const files = { "src/server.py": "", Dockerfile: `FROM python\n${dockerfile}\n` };
      const packages = await resolve({ ...files, "needs.txt": "listed\n" }, {
        entrypoint: "src/server.py",
      });
      assertEquals([dockerfile, versionsOf(packages).toSorted()], [dockerfile, versions]);
    }
    const both = { Dockerfile: "RUN pip install asked", "requirements.txt": "other\n" };
    assertEquals(versionsOf(await resolve({ "server.py": "", ...both })), ["other 1.0"]);
  });
});

Deno.test("resolvePackages() gives what the installation has where no index answers", async () => {
  const database = await openTestDatabase();
  try {
    await withIndex(database.sql, [], async ({ resolve }) => {
      const packages = await resolve({
        "server.py": "",
        "requirements.txt": "httpx==0.20\nleft-pad\n",
      });
      assertEquals(directOf(packages).map(({ name, instead }) => [name, instead]), [
        ["httpx", "httpx==0.20"],
      ]);
      assertStringIncludes(reasonsOf(packages)[0]!, "left-pad: the package index could not be");
    }, { deps: { indexUrl: "http://127.0.0.1:9" } });
  } finally {
    await database.close();
  }
});

Deno.test("resolvePackages() says whether a source did not answer, in whichever way", async () => {
  const database = await openTestDatabase();
  const packages = [{ name: "greeting", version: "1.0" }];
  const files = { "server.py": "", "requirements.txt": "greeting\n" };
  const unreached = async (path: RegExp, answer: () => Response | Promise<Response>) => {
    let said: boolean | undefined;
    await withIndex(database.sql, packages, async ({ resolve }) => {
      said = (await resolve(files)).unreached;
    }, {
      override: (asked) => path.test(asked) ? answer() : undefined,
      deps: { timeoutMs: 2_000 },
    });
    return said;
  };
  const status = (code: number) => () => new Response("", { status: code });
  try {
    assertEquals(await unreached(/simple/, status(503)), true);
    assertEquals(await unreached(/simple/, status(429)), true);
    assertEquals(await unreached(/metadata$/, status(502)), true);
    assertEquals(await unreached(/whl$/, status(500)), true);
    assertEquals(await unreached(/simple/, status(404)), false);
    assertEquals(await unreached(/simple/, status(403)), false);
    assertEquals(await unreached(/nothing/, status(503)), false);
    await withIndex(database.sql, [], async ({ resolve }) => {
      assertEquals((await resolve(files)).unreached, true);
    }, { deps: { indexUrl: "http://127.0.0.1:9" } });
  } finally {
    await database.close();
  }
});

Deno.test("resolvePackages() names a host of files that it does not ask, and the setting, after one look", async () => {
  const database = await openTestDatabase();
  const versions = Array.from(
    { length: 30 },
    (_, at) => ({ name: "greeting", version: `${at}.0` }),
  );
  const files = { "server.py": "", "requirements.txt": "greeting\nwords\n" };
  const remedy = "use a PACKAGE_INDEX_URL whose files are on its own host";
  try {
    for (
      const [origin, reason] of [
        ["https://files.example", "the address of files.example is private or reserved"],
        ["http://files.example", "files.example would be asked without encryption"],
        ["https://198.18.0.1:8443", "the address of 198.18.0.1:8443 is private or reserved"],
      ] as const
    ) {
      let rounds = 0;
      const run: typeof HERE.run = (...given) => {
        rounds++;
        return HERE.run(...given);
      };
      await withIndex(database.sql, [...versions, { name: "words", version: "1.0" }], async (
        { resolve },
      ) => {
        const found = await resolve(files);
        assertEquals(found.unreached, true);
        assertEquals(reasonsOf(found).sort(), [
          `greeting: ${reason}: ${remedy}`,
          `words: ${reason}: ${remedy}`,
        ]);
      }, {
        analysis: { run },
        override: (path) => {
          const [, name] = /^\/simple\/([a-z]+)\/$/.exec(path) ?? [];
          if (name === undefined) return undefined;
          const names = name === "words"
            ? ["words-1.0"]
            : versions.map(({ version }) => `greeting-${version}`);
          const listed = names.map((each, at) => ({
            filename: `${each}-py3-none-any.whl`,
            url: `${origin}/${each}-py3-none-any.whl`,
            hashes: { sha256: String(at).padStart(64, "0") },
            "core-metadata": true,
          }));
          return new Response(JSON.stringify({ files: listed }), {
            headers: { "content-type": "application/vnd.pypi.simple.v1+json" },
          });
        },
      });
      assert(rounds <= 4, `${rounds} rounds`);
    }
  } finally {
    await database.close();
  }
});

Deno.test("resolvePackages() chooses the version of each SDK by lock, requirement and imports", async () => {
  await withPackages([{ name: "requests", version: "2.32.5" }], async ({ index, resolve }) => {
    for (const { about, files, expected } of choices) {
      const { resolved } = await resolve(files as unknown as Record<string, string>);
      const found = Object.fromEntries(
        resolved.filter(({ source }) => source === "runtime").map((
          each,
        ) => [each.name, each.version]),
      );
      const wanted = Object.keys(expected);
      const of = (sdk: string) => [sdk, found[sdk]];
      assertEquals([about, Object.fromEntries(wanted.map(of))], [about, expected]);
    }
    assertEquals(index.asked, []);
  });
});

Deno.test("resolvePackages() lists an SDK as what Berth provides, and what was asked for instead", async () => {
  await withPackages([
    { name: "on-fastmcp", version: "2.0", requires: ["fastmcp>=4"] },
    { name: "on-fastmcp", version: "1.0", requires: ["fastmcp>=3,<4"] },
  ], async ({ resolve }) => {
    const listed = async (requirements: string) => {
      const files = { "server.py": "", "requirements.txt": requirements };
      const { resolved } = await resolve(files);
      return resolved.filter(({ source }) => source !== "installation")
        .map(({ name, version, source, direct, instead }) =>
          [name, version, source, direct, instead].join(" ")
        );
    };
    assertEquals(await listed("mcp==1.9.4\n"), ["mcp 1.30.0 runtime true mcp==1.9.4"]);
    // Another package's requirement counts too.
    assertEquals(await listed("on-fastmcp\nmcp<2\n"), [
      "fastmcp 3.4.11 runtime false ",
      "fastmcp-slim 3.4.11 runtime false ",
      "mcp 1.30.0 runtime true ",
      "on-fastmcp 1.0 index true ",
    ]);
  });
});

Deno.test("resolvePackages() has what an SDK brings on CPython, as far as the installation has it", async () => {
  await withPackages([
    // It looks for one of several libraries, and declares none.
    { name: "any-transport", version: "1.0" },
    { name: "old-httpx", version: "1.0", requires: ["httpx<0.20"] },
  ], async ({ resolve, index }) => {
    const namesOf = async (requirements: string) => {
      const files = { "server.py": "", "requirements.txt": requirements };
      const { resolved } = await resolve(files);
      return resolved.map(({ name, source }) => `${name} ${source}`);
    };
    const one = await namesOf("mcp<2\nany-transport\n");
    for (const name of ["anyio", "httpx", "httpx-sse", "pydantic", "starlette"]) {
      assert(one.includes(`${name} installation`), `${name} in ${one}`);
    }
    const two = await namesOf("mcp>=2\nany-transport\n");
    assert(!two.includes("httpx installation") && two.includes("opentelemetry-api installation"));
    assert((await namesOf("fastmcp>=3,<4\n")).includes("rich installation"));
    assertEquals(index.asked.filter((path) => /httpx|pydantic/.test(path)), []);
    // What cannot be met beside an SDK does not cost the SDK.
    const apart = await namesOf("mcp<2\nold-httpx\n");
    assert(apart.includes("mcp runtime"), apart.join());
  });
});
