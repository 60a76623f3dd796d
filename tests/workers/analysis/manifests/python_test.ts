import { assertEquals } from "@std/assert";
import { poetryRanges } from "../../../../workers/analysis/manifests/poetry_ranges.ts";
import { lines, linesOf, readAll } from "./read.ts";

Deno.test("pyproject.toml is read in every dialect", () => {
  const text = `
[build-system]
requires = ["hatchling"]
[project]
name = "demo"
dependencies = ["requests>=2.0,<3", "mcp[cli]==1.2.0", "x @ git+https://example.com/x"]
[project.optional-dependencies]
test = ["pytest"]
[dependency-groups]
dev = ["ruff==0.1.0", {include-group = "test"}]
[tool.uv]
dev-dependencies = ["mypy==1.0"]
[tool.pdm.dev-dependencies]
lint = ["black==23.0"]
[tool.poetry.dependencies]
python = "^3.10"
httpx = "^0.27"
flask = {version = "2.3.1", extras = ["async"]}
lib = {git = "https://example.com/lib.git"}
multi = [{version = "<1", python = "<3.8"}, {version = ">=1", python = ">=3.8"}]
[tool.poetry.group.dev.dependencies]
isort = "~5.12"
`;
  const { requirements, unreadable } = readAll({ "pyproject.toml": text });
  assertEquals(unreadable, []);
  assertEquals(lines(requirements), [
    "requests (>=2.0,<3)",
    "mcp 1.2.0",
    "x @git+https://example.com/x",
    "pytest ()",
    "ruff 0.1.0",
    "black 23.0",
    "mypy 1.0",
    "httpx (>=0.27,<0.28)",
    "flask 2.3.1",
    "lib @https://example.com/lib.git",
    "multi (<1)",
    "multi (>=1)",
    "isort (>=5.12,<5.13)",
  ]);
});

Deno.test("pyproject.toml with uv sources leaves the repository's own packages out", () => {
  const text = `[project]
name = "demo"
dependencies = ["Own_Lib", "forked>=1", "https @ git+https://user:pw@example.com/x"]
[tool.uv.sources]
own-lib = { workspace = true }
forked = { git = "https://example.com/forked" }
`;
  const { requirements } = readAll({ "pyproject.toml": text });
  assertEquals(lines(requirements), [
    "forked @https://example.com/forked",
    "https @git+https://user:pw@example.com/x",
  ]);
  assertEquals(requirements[1]?.text, "https @ git+https://example.com/x");
});

Deno.test("poetryRanges() writes Poetry's operators as PEP 440", () => {
  for (
    const [constraint, expected] of [
      ["^1.2.3", [">=1.2.3,<2"]],
      ["^0.2.3", [">=0.2.3,<0.3"]],
      ["^0.0.3", [">=0.0.3,<0.0.4"]],
      ["^0.0", [">=0.0,<0.1"]],
      ["^1", [">=1,<2"]],
      ["~1.2.3", [">=1.2.3,<1.3"]],
      ["~1", [">=1,<2"]],
      ["~=1.2", ["~=1.2"]],
      ["1.2.*", ["==1.2.*"]],
      ["*", [""]],
      ["1.2.3", ["==1.2.3"]],
      [">=1.0,<2.0", [">=1.0,<2.0"]],
      [">=1.0 <2.0", [">=1.0,<2.0"]],
      ["^1.0 || ^2.0", [">=1.0,<2", ">=2.0,<3"]],
      ["!=1.5", ["!=1.5"]],
      ["nonsense!", null],
    ] as const
  ) assertEquals(poetryRanges(constraint), expected as string[] | null, constraint);
});

Deno.test("setup.cfg is read", () => {
  const text = `[metadata]
name = demo
[options]
python_requires = >=3.8
install_requires =
    requests>=2.0  # why
    # comment
    importlib-metadata; python_version < "3.12"
[options.extras_require]
dev = pytest==7.0
docs =
    sphinx
`;
  assertEquals(linesOf("setup.cfg", text), [
    "requests (>=2.0)",
    "importlib-metadata ()",
    "pytest 7.0",
    "sphinx ()",
  ]);
});

