/**
 * Dependency confusion: a package that a project takes from one index must not come from another,
 * where a stranger may have registered its name.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { boundTo, isOther } from "../../workers/analysis/packages/declared/indexes.ts";
import { openTestDatabase } from "../helpers/database.ts";
import type { TestPackage } from "../helpers/package_index.ts";
import { reasonsOf, type TestResolver, versionsOf, withIndex } from "../packages/harness.ts";

const OTHER = "the project takes it from another index, which is not asked";
const PRIVATE = "https://packages.corp.example/simple";
const DIGEST = "b".repeat(64);
/** What a stranger has registered. */
const PUBLIC: TestPackage[] = [
  { name: "internal", version: "99.0" },
  { name: "internal", version: "1.2" },
  { name: "asked", version: "1.0" },
  { name: "facade", version: "1.0", requires: ["internal>=1"] },
];

async function withPublic(use: (resolver: TestResolver) => Promise<void>): Promise<void> {
  const database = await openTestDatabase();
  try {
    await withIndex(database.sql, PUBLIC, use);
  } finally {
    await database.close();
  }
}

const PROJECT = '[project]\nname = "x"\nversion = "1"\n';
const UV_INDEX = (url: string) => `[[tool.uv.index]]\nname = "own"\nurl = "${url}"\n`;

/** Each way to bind `internal` to the index at `url`, beside `asked`, which is bound to none. */
function waysToBind(url: string): [name: string, files: Record<string, string>][] {
  const both = `${PROJECT}dependencies = ["internal>=1", "asked"]\n`;
  const source = (way: string) => `[tool.uv.sources]\ninternal = ${way}\n`;
  const poetrySource = `[[tool.poetry.source]]\nname = "own"\nurl = "${url}"\n`;
  const pipSource = `[[source]]\nname = "own"\nurl = "${url}"\n[packages]\nasked = "*"\n`;
  const lock = (from: string) =>
    `[[package]]\nname = "internal"\nversion = "1.2"\n${from}\n` +
    `[[package]]\nname = "asked"\nversion = "1.0"\n`;
  const pyproject = both;
  return [
    ["uv", { "pyproject.toml": both + source('{ index = "own" }') + UV_INDEX(url) }],
    ["uv, explicit, of several", {
      "pyproject.toml": both +
        source(`[{ index = "pypi", marker = "sys_platform == 'win32'" }, { index = "own" }]`) +
        `${UV_INDEX(url)}explicit = true\n`,
    }],
    ["uv, for the machines that servers usually run on", {
      "pyproject.toml": both +
        source(`[{ index = "own", marker = "sys_platform == 'linux'" }]`) + UV_INDEX(url),
    }],
    ["uv, in another spelling of the name", {
      "pyproject.toml": `${both.replace("internal", "Internal")}[tool.uv.sources]\n` +
        `INTERNAL = { index = "Own" }\n${UV_INDEX(url)}`,
    }],
    ["uv, a script", {
      "server.py": `# /// script\n# dependencies = ["internal", "asked"]\n` +
        `# [tool.uv.sources]\n# internal = { index = "own" }\n` +
        `${UV_INDEX(url).trim().replace(/^/gm, "# ")}\n# ///\n`,
    }],
    ["uv, with its index in uv.toml", {
      "pyproject.toml": both + source('{ index = "own" }'),
      "uv.toml": `[[index]]\nname = "own"\nurl = "${url}"\nexplicit = true\n`,
    }],
    ["uv, with its index in uv.toml in place of another", {
      "pyproject.toml": both + source('{ index = "own" }') + UV_INDEX("https://old.example/simple"),
      "uv.toml": `[[index]]\nname = "own"\nurl = "${url}"\n`,
    }],
    ["Poetry", {
      "pyproject.toml": `[tool.poetry.dependencies]\nasked = "*"\n` +
        `internal = { version = "^1", source = "own" }\n${poetrySource}`,
    }],
    ["Poetry, beside a project", {
      "pyproject.toml":
        `${both}[tool.poetry.dependencies]\ninternal = { source = "own" }\n${poetrySource}`,
    }],
    ["PDM", {
      "pyproject.toml":
        `${both}[[tool.pdm.source]]\nurl = "${url}"\ninclude_packages = ["inter*"]\n`,
    }],
    ["Pipfile", { Pipfile: `${pipSource}internal = { version = "*", index = "own" }\n` }],
    ["Pipfile, any version", { Pipfile: `${pipSource}internal = { index = "own" }\n` }],
    ["uv.lock", {
      "pyproject.toml": pyproject,
      "uv.lock": `[[package]]\nname = "internal"\nversion = "1.2"\n` +
        `source = { registry = "${url}" }\nwheels = [{ url = "${url}/internal-1.2.whl", ` +
        `hash = "sha256:${DIGEST}" }]\n`,
    }],
    ["uv.lock, by machine", {
      "pyproject.toml": pyproject,
      "uv.lock": ["linux", "darwin"].map((machine) =>
        `[[package]]\nname = "internal"\nversion = "1.2"\nsource = { registry = "${url}" }\n` +
        `resolution-markers = ["sys_platform == '${machine}'"]\n`
      ).join(""),
    }],
    ["poetry.lock", {
      "pyproject.toml": pyproject,
      "poetry.lock": lock(
        `[package.source]\ntype = "legacy"\nurl = "${url}"\nreference = "own"`,
      ),
    }],
    ["pylock.toml", {
      "pyproject.toml": pyproject,
      "pylock.toml": lock(`index = "${url}"`).replaceAll("[[package]]", "[[packages]]"),
    }],
    ["pdm.lock", { "pyproject.toml": pyproject, "pdm.lock": lock(`index = "${url}"`) }],
    ["Pipfile.lock", {
      Pipfile: `[packages]\nasked = "*"\ninternal = "*"\n`,
      "Pipfile.lock": JSON.stringify({
        _meta: { sources: [{ name: "own", url }] },
        default: { internal: { version: "==1.2", index: "own" }, asked: { version: "==1.0" } },
      }),
    }],
  ];
}

