/** Commands about a folder of this machine: none of them asks a registry. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { detect } from "../../src/cli/project/detect.ts";
import { httpsAddress } from "../../workers/analysis/facts/https_address.ts";
import { readFolder } from "../../src/cli/project/folder.ts";
import { type TestCli, testCli } from "../helpers/cli.ts";
import { runBerth } from "../helpers/cli_process.ts";

const SERVER = [
  "import subprocess",
  "from mcp.server.fastmcp import FastMCP",
  "",
  'mcp = FastMCP("notes")',
  "",
  "",
  "@mcp.tool()",
  "def count(text: str) -> int:",
  '    """Counts words."""',
  "    return len(text.split())",
  "",
  "",
  "mcp.run()",
  "",
].join("\n");
const UNSAFE = SERVER.replace(
  "    return len(text.split())",
  "    return int(subprocess.check_output(text, shell=True))",
);
/** Fetches any address: a finding that fails no scan. */
const MEDIUM = SERVER.replace("import subprocess", "import requests").replace(
  "    return len(text.split())",
  "    return len(requests.get(text, timeout=5).text)",
);
const MIT = "MIT License\n\nPermission is hereby granted, free of charge, to any person\n";
const FILES = {
  "server.py": SERVER,
  "LICENSE": MIT,
  "README.md": "# Notes\n\n[![badge](x)](y)\n\nCounts the words of **notes**, nothing more.\n",
  "pyproject.toml": '[project]\nname = "acme_Notes"\nversion = "1.2.3"\n',
  ".git/config": '[remote "origin"]\n\turl = git@github.com:acme/notes.git\n',
  ".git/HEAD": "ref: refs/heads/main\n",
};

async function write(folder: string, files: Record<string, string>): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${folder}/${path}`, content);
  }
  return folder;
}

async function withFolder(
  files: Record<string, string>,
  body: (cli: TestCli, folder: string) => Promise<void>,
): Promise<void> {
  const osv = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => Response.json({ results: [] }),
  );
  await using cli = await testCli((url, init) => {
    assert(url.startsWith(`http://127.0.0.1:${osv.addr.port}/`), url);
    return fetch(url, init);
  }, { OSV_API_URL: `http://127.0.0.1:${osv.addr.port}` });
  try {
    await body(cli, await write(`${cli.home}/projects/notes`, files));
  } finally {
    await osv.shutdown();
  }
}

Deno.test("berth init, validate and scan a folder without a registry", async (t) => {
  await withFolder(FILES, async (cli, folder) => {
    await t.step("init writes what the folder tells", async () => {
      const run = await cli.run(["init"], { cwd: folder });
      assertEquals(run.code, 0, run.err);
      assertStringIncludes(run.err, "Next: berth publish");
      assertEquals(JSON.parse(await Deno.readTextFile(`${folder}/berth.json`)), {
        name: "acme-notes",
        version: "1.2.3",
        description: "Counts the words of notes, nothing more.",
        lang: "python",
        license: "MIT",
        entrypoint: "server.py",
        repository: { type: "git", url: "https://github.com/acme/notes" },
        tools: { names: ["count"] },
      });
    });
    await t.step("init asks before it replaces", async () => {
      const unasked = await cli.run(["init", folder]);
      assertEquals(unasked.code, 2);
      assertStringIncludes(unasked.err, "exists. Replace it?\nHint: Pass --force to confirm\n");
      assertEquals((await cli.run(["init", folder], { answers: ["n"] })).code, 1);
      const options = ["--force", "--name", "notes", "--entrypoint", ".//server.py", "--json"];
      const run = await cli.run(["init", folder, ...options]);
      assertEquals([run.code, run.json.name, run.json.entrypoint], [0, "notes", "server.py"]);
      assertEquals((await cli.run(["init", `${folder}/nowhere`])).code, 2);
    });
    await t.step("validate names every fault at once", async () => {
      const good = await cli.run(["validate", folder]);
      assertEquals(good.code, 0, good.err);
      const path = `${folder}/berth.json`;
      const manifest = JSON.parse(await Deno.readTextFile(path));
      const bad = { ...manifest, version: "one", lisence: "MIT", pricing: { amount: -1 } };
      await Deno.writeTextFile(path, JSON.stringify(bad));
      const run = await cli.run(["validate", folder]);
      assertEquals(run.code, 1);
      for (const part of ["version: must", "lisence: is unknown", "pricing.currency:"]) {
        assertStringIncludes(run.err, part);
      }
      const json = await cli.run(["validate", folder, "--json"]);
      assertEquals(JSON.parse(json.err).errors.length, 4);
      await Deno.writeTextFile(path, '{\n  "name": nothing\n}');
      assertStringIncludes((await cli.run(["validate", folder])).err, "is not valid JSON");
      await Deno.writeTextFile(
        path,
        JSON.stringify({ ...manifest, version: "2.0.0", tools: { names: ["count", "sum"] } }),
      );
      const wrong = await cli.run(["validate", folder]);
      assertEquals(wrong.code, 1);
      assertStringIncludes(wrong.err, 'tools.names: "sum" was not found in the source');
      assertStringIncludes(wrong.err, "2.0.0 here, 1.2.3 in the package");
      await Deno.writeTextFile(path, JSON.stringify({ ...manifest, entrypoint: "gone.py" }));
      assertStringIncludes((await cli.run(["validate", folder])).err, "file gone.py not found");
      await Deno.writeTextFile(path, JSON.stringify(manifest));
    });
    await t.step("scan ./folder passes and shows the report in any form", async () => {
      const run = await cli.run(["scan", "."], { cwd: folder, columns: 80 });
      assertEquals([run.code, run.out], [0, ""], run.err);
      assertStringIncludes(run.err, "5/5");
      const json = await cli.run(["scan", "./notes", "--json"], { cwd: `${folder}/..` });
      assertEquals(json.json.tool_discovery.reported, ["count"]);
      const written = await cli.run(["scan", folder, "--format", "sarif", "-o", "out.sarif"]);
      assertEquals([written.code, written.out], [0, ""], written.err);
      const sarif = JSON.parse(await Deno.readTextFile(`${cli.home}/out.sarif`));
      assertEquals(sarif.version, "2.1.0");
    });
    await t.step("scan ./folder exits with 6 below --fail-on, with file and line", async () => {
      await Deno.writeTextFile(`${folder}/server.py`, UNSAFE);
      const run = await cli.run(["scan", folder]);
      assertEquals(run.code, 6, run.err);
      assertStringIncludes(run.err, "server.py:10");
      assertEquals((await cli.run(["scan", folder, "--fail-on", "never"])).code, 0);
      assertEquals((await cli.run(["scan", folder, "--fail-on", "medium"])).code, 6);
      await Deno.remove(`${folder}/berth.json`);
      assertEquals((await cli.run(["scan", folder])).code, 6);
      await Deno.remove(`${folder}/server.py`);
      const empty = await cli.run(["scan", folder]);
      assertEquals(empty.code, 2);
      assertStringIncludes(empty.err, "--entrypoint");
    });
  });
});