Deno.test("Python lock files are read; the repository's own packages are left out", () => {
  assertEquals(
    linesOf(
      "poetry.lock",
      `[[package]]
name = "Requests"
version = "2.31.0"
[[package]]
name = "tool"
version = "1.0"
[package.source]
type = "git"
url = "https://example.com/tool.git"
`,
    ),
    ["requests 2.31.0", "tool @https://example.com/tool.git"],
  );
  assertEquals(
    linesOf(
      "uv.lock",
      `version = 1
[[package]]
name = "anyio"
version = "4.0.0"
source = { registry = "https://example.com/simple" }
[[package]]
name = "demo"
version = "0.1.0"
source = { editable = "." }
[[package]]
name = "fork"
version = "1.0"
source = { git = "https://example.com/fork?rev=1#abc" }
`,
    ),
    ["anyio 4.0.0", "fork @https://example.com/fork?rev=1#abc"],
  );
  assertEquals(linesOf("pdm.lock", `[[package]]\nname = "a"\nversion = "1"\n`), ["a 1"]);
  assertEquals(linesOf("pylock.toml", `[[packages]]\nname = "a"\nversion = "1"\n`), ["a 1"]);
  const pipfile = {
    _meta: { hash: {} },
    default: { requests: { version: "==2.31.0" }, x: { git: "https://example.com/x.git" } },
    develop: { pytest: { version: "==7.0", markers: "python_version >= '3.7'" } },
  };
  assertEquals(linesOf("Pipfile.lock", JSON.stringify(pipfile, null, 2)), [
    "requests 2.31.0",
    "x @https://example.com/x.git",
    "pytest 7.0",
  ]);
  assertEquals(linesOf("Pipfile", `[packages]\nrequests = "*"\nflask = "==2.0"\n`), [
    "requests ()",
    "flask 2.0",
  ]);
});

const SCRIPT = `#!/usr/bin/env python3
# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "requests==2.19.0",
#   "rich",
# ]
# ///
print(1)
`;

Deno.test("the metadata of every script is read, but for installed ones", () => {
  const other = SCRIPT.replace("2.19.0", "2.20.0");
  const { requirements, files } = readAll({
    "server.py": SCRIPT,
    "tools/other.py": other,
    "venv/lib/site-packages/x.py": other,
    "notes.txt": other,
  });
  assertEquals(lines(requirements), [
    "requests 2.19.0",
    "rich ()",
    "requests 2.20.0",
    "rich ()",
  ]);
  assertEquals(files, ["server.py", "tools/other.py"]);
});

Deno.test("a block of script metadata is read as PEP 723 has it", () => {
  const block = (...inside: string[]) =>
    ["# /// script", ...inside.map((line) => `# ${line}`.trimEnd()), "# ///", ""].join("\n");
  const read = (text: string) => lines(readAll({ "server.py": text }).requirements);
  // Another kind of block, and a mark that is not at a line's beginning.
  assertEquals(read(block('dependencies = ["a==1"]').replace("script", "other")), []);
  assertEquals(read(`x = 1  # /// script\n# dependencies = ["a==1"]\n# ///\n`), []);
  // Without an end, and with code before the end.
  assertEquals(read(`# /// script\n# dependencies = ["a==1"]\n`), []);
  assertEquals(read(`# /// script\n# dependencies = ["a==1"]\nx = 1\n# ///\n`), []);
  // The last mark of the comment closes.
  const embedded = block('dependencies = ["a==1"]', "x = '''", "///", "'''");
  assertEquals(read(embedded), ["a 1"]);
  assertEquals(read(block("", 'dependencies = ["a==1"]').replaceAll("\n", "\r\n")), ["a 1"]);
});

