import { assertEquals } from "@std/assert";
import { openTestDatabase } from "../helpers/database.ts";
import { reasonsOf, type TestResolver, versionsOf, withIndex } from "./harness.ts";

const VERSIONS = ["1.0", "2.0", "3.0"];

async function withThings(use: (resolver: TestResolver) => Promise<void>): Promise<void> {
  const database = await openTestDatabase();
  const things = VERSIONS.map((version) => ({ name: "thing", version }));
  const facade = { name: "facade", version: "1.0", requires: ["thing>=2"] };
  try {
    await withIndex(database.sql, [...things, facade, { name: "unasked", version: "1.0" }], use);
  } finally {
    await database.close();
  }
}

const uv = (key: string, ...items: string[]) => `[tool.uv]\n${key} = ${JSON.stringify(items)}\n`;
const project = (...items: string[]) =>
  `[project]\nname = "x"\nversion = "1"\ndependencies = ${JSON.stringify(items)}\n`;

Deno.test("resolvePackages() takes constraints as bounds, and installs none of them", async () => {
  await withThings(async ({ index, resolve }) => {
    const lines = "thing<3\nunasked==1.0\n";
    const script = (table: string) =>
      `# /// script\n# dependencies = ["thing"]\n${table.trim().replace(/^/gm, "# ")}\n# ///\n`;
    const cases: [Record<string, string>, string[]][] = [
      [{ "requirements.txt": "thing\n-c constraints.txt\n" }, ["thing 2.0"]],
      [{ "requirements.txt": "--constraint=constraints.txt\nthing\n" }, ["thing 2.0"]],
      // Required by another package.
      [{ "requirements.txt": "-c constraints.txt\nfacade\n" }, ["facade 1.0", "thing 2.0"]],
      // What it includes are constraints too, and a file may be both.
      [{ "requirements.txt": "-c more.txt\nthing\n", "more.txt": "-r constraints.txt\n" }, [
        "thing 2.0",
      ]],
      [{ "requirements.txt": "-c constraints.txt\n-r constraints.txt\n" }, [
        "thing 2.0",
        "unasked 1.0",
      ]],
      [{ "requirements.txt": "thing\n-c for.txt\n", "for.txt": "thing<3; sys_platform=='win32'" }, [
        "thing 3.0",
      ]],
      [
        {
          "pyproject.toml": project("thing") + uv("constraint-dependencies", "thing<3", "unasked"),
        },
        [
          "thing 2.0",
        ],
      ],
      [{ "pyproject.toml": project("facade") + uv("constraint-dependencies", "thing<3") }, [
        "facade 1.0",
        "thing 2.0",
      ]],
      [{ "server.py": script(uv("constraint-dependencies", "thing<3", "unasked")) }, ["thing 2.0"]],
      [{ "constraints.txt": lines, "requirements.txt": "" }, []],
      // A file of uv's own takes the place of its table in the project.
      [{
        "pyproject.toml": project("thing") + uv("constraint-dependencies", "thing<2"),
        "uv.toml": `constraint-dependencies = ["thing<3", "unasked"]\n`,
      }, ["thing 2.0"]],
      [{
        "pyproject.toml": project("thing") + uv("constraint-dependencies", "thing<2"),
        "uv.toml": "",
      }, ["thing 3.0"]],
      [{ "requirements.txt": "thing\n", "uv.toml": `override-dependencies = ["thing<3"]\n` }, [
        "thing 2.0",
      ]],
      [{ Dockerfile: "RUN pip install -c constraints.txt thing\n" }, ["thing 2.0"]],
      [{ Dockerfile: "RUN uv pip install --constraint=/app/constraints.txt facade\n" }, [
        "facade 1.0",
        "thing 2.0",
      ]],
      [
        {
          Dockerfile: "RUN pip install -r needs.txt --constraint constraints.txt\n",
          "needs.txt": "thing\n",
        },
        ["thing 2.0"],
      ],
      // It installs what the server asks for elsewhere, or something else.
      [{
        Dockerfile: "RUN python -m pip install -r requirements.txt -c constraints.txt\n",
        "requirements.txt": "thing\n",
      }, ["thing 2.0"]],
      [{
        Dockerfile: "RUN pip install -c constraints.txt -r tools.txt\n",
        "requirements.txt": "thing\n",
        "tools.txt": "unasked\n",
      }, ["thing 3.0"]],
      [{
        Dockerfile: "RUN pip install -c constraints.txt build\n",
        "requirements.txt": "thing\n",
      }, ["thing 3.0"]],
      [
        { Dockerfile: "RUN pip install -c $FILE -c missing.txt -c ../constraints.txt.old thing\n" },
        [
          "thing 3.0",
        ],
      ],
    ];
    for (const [files, versions] of cases) {
      index.asked.length = 0;
      const found = await resolve({ "server.py": "", "constraints.txt": lines, ...files });
      assertEquals([files, versionsOf(found), reasonsOf(found)], [files, versions, []]);
      if (versions.includes("unasked 1.0")) continue;
      assertEquals(index.asked.filter((path) => path.includes("unasked")), []);
    }
  });
});