Deno.test("what a project binds to another index is never taken from the installation's", async () => {
  await withPublic(async ({ index, resolve }) => {
    for (const [name, files] of waysToBind(PRIVATE)) {
      index.asked.length = 0;
      const found = await resolve({ "server.py": "", ...files });
      assertEquals([name, versionsOf(found), reasonsOf(found)], [name, ["asked 1.0"], [
        `internal: ${OTHER}`,
      ]]);
      // Where digests say which files are meant, the index may have the same.
      const pages = name === "uv.lock" ? ["/simple/internal/"] : [];
      assertEquals([name, index.asked.filter((path) => path.includes("internal"))], [name, pages]);
    }
  });
});

Deno.test("what a lock file has from a mirror is taken where its digests are those of the index's files", async () => {
  await withPublic(async ({ index, resolve }) => {
    const locked = (digest: string) =>
      `[[package]]\nname = "asked"\nversion = "1.0"\nsource = { registry = "${PRIVATE}" }\n` +
      `wheels = [{ url = "${PRIVATE}/asked-1.0-py3-none-any.whl", hash = "sha256:${digest}" }]\n`;
    const found = async (digest: string) => {
      const packages = await resolve({
        "server.py": "",
        "pyproject.toml": `${PROJECT}dependencies = ["asked"]\n`,
        "uv.lock": locked(digest),
      });
      return [versionsOf(packages), reasonsOf(packages)];
    };
    assertEquals(await found(index.digests["asked 1.0"]!), [["asked 1.0"], []]);
    assertEquals(await found(DIGEST), [[], [`asked: ${OTHER}`]]);
  });
});

Deno.test("what is bound to the public index, or to the installation's own, is taken from that", async () => {
  await withPublic(async ({ index, resolve }) => {
    const same = ["https://pypi.org/simple", "https://PyPI.org/simple/", `${index.url}/`];
    for (const url of same) {
      for (const [name, files] of waysToBind(url)) {
        const found = await resolve({ "server.py": "", ...files });
        const there = versionsOf(found).map((each) => each.split(" ")[0]);
        // The digest that was locked is another one.
        const [expected, reasons] = name === "uv.lock"
          ? [["asked"], [
            "internal: the index's file of version 1.2 has another digest than was locked",
          ]]
          : [["asked", "internal"], []];
        assertEquals([url, name, there, reasonsOf(found)], [url, name, expected, reasons]);
      }
    }
  });
});

Deno.test("a package that is bound to another index is not taken where another one requires it either", async () => {
  const lock = (source: string) =>
    `[[package]]\nname = "internal"\nversion = "1.2"\nsource = ${source}\n` +
    `[[package]]\nname = "facade"\nversion = "1.0"\nsource = { registry = "https://pypi.org/simple" }\n`;
  await withPublic(async ({ resolve }) => {
    const found = async (source: string) => {
      const packages = await resolve({
        "server.py": "",
        "pyproject.toml": `${PROJECT}dependencies = ["facade"]\n`,
        "uv.lock": lock(source),
      });
      return [versionsOf(packages), reasonsOf(packages)];
    };
    assertEquals(await found(`{ registry = "${PRIVATE}" }`), [["facade 1.0"], [
      `internal: ${OTHER}`,
    ]]);
    for (
      const source of ['{ git = "https://git.corp.example/internal?rev=1#1" }', '{ path = "x" }']
    ) {
      assertEquals(await found(source), [["facade 1.0"], [
        "internal: it is not taken from an index",
      ]]);
    }
    assertEquals(await found('{ registry = "https://pypi.org/simple" }'), [
      ["facade 1.0", "internal 1.2"],
      [],
    ]);
  });
});