Deno.test("script metadata that cannot be read counts for the entrypoint only", () => {
  const broken = SCRIPT.replace('"rich",', "rich");
  const twice = SCRIPT + SCRIPT;
  const { unreadable } = readAll({ "server.py": broken, "a.py": broken, "b.py": twice });
  assertEquals(unreadable.map(({ file, aside }) => [file, aside ?? false]), [
    ["server.py", false],
    ["a.py", true],
    ["b.py", true],
  ]);
});

Deno.test("manifests of hostile content are unreadable, and nothing worse", () => {
  const deep = "[".repeat(50_000);
  for (
    const [file, text] of [
      ["pyproject.toml", "= broken"],
      ["pyproject.toml", `a = ${deep}`],
      ["pyproject.toml", `[project]\ndependencies = ["a b c"]`],
      ["pyproject.toml", `[tool.poetry.dependencies]\nx = "nonsense!"`],
      ["poetry.lock", `[[package]]\nversion = "1"`],
      ["uv.lock", `package = 5`],
      ["Pipfile.lock", "[]"],
      ["Pipfile.lock", `{"default": {"x": {"version": ">>1"}}}`],
      ["package-lock.json", deep],
      ["package.json", "null"],
      ["pnpm-lock.yaml", `a: &a [x]\nb: &b [${"*a,".repeat(200)}]\nc: [${"*b,".repeat(200)}]`],
      ["pnpm-lock.yaml", "- just\n- a list"],
      ["yarn.lock", "{{{{"],
      ["Cargo.lock", `[[package]]\nname = 5`],
      ["go.mod", "require (\n\tgarbage\n)"],
      ["requirements.txt", "x".repeat(6_000_000)],
    ] as const
  ) {
    const { unreadable, requirements } = readAll({ [file]: text });
    assertEquals([unreadable.length, requirements.length], [1, 0], `${file}: ${text.slice(0, 40)}`);
  }
  const polluted = `{"__proto__": {"polluted": 1}, "dependencies": {"__proto__": "1.0.0"}}`;
  readAll({ "package.json": polluted });
  assertEquals(({} as Record<string, unknown>).polluted, undefined);
});

Deno.test("files that setuptools and Hatch make dependencies of are read", () => {
  const pyprojects = [
    '[tool.setuptools.dynamic]\ndependencies={file=["deps/base.txt"]}\n',
    '[tool.setuptools.dynamic]\ndependencies = { file = "deps/base.txt" }\n',
    '[tool.setuptools.dynamic.optional-dependencies]\ndev = { file = ["deps/base.txt"] }\n',
    '[tool.hatch.metadata.hooks.requirements_txt]\nfiles = ["deps/base.txt"]\n',
  ];
  for (const text of pyprojects) {
    const { requirements, files } = readAll({
      "pyproject.toml": text,
      "deps/base.txt": "# pinned\nurllib3==1.24.1\n",
    });
    assertEquals(lines(requirements), ["urllib3 1.24.1"], text);
    assertEquals(requirements[0]!.file, "deps/base.txt");
    assertEquals(files, ["deps/base.txt", "pyproject.toml"]);
  }
  const configurations = [
    "[options]\ninstall_requires = file: deps/base.txt, deps/more.txt\n",
    "[options]\ninstall_requires =\n    file: deps/base.txt, deps/more.txt\n",
    "[options.extras_require]\ndev = file: deps/base.txt, deps/more.txt\n",
  ];
  for (const text of configurations) {
    const { requirements } = readAll({
      "setup.cfg": text,
      "deps/base.txt": "urllib3==1.24.1\n",
      "deps/more.txt": "a==1\n",
    });
    assertEquals(lines(requirements), ["urllib3 1.24.1", "a 1"], text);
  }
});

Deno.test("files named dynamic that are not there, or outside, say nothing", () => {
  const named = '["missing.txt", "../outside.txt", "/etc/passwd", 1, ""]';
  const text = `[tool.setuptools.dynamic]\ndependencies = { file = ${named} }\n`;
  const { requirements, unreadable } = readAll({ "pyproject.toml": text });
  assertEquals([requirements, unreadable], [[], []]);
});