Deno.test("berth scan shows the findings of a scan that passed, and says what --fail-on does not allow", async () => {
  await withFolder({ ...FILES, "server.py": MEDIUM }, async (cli, folder) => {
    const passed = await cli.run(["scan", folder]);
    assertEquals([passed.code, passed.out], [0, ""], passed.err);
    const [, count] = /Scan passed: (\d+) findings?\n/.exec(passed.err)!;
    assert(Number(count) > 0);
    assertEquals(passed.err.match(/^(?:critical|high|medium|low) +/gm)?.length, Number(count));
    assertStringIncludes(passed.err, "server.py:");
    assert(!(await cli.run(["scan", folder, "--quiet"])).err.includes("finding"));
    const report = await cli.run(["scan", folder, "--format", "text"]);
    assertEquals(report.err.match(/^medium +/gm), null);

    const strict = await cli.run(["scan", folder, "--fail-on", "medium"]);
    assertEquals(strict.code, 6, strict.err);
    assert(!/^Scan passed/m.test(strict.err), strict.err);
    assertStringIncludes(strict.err, "but --fail-on medium does not allow");
    assertStringIncludes(strict.err, "server.py:");
    assert(!/^ *low /m.test(strict.err), strict.err);
    const json = await cli.run(["scan", folder, "--fail-on", "medium", "--json"]);
    assertEquals([json.code, json.json.status], [6, "passed"]);
    const failure = JSON.parse(json.err.trim().split("\n").at(-1)!);
    assertEquals(failure.status, "error");
    assert(failure.errors[0].path.startsWith("server.py:"), JSON.stringify(failure));
  });
});

Deno.test("berth scan says of a scan that failed how many issues it does not show", async () => {
  const both = `${MEDIUM}\nPASSWORD = "hunter2-Kd83hs"\n`;
  await withFolder({ ...FILES, "server.py": both }, async (cli, folder) => {
    for (const args of [[], ["--fail-on", "high"]]) {
      const run = await cli.run(["scan", folder, ...args]);
      assertEquals(run.code, 6, run.err);
      const count = Number(/Scan failed.*: (\d+) findings?\b/.exec(run.err)![1]);
      const shown = run.err.match(/^ *(?:critical|high|medium|low) +/gm)!.length;
      assert(shown > 0 && shown < count, run.err);
      assertStringIncludes(run.err, `… and ${count - shown} more in the report`);
      assert(!run.err.includes(", but --fail-on"), run.err);
    }
  });
});

