import { assertEquals } from "@std/assert";
import { openTestDatabase } from "../helpers/database.ts";
import { versionsOf, withIndex, withPackages } from "./harness.ts";

const thingsOf = (names: readonly string[]) => names.map((name) => ({ name, version: "1.0" }));

Deno.test("resolvePackages() reads requirements under other names than the usual, where one is meant", async () => {
  await withPackages(thingsOf(["meant", "other"]), async ({ resolve }) => {
    const found = async (files: readonly string[], more: Record<string, string> = {}) => {
      const texts = files.map((file, at) => [file, at === 0 ? "meant\n" : "other\n"]);
      return versionsOf(
        await resolve({ "server.py": "", ...Object.fromEntries(texts), ...more }),
      );
    };
    const meant: string[][] = [
      ["requirements.in"],
      ["requirements.in", "requirements-prod.txt"],
      ["requirements.txt", "requirements.in", "requirements-prod.txt"],
      ["requirements/base.txt", "requirements.in"],
      ["requirements-prod.txt"],
      ["requirements_server.txt"],
      ["requirement.txt"],
      ["requirements.linux.txt"],
      ["requirements-latest.txt"],
      ["requirements/prod.txt"],
      ["requirements/requirements.txt"],
      ["requirements-runtime.txt", "requirements-dev.txt", "requirements/test.txt"],
      ["requirements-runtime.txt", "requirements/docs.txt", "requirements_lint.txt"],
      ["requirements-runtime.txt", "requirements-ci.txt", "requirements-build.txt"],
      ["requirements-prod.txt", "requirements-server.txt", "requirements-gpu.txt"],
      ["requirements/server.txt", "requirements/app.txt", "requirements/worker.txt"],
      ["requirements-app.txt", "requirements-worker.txt"],
      ["requirements-prod.txt", "requirements-prod-gpu.txt"],
    ];
    for (const files of meant) {
      assertEquals([files, await found(files)], [files, ["meant 1.0"]]);
    }
    const none = [
      ["requirements-dev.txt"],
      ["requirements/tests.txt"],
      ["requirements_dev-linux.txt"],
      ["requirementsdev.txt"],
      ["requirements-constraints.txt"],
      ["requirements-gpu.txt", "requirements-cpu.txt"],
      ["requirements/a/prod.txt"],
      ["notes/requirements-prod.txt"],
      ["my-notes.txt"],
    ];
    for (const files of none) assertEquals([files, await found(files)], [files, []]);
    const image = { Dockerfile: "COPY . .\nRUN pip install -r /app/requirements-gpu.txt\n" };
    assertEquals(
      await found(["requirements-gpu.txt", "requirements-cpu.txt"], image),
      ["meant 1.0"],
    );
    assertEquals(
      await found(["requirements-gpu.txt", "requirements-server.txt"], image),
      ["meant 1.0"],
    );
    // The project says it.
    const project = '[project]\nname = "x"\nversion = "1"\ndependencies = ["other"]\n';
    assertEquals(await found(["requirements-prod.txt"], { "pyproject.toml": project }), [
      "other 1.0",
    ]);
  });
});

Deno.test("resolvePackages() takes the requirements of the nearest folder, whatever their name", async () => {
  await withPackages(thingsOf(["meant", "other"]), async ({ resolve }) => {
    const found = await resolve({
      "apps/one/server.py": "",
      "apps/one/requirements-server.txt": "meant\n",
      "requirements.txt": "other\n",
    }, { entrypoint: "apps/one/server.py" });
    assertEquals([versionsOf(found), found.files], [["meant 1.0"], [
      "apps/one/requirements-server.txt",
    ]]);
  });
});

Deno.test("resolvePackages() follows each kind of lock file", async () => {
  const database = await openTestDatabase();
  const versions = ["1.0", "2.0", "3.0"].map((version) => ({ name: "thing", version }));
  const table = (head: string, version: string) =>
    `[[${head}]]\nname = "thing"\nversion = "${version}"\n`;
  const script = `# /// script\n# dependencies = ["thing"]\n# ///\n`;
  try {
    await withIndex(database.sql, versions, async ({ resolve }) => {
      const found = async (files: Record<string, string>) =>
        versionsOf(await resolve({ "server.py": "", "requirements.txt": "thing\n", ...files }));
      for (
        const files of [
          { "uv.lock": table("package", "2.0") },
          { "poetry.lock": table("package", "2.0") },
          { "pdm.lock": table("package", "2.0") },
          { "pylock.toml": table("packages", "2.0") },
          { "pylock.server.toml": table("packages", "2.0") },
          { "pylock.toml": table("packages", "2.0"), "pylock.dev.toml": table("packages", "1.0") },
          { "requirements.lock": "-e file:.\nthing==2.0\n    # via x\n" },
          { "server.py": script, "server.py.lock": table("package", "2.0") },
        ] as Record<string, string>[]
      ) assertEquals([files, await found(files)], [files, ["thing 2.0"]]);
      // Nothing says which of two is meant.
      const two = {
        "pylock.a.toml": table("packages", "2.0"),
        "pylock.b.toml": table("packages", "1.0"),
      };
      assertEquals(await found(two), ["thing 3.0"]);
    });
  } finally {
    await database.close();
  }
});
