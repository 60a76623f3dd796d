import { assertEquals } from "@std/assert";
import type { TestPackage } from "../helpers/package_index.ts";
import { versionsOf, withPackages } from "./harness.ts";

function lockOf(locked: Record<string, string>): string {
  return Object.entries(locked).map(([name, version]) =>
    `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = { registry = "https://pypi.org/simple/" }\n`
  ).join("");
}

Deno.test("resolvePackages() finds a pinned version behind hundreds of newer ones", async () => {
  const many = Array.from({ length: 300 }, (_, at) => ({ name: "many", version: `1.${at}` }));
  await withPackages([
    ...many,
    { name: "asking", version: "1.0", requires: ["many==1.4"] },
  ], async ({ index, resolve }) => {
    const resolved = async (files: Record<string, string>) =>
      versionsOf(await resolve({ "server.py": "", ...files }));
    assertEquals(await resolved({ "requirements.txt": "many\n" }), ["many 1.299"]);
    assertEquals(await resolved({ "requirements.txt": "many==1.3\n" }), ["many 1.3"]);
    const locked = { "requirements.txt": "many\n", "uv.lock": lockOf({ many: "1.2" }) };
    assertEquals(await resolved(locked), ["many 1.2"]);
    // The pin is found in the metadata of another package, after the page was read.
    index.asked.length = 0;
    assertEquals(await resolved({ "requirements.txt": "many\nasking\n" }), [
      "asking 1.0",
      "many 1.4",
    ]);
    assertEquals(index.asked.filter((path) => path === "/simple/many/").length, 2);
    // What is nowhere is looked for once.
    index.asked.length = 0;
    assertEquals(await resolved({ "requirements.txt": "many==7\n" }), ["many 1.299"]);
    assertEquals(index.asked.filter((path) => path === "/simple/many/").length, 1);
  });
});

const RELEASES: TestPackage[] = [
  { name: "thing", version: "3.0.dev1" },
  { name: "thing", version: "2.0", yanked: true },
  { name: "thing", version: "1.5" },
  { name: "thing", version: "1.4rc1" },
  { name: "thing", version: "1.3", yanked: true },
];

Deno.test("resolvePackages() takes withdrawn and early versions only where they are meant", async () => {
  await withPackages([
    ...RELEASES,
    { name: "early", version: "0.2b1" },
    { name: "early", version: "0.1b1" },
  ], async ({ resolve }) => {
    const versionFor = async (requirement: string) =>
      versionsOf(await resolve({ "server.py": "", "requirements.txt": `${requirement}\n` }));
    for (
      const [requirement, version] of [
        ["thing", "1.5"],
        ["thing>=1", "1.5"],
        ["thing==1.3", "1.3"],
        ["thing==1.4rc1", "1.4rc1"],
        ["thing>=1.4rc1,<2", "1.5"],
        // Nothing that these allow can be had.
        ["thing==9.9", "1.5"],
        ["thing==0.9rc1", "1.5"],
        ["thing>=1.6,<2.5", "1.5"],
        // There is nothing else.
        ["early", "0.2b1"],
        ["early==0.1b1", "0.1b1"],
      ] as const
    ) {
      const name = requirement.match(/^[a-z]+/)![0];
      assertEquals([requirement, await versionFor(requirement)], [requirement, [
        `${name} ${version}`,
      ]]);
    }
  });
});

Deno.test("resolvePackages() takes what the lock file names though it is withdrawn or early", async () => {
  await withPackages(RELEASES, async ({ resolve }) => {
    for (const version of ["1.3", "2.0", "1.4rc1", "3.0.dev1"]) {
      const packages = await resolve({
        "server.py": "",
        "requirements.txt": "thing>=1\n",
        "uv.lock": lockOf({ thing: version }),
      });
      const [found] = packages.resolved;
      assertEquals([found?.version, found?.instead], [version, null]);
    }
  });
});
