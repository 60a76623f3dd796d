import { assert, assertEquals } from "@std/assert";
import { sha256Of } from "../../src/bytes.ts";
import type { Packages } from "../../src/scan/packages_schema.ts";
import { openTestDatabase } from "../helpers/database.ts";
import type { TestPackage } from "../helpers/package_index.ts";
import { reasonsOf, versionsOf, withIndex } from "./harness.ts";

const ABSENT = "its source is not reachable: it is in Pyodide's distribution alone";

/** Where Pyodide's distribution has a package `vault`, and does not answer. */
async function withoutDistribution<T>(
  use: (deps: { distributionUrl: string; distributionFile: string }) => Promise<T>,
): Promise<T> {
  const entry = {
    ...{ name: "vault", version: "3.0", package_type: "package", depends: [] },
    file_name: "vault-3.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
    sha256: await sha256Of(new Uint8Array([1])),
  };
  const file = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(file, JSON.stringify({ info: {}, packages: { vault: entry } }));
    return await use({ distributionUrl: "http://127.0.0.1:9/", distributionFile: file });
  } finally {
    await Deno.remove(file);
  }
}

async function resolved(
  packages: readonly TestPackage[],
  files: Record<string, string>,
): Promise<Packages> {
  const database = await openTestDatabase();
  let found: Packages | null = null;
  try {
    await withoutDistribution((deps) =>
      withIndex(database.sql, packages, async ({ resolve }) => {
        found = await resolve({ "server.py": "", ...files });
      }, { deps })
    );
  } finally {
    await database.close();
  }
  return found!;
}

function passedOf({ resolved }: Packages): string[] {
  return resolved.flatMap(({ name, passed_over: passed }) =>
    !passed ? [] : [`${name} ${passed.version}: ${passed.reason}`]
  );
}

/** A package whose releases since 2.0 require `needed`; 1.9 does without. */
function client(
  releases: number,
  needed: string,
  uploaded?: (at: number) => string,
): TestPackage[] {
  const file = { "client.py": "" };
  return Array.from({ length: releases }, (_, at) => ({
    ...{ name: "client", version: `2.${at + 10}`, requires: [needed], files: file },
    ...(uploaded === undefined ? {} : { uploaded: uploaded(at) }),
  }));
}

const OLD: TestPackage = { name: "client", version: "2.9", files: { "client.py": "" } };
const MACHINE: TestPackage = {
  ...{ name: "metal", version: "1.0", tag: "cp314-cp314-manylinux_2_28_x86_64" },
  files: {
    "metal/__init__.py": "from . import _core\n",
    "metal/_core.abi3.so": new Uint8Array([0x7f, 0x45]),
  },
};

Deno.test("resolvePackages() backs off to a version that requires only what can be had, however many need more", async () => {
  const wanted: [needed: string, reason: string][] = [
    ["vault>=1", `vault: ${ABSENT}`],
    ["metal", "metal: it needs its compiled module metal._core"],
    ["nowhere", "nowhere: the index does not have it"],
  ];
  for (const [needed, reason] of wanted) {
    for (const releases of [1, 8, 30, 45]) {
      const all = [...client(releases, needed), OLD, MACHINE];
      for (const asked of ["client", "client>=2.5", "client~=2.0"]) {
        const found = await resolved(all, { "requirements.txt": `${asked}\n` });
        const what = `${needed} ${releases} ${asked}`;
        assertEquals([what, ...versionsOf(found)], [what, "client 2.9"]);
        assertEquals(reasonsOf(found), []);
        assertEquals(passedOf(found), [`client 2.${releases + 9}: ${reason}`]);
      }
    }
  }
});

Deno.test("resolvePackages() says of packages that others require which version was passed over", async () => {
  const found = await resolved(
    [...client(30, "vault"), OLD, { name: "above", version: "1.0", requires: ["client"] }],
    { "requirements.txt": "above\n" },
  );
  assertEquals(versionsOf(found), ["above 1.0", "client 2.9"]);
  assertEquals(passedOf(found), [`client 2.39: vault: ${ABSENT}`]);
});

Deno.test("resolvePackages() keeps to the newest where no older one is allowed, near, or better", async () => {
  const missing = [`vault: ${ABSENT}`];
  const all = [...client(30, "vault"), OLD];
  const cases: [what: string, packages: TestPackage[], asked: string, expected: string][] = [
    ["the range allows none", all, "client>=2.10", "2.39"],
    ["a pin", all, "client==2.20", "2.20"],
    [
      "another first number",
      [...client(30, "vault"), { ...OLD, version: "1.9" }],
      "client",
      "2.39",
    ],
    [
      "years ago",
      [
        ...client(30, "vault", () => "2026-05-01T00:00:00Z"),
        { ...OLD, uploaded: "2023-05-01T00:00:00Z" },
      ],
      "client",
      "2.39",
    ],
    ["all require it", client(60, "vault"), "client", "2.69"],
  ];
  for (const [what, packages, asked, expected] of cases) {
    const found = await resolved(packages, { "requirements.txt": `${asked}\n` });
    assertEquals([what, ...versionsOf(found)], [what, `client ${expected}`]);
    assertEquals([what, ...reasonsOf(found)], [what, ...missing]);
    assertEquals(passedOf(found), []);
  }
});

Deno.test("resolvePackages() follows a lock file to a package whose requirement is out of reach for now", async () => {
  const lock = (version: string) => `
version = 1
[[package]]
name = "client"
version = "${version}"
source = { registry = "https://pypi.org/simple" }
dependencies = [{ name = "vault" }]
[[package]]
name = "vault"
version = "3.0"
source = { registry = "https://pypi.org/simple" }
[[package]]
name = "server"
version = "1.0"
source = { virtual = "." }
dependencies = [{ name = "client" }]
`;
  const project = `[project]
name = "server"
version = "1.0"
dependencies = ["client"]
`;
  const locked = { "pyproject.toml": project, "uv.lock": lock("2.12") };
  const found = await resolved([...client(5, "vault"), OLD], locked);
  assertEquals(versionsOf(found), ["client 2.12"]);
  assertEquals([reasonsOf(found), passedOf(found)], [[`vault: ${ABSENT}`], []]);
  assert(found.unreached);
  // What no source has will not be there later either.
  const never = await resolved([...client(5, "metal"), OLD, MACHINE], {
    "pyproject.toml": project,
    "uv.lock": lock("2.12").replaceAll("vault", "metal"),
  });
  assertEquals(versionsOf(never), ["client 2.9"]);
});