Deno.test("berth scan exits with 4 when the advisories are unavailable, and nothing else is wrong", async () => {
  await using cli = await testCli(() => {
    throw new TypeError("connection refused");
  }, { OSV_API_URL: "http://127.0.0.1:1" });
  await write(`${cli.home}/notes`, {
    "server.py": SERVER,
    "requirements.txt": "requests==2.32.0\n",
  });
  const run = await cli.run(["scan", "./notes"]);
  assertEquals(run.code, 4, run.err);
  assertStringIncludes(run.err, "Not finished: Dependencies");
});

Deno.test("berth scan in a process of its own uses the analysers that it began to start, or ends them", async () => {
  const home = await Deno.makeTempDir();
  await write(`${home}/notes`, { "server.py": SERVER });
  const options = { home, env: { OSV_API_URL: "http://127.0.0.1:1" } };
  const scanned = await runBerth(["scan", "./notes"], options);
  assertEquals(scanned.code, 0, scanned.err);
  assertStringIncludes(scanned.err, "Scan passed");
  const missing = await runBerth(["scan", "./nothing"], options);
  assertEquals(missing.code, 2, missing.err);
  assertStringIncludes(missing.err, "Folder not found: ./nothing");
  await Deno.remove(home, { recursive: true });
});

const PROJECTS: [string, Record<string, string>, Record<string, unknown>][] = [
  ["a TypeScript package", {
    "package.json": JSON.stringify({
      name: "@acme/clock",
      version: "0.3.0",
      license: "ISC",
      description: "Tells the time",
      bin: { clock: "./dist/index.js" },
      repository: { url: "git+https://github.com/acme/clock.git" },
    }),
    "src/index.ts": 'new McpServer({ name: "clock" });',
    "tsconfig.json": "{}",
  }, {
    name: "clock",
    version: "0.3.0",
    license: "ISC",
    description: "Tells the time",
    lang: "typescript",
    entrypoint: "src/index.ts",
    repository: { type: "git", url: "https://github.com/acme/clock" },
  }],
  ["a Go module", {
    "go.mod": "module github.com/acme/tides\n\ngo 1.24\n",
    "main.go": "package main",
    "COPYING": "GNU GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007",
  }, {
    name: "tides",
    version: "0.1.0",
    license: "GPL-3.0-only",
    lang: "go",
    entrypoint: "main.go",
    repository: { type: "git", url: "https://github.com/acme/tides" },
  }],
  ["Python files in a folder of a clone", {
    "../.git/config": '[remote "origin"]\n url = https://github.com/acme/many.git\n',
    "../.git/HEAD": "ref: refs/heads/trunk\n",
    "helper.py": "x = 1",
    "app.py": SERVER,
    "tests/test_app.py": SERVER,
  }, {
    name: "project",
    version: "0.1.0",
    lang: "python",
    entrypoint: "app.py",
    repository: { type: "git", url: "https://github.com/acme/many/tree/trunk/project" },
  }],
  ["a broken manifest", { "package.json": "{", "pyproject.toml": "= =" }, {
    name: "project",
    version: "0.1.0",
  }],
];

for (const [name, files, expected] of PROJECTS) {
  Deno.test(`detect() reads ${name}`, async () => {
    const home = await Deno.makeTempDir({ prefix: "berth-test-" });
    try {
      const folder = await write(`${home}/project`, files);
      assertEquals(await detect(folder, await readFolder(folder)), expected as never);
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  });
}

Deno.test("httpsAddress() understands what clones have as origin", () => {
  for (
    const address of [
      "git@github.com:acme/notes.git",
      "ssh://git@github.com/acme/notes",
      "https://user:secret@github.com/acme/notes.git/",
      "http://github.com/acme/notes",
    ]
  ) assertEquals(httpsAddress(address), "https://github.com/acme/notes");
  assertEquals(
    httpsAddress("ssh://git@git.example.com:2222/group/sub/notes.git"),
    "https://git.example.com/group/sub/notes",
  );
  assertEquals(httpsAddress("git@gitlab.com:a/b/notes.git"), "https://gitlab.com/a/b/notes");
  assertEquals(httpsAddress("../notes"), null);
  assertEquals(httpsAddress("file:///srv/notes"), null);
});

Deno.test("readFolder() takes links that stay in the folder, and leaves out all others", async () => {
  await withFolder({ "lib/a.py": "a", "server.py": "s" }, async (_, folder) => {
    await Deno.symlink("lib", `${folder}/alias`);
    await Deno.symlink("../projects/notes/server.py", `${folder}/up.py`);
    await Deno.symlink("/etc/passwd", `${folder}/passwd`);
    await Deno.symlink(".", `${folder}/lib/loop`);
    assertEquals([...(await readFolder(folder)).keys()], ["alias/a.py", "lib/a.py", "server.py"]);
  });
});
