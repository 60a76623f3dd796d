import { assertEquals } from "@std/assert";
import { sha256Of } from "../../src/bytes.ts";
import { FORMAT, storePackage } from "../../src/packages/store.ts";
import { readPage } from "../../workers/analysis/packages/index_page.ts";
import { openTestDatabase } from "../helpers/database.ts";
import { type TestPackage, wheelOf } from "../helpers/package_index.ts";
import { reasonsOf, withIndex, withPackages } from "./harness.ts";

const MACHINE = new Uint8Array([0x7f, 0x45]);
const LINUX = "cp314-cp314-manylinux_2_28_x86_64";

/** A package whose compiled module is imported where its absence is handled, or everywhere. */
function kit(version: string, tag: string | undefined, isNeeded = false): TestPackage {
  const init = isNeeded
    ? "from ._fast import go\n"
    : "try:\n    from ._fast import go\nexcept ImportError:\n    from ._slow import go\n";
  const files = { "kit/__init__.py": init, "kit/_slow.py": "def go(): ...\n" };
  return {
    ...{ name: "kit", version },
    ...(tag === undefined ? { files } : { tag, files: { ...files, "kit/_fast.abi3.so": MACHINE } }),
  };
}

/** What is taken of `kit`, or why it is not. */
async function taken(packages: readonly TestPackage[], requirement = "kit"): Promise<string[]> {
  let found: string[] = [];
  await withPackages(packages, async ({ resolve }) => {
    const result = await resolve({ "server.py": "", "requirements.txt": `${requirement}\n` });
    found = [
      ...result.resolved.map((each) =>
        `${each.version}${each.python_part ? " in part" : ""}${
          each.instead === null ? "" : " instead"
        }`
      ),
      ...reasonsOf(result),
    ];
  });
  return found;
}

Deno.test("resolvePackages() takes the Python part of a wheel for another Unix or an older Python", async () => {
  const tags = [
    "cp314-cp314-macosx_11_0_arm64",
    "cp314-cp314-manylinux_2_28_aarch64",
    "cp314-cp314-musllinux_1_2_aarch64",
    "cp314-cp314t-manylinux_2_28_x86_64",
    "cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64",
    "cp39-cp39-macosx_10_9_universal2",
    "cp38-abi3-macosx_10_12_x86_64",
    "py3-none-macosx_11_0_arm64",
  ];
  for (const tag of tags) {
    assertEquals([tag, ...await taken([kit("1.0", tag)])], [tag, "1.0 in part"]);
    assertEquals([tag, ...await taken([kit("1.0", tag, true)])], [
      tag,
      "kit: it needs its compiled module kit._fast",
    ]);
  }
});

Deno.test("resolvePackages() takes no Python part of what is for Windows, or other kinds of Python", async () => {
  const tags = [
    "cp314-cp314-win_amd64",
    "cp312-cp312-win32",
    "cp315-cp315-manylinux_2_28_x86_64",
    "cp27-cp27mu-manylinux1_x86_64",
    "pp311-pypy311_pp73-macosx_11_0_arm64",
    "cp314-cp314-android_24_arm64_v8a",
  ];
  for (const tag of tags) {
    assertEquals([tag, ...await taken([kit("1.0", tag)])], [
      tag,
      "kit: its wheels are for other platforms or versions of Python",
    ]);
  }
  const early = { ...kit("1.0", "cp312-cp312-macosx_11_0_arm64"), python: "<3.13" };
  assertEquals(await taken([early]), [
    "kit: its wheels are for other platforms or versions of Python",
  ]);
});

Deno.test("readPage() takes no wheel that does not fit and is too large to hold a speed-up alone", () => {
  const read = (tag: string, size?: number) => {
    const file = { filename: `kit-1.0-${tag}.whl`, url: "/k.whl", size };
    const files = [{ ...file, hashes: { sha256: "a".repeat(64) } }];
    const page = readPage(JSON.stringify({ files }), "kit", "https://index.example/");
    return page.candidates.length === 1 ? "taken" : page.without;
  };
  const large = 40 * 2 ** 20;
  const others = "its wheels are for other platforms or versions of Python";
  for (const tag of ["cp312-cp312-manylinux_2_28_x86_64", "cp314-cp314-macosx_11_0_arm64"]) {
    assertEquals([read(tag, 1000), read(tag), read(tag, large)], ["taken", "taken", others]);
  }
  assertEquals([read(LINUX, large), read("py3-none-any", large)], ["taken", "taken"]);
});

Deno.test("resolvePackages() takes the part of a wheel that does not fit after all that does", async () => {
  const older = "cp312-cp312-manylinux_2_17_x86_64";
  const pure = undefined;
  const cases: [what: string, packages: TestPackage[], asked: string, expected: string[]][] = [
    ["a wheel for any machine", [kit("2.0", older), kit("1.0", pure)], "kit", ["1.0"]],
    ["the part of one for this Python", [kit("2.0", older), kit("1.0", LINUX)], "kit", [
      "1.0 in part",
    ]],
    ["the newest of its kind", [kit("2.0", older), kit("1.0", older)], "kit", ["2.0 in part"]],
    ["the version that is pinned", [kit("2.0", older), kit("1.0", older)], "kit==1.0", [
      "1.0 in part",
    ]],
    [
      "the pinned version before another whole one",
      [kit("2.0", pure), kit("1.0", older)],
      "kit==1.0",
      [
        "1.0 in part",
      ],
    ],
    [
      "a part that fits, though one that does not was refused",
      [
        kit("2.0", LINUX),
        kit("1.0", older, true),
      ],
      "kit==1.0",
      ["2.0 in part instead"],
    ],
    [
      "no other part of its kind, once one was refused",
      [
        kit("2.0", older),
        kit("1.0", older, true),
      ],
      "kit==1.0",
      ["kit: it needs its compiled module kit._fast"],
    ],
    [
      "a version before its release, where no other fits",
      [kit("1.0", older), kit("2.0rc1", pure)],
      "kit",
      [
        "2.0rc1",
      ],
    ],
  ];
  for (const [what, packages, asked, expected] of cases) {
    assertEquals([what, ...await taken(packages, asked)], [what, ...expected]);
  }
});

Deno.test("resolvePackages() packs anew what an earlier version has packed and this one would refuse", async () => {
  const { sql, close } = await openTestDatabase();
  try {
    const needing = kit("1.0", LINUX, true);
    const sha256 = await sha256Of(wheelOf(needing));
    const before = { sha256, name: "kit", version: "1.0", modules: ["kit"], size: 4 };
    await storePackage(sql, before, new Uint8Array(4), new Date());
    await withIndex(sql, [needing], async ({ resolve }) => {
      const files = { "server.py": "", "requirements.txt": "kit\n" };
      assertEquals((await resolve(files)).resolved.length, 1);
      await sql`delete from package_parts`;
      await sql`update packages set format = ${FORMAT - 1}`;
      assertEquals(reasonsOf(await resolve(files)), [
        "kit: it needs its compiled module kit._fast",
      ]);
    });
  } finally {
    await close();
  }
});