Deno.test("resolvePackages() says of a constraint that cannot be met what it asked for", async () => {
  await withThings(async ({ resolve }) => {
    const found = await resolve({
      "server.py": "",
      "requirements.txt": "thing>=1\n-c constraints.txt\n",
      "constraints.txt": "thing==0.5\n",
    });
    assertEquals(found.resolved.map(({ version, instead }) => [version, instead]), [
      ["3.0", "thing==0.5"],
    ]);
  });
});

Deno.test("resolvePackages() never takes what a constraint has from an address from the index", async () => {
  await withThings(async ({ resolve }) => {
    const found = await resolve({
      "server.py": "",
      "requirements.txt": "facade\n-c constraints.txt\n",
      "constraints.txt": "thing @ https://files.example/thing-1.0-py3-none-any.whl\n",
    });
    assertEquals([versionsOf(found), reasonsOf(found)], [["facade 1.0"], [
      "thing: it is not taken from an index",
    ]]);
  });
});

Deno.test("resolvePackages() takes uv's overrides in place of what anything asks for", async () => {
  await withThings(async ({ resolve }) => {
    const cases: [needs: string[], overrides: string[], versions: string[]][] = [
      [["thing>=3"], ["thing<2"], ["thing 1.0"]],
      [["facade"], ["thing==1.0"], ["facade 1.0", "thing 1.0"]],
      [["facade", "thing==3.0"], ["thing>1,<3"], ["facade 1.0", "thing 2.0"]],
      [["thing==1.0"], ["thing"], ["thing 3.0"]],
      [["thing"], ["thing<2; sys_platform == 'win32'", "unasked==1.0"], ["thing 3.0"]],
    ];
    for (const [needs, overrides, versions] of cases) {
      const found = await resolve({
        "server.py": "",
        "pyproject.toml": project(...needs) + uv("override-dependencies", ...overrides),
      });
      const told = [needs, overrides];
      assertEquals([told, versionsOf(found), reasonsOf(found)], [told, versions, []]);
      assertEquals(found.resolved.filter(({ instead }) => instead !== null), []);
    }
  });
});

Deno.test("resolvePackages() takes bounds from the project and its workspace, and from no other", async () => {
  await withThings(async ({ resolve }) => {
    const found = async (root: string) =>
      versionsOf(
        await resolve({
          "apps/one/server.py": "",
          "apps/one/pyproject.toml": project("thing"),
          "pyproject.toml": root + uv("constraint-dependencies", "thing<3"),
        }, { entrypoint: "apps/one/server.py" }),
      );
    assertEquals(await found(""), ["thing 3.0"]);
    assertEquals(await found('[tool.uv.workspace]\nmembers = ["apps/*"]\n'), ["thing 2.0"]);
  });
});

Deno.test("resolvePackages() chooses the version of an SDK that constraints and overrides admit", async () => {
  await withThings(async ({ resolve }) => {
    const major = async (files: Record<string, string>) =>
      versionsOf(await resolve({ "server.py": "import mcp\n", ...files }))
        .find((each) => each.startsWith("mcp "))?.slice(0, 5);
    assertEquals(await major({ "requirements.txt": "mcp\n" }), "mcp 2");
    assertEquals(
      await major({ "requirements.txt": "mcp\n-c c.txt\n", "c.txt": "mcp<2\n" }),
      "mcp 1",
    );
    assertEquals(
      await major({ "pyproject.toml": project("mcp>=2") + uv("override-dependencies", "mcp<2") }),
      "mcp 1",
    );
  });
});