Deno.test("a uv.toml that cannot be read frees no package from its index", async () => {
  await withPublic(async ({ resolve }) => {
    const texts = [
      "[[index]",
      "index = 3\n",
      '[[index]]\nname = "own"\n',
      '[index]\nname = "own"\n',
    ];
    for (const text of texts) {
      const found = await resolve({
        "server.py": "",
        "pyproject.toml": `${PROJECT}dependencies = ["internal", "asked"]\n` +
          `[tool.uv.sources]\ninternal = { index = "own" }\n${UV_INDEX(PRIVATE)}`,
        "uv.toml": text,
      });
      assertEquals([text, versionsOf(found), reasonsOf(found)], [text, ["asked 1.0"], [
        `internal: ${OTHER}`,
      ]]);
    }
  });
});

Deno.test("a workspace binds packages for its members", async () => {
  await withPublic(async ({ resolve }) => {
    const member = `${PROJECT}dependencies = ["internal", "asked"]\n`;
    for (
      const [root, own] of [
        [`[tool.uv.sources]\ninternal = { index = "own" }\n${UV_INDEX(PRIVATE)}`, ""],
        [UV_INDEX(PRIVATE), `[tool.uv.sources]\ninternal = { index = "own" }\n`],
      ]
    ) {
      const found = await resolve({
        "apps/one/server.py": "",
        "apps/one/pyproject.toml": member + own,
        "pyproject.toml": `[tool.uv.workspace]\nmembers = ["apps/*"]\n${root}`,
      }, { entrypoint: "apps/one/server.py" });
      assertEquals([versionsOf(found), reasonsOf(found)], [["asked 1.0"], [`internal: ${OTHER}`]]);
    }
  });
});

Deno.test("an SDK that Berth provides itself may be bound to any index", async () => {
  await withPublic(async ({ resolve }) => {
    const found = await resolve({
      "server.py": "from mcp.server.fastmcp import FastMCP\n",
      "pyproject.toml": `${PROJECT}dependencies = ["mcp<2"]\n[tool.uv.sources]\n` +
        `mcp = { index = "own" }\n${UV_INDEX(PRIVATE)}`,
    });
    const others = found.resolved.filter(({ source }) => source !== "installation");
    assertEquals([others.map(({ name, source }) => [name, source]), found.missing], [
      [["mcp", "runtime"]],
      [],
    ]);
  });
});

Deno.test("isOther() knows the public index and its own in any spelling, and nothing that looks like them", () => {
  const ours = "http://index.corp.example:8080/root/pypi/+simple";
  for (
    const same of [
      "",
      "https://pypi.org/simple",
      "http://PYPI.org/simple//",
      "https://user:word@pypi.org/simple/",
      "https://pypi.python.org/simple",
      "https://user@index.corp.example:8080/root/pypi/+simple/",
    ]
  ) assertEquals([same, isOther(same, ours)], [same, false]);
  for (
    const other of [
      "https://test.pypi.org/simple",
      "https://pypi.org@corp.example/simple",
      "https://pypi.org.corp.example/simple",
      "https://corp.example/pypi.org/simple",
      "https://pypi.org:8443/simple",
      "http://index.corp.example:8080/root/stage/+simple",
      "http://index.corp.example/root/pypi/+simple",
      "file:///pypi.org/simple",
      "../wheels",
      "own",
    ]
  ) assertEquals([other, isOther(other, ours)], [other, true]);
  assertEquals(isOther(PRIVATE, null), true);
});

Deno.test("patterns of bound packages match as in a shell, however they are made", () => {
  const of = (name: string, ...patterns: string[]) =>
    boundTo(name, Object.fromEntries(patterns.map((each) => [each, each])));
  assertEquals(of("corp-tools", "corp-*"), "corp-*");
  assertEquals(of("corp-tools", "*-tool?"), "*-tool?");
  assertEquals(of("corp-tools", "*"), "*");
  assertEquals(of("corp-tools", "corp", "corp-?", "*-tool", "corp.*"), null);
  assertEquals(of("a".repeat(200), "*a".repeat(100) + "b"), null);
  assertEquals(of("constructor"), null);
});
