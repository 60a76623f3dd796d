import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import { packTar, type TarEntry } from "modern-tar";
import { AppError } from "../../src/errors.ts";
import { readArchive } from "../../src/repository/archive.ts";
import { notesOf } from "../../src/repository/notes.ts";
import { archiveOf, packArchive } from "../helpers/code_host_archive.ts";

function file(name: string, body: string | Uint8Array = "x"): TarEntry {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return { header: { name, type: "file", size: bytes.length }, body: bytes };
}

async function refusal(archive: Uint8Array | Promise<Uint8Array>, folder = ""): Promise<string> {
  const bytes = await archive;
  const error = await assertRejects(() => readArchive(bytes, folder), AppError);
  assertEquals(error.code, "repository_refused");
  return error.message;
}

const SOURCE = { "server.py": "print(1)", "lib/a.py": "a", "lib/deep/b.py": "b", "README.md": "#" };

function good(files: Record<string, string | Uint8Array> = SOURCE) {
  return archiveOf(files, { top: "acme-weather-1234567", commit: "1".repeat(40) });
}

Deno.test("readArchive() gives the files sorted, without the top folder", async () => {
  const files = await readArchive(await good(), "");
  assertEquals([...files.keys()], ["README.md", "lib/a.py", "lib/deep/b.py", "server.py"]);
  assertEquals(new TextDecoder().decode(files.get("server.py")), "print(1)");
});

Deno.test("readArchive() gives the files of one folder, relative to it", async () => {
  const files = await readArchive(await good(), "lib");
  assertEquals([...files.keys()], ["a.py", "deep/b.py"]);
  assertEquals((await readArchive(await good(), "li")).size, 0);
  assertStringIncludes(await refusal(good(), "server.py"), "is not a folder");
});

Deno.test("readArchive() passes over files outside the folder, wherever the archive's parts end", async () => {
  // An entry ends where a part of the inflated archive does.
  const files = [
    [".gitignore", 44],
    ["LICENSE", 1_069],
    ["README.md", 8_796],
    ["example-use.png", 3_149_200],
    ["messages-bridge/go.mod", 748],
    ["messages-bridge/go.sum", 4_416],
    ["messages-bridge/main.go", 39_103],
    ["messages-mcp-server/main.py", 8_824],
  ] as const;
  const archive = await archiveOf(
    Object.fromEntries(files.map(([path, length]) => [path, new Uint8Array(length)])),
    { top: "t", commit: "1".repeat(40) },
  );
  assertEquals([...(await readArchive(archive, "messages-mcp-server")).keys()], ["main.py"]);
});

Deno.test("readArchive() reads long names in pax and GNU form", async () => {
  const long = `${"folder/".repeat(30)}name.py`;
  const pax = await readArchive(await good({ [long]: "pax" }), "");
  assertEquals([...pax.keys()], [long]);
  const name = new TextEncoder().encode(`top/${long}\0`);
  const gnu = await packArchive([
    { header: { name: "././@LongLink", type: "gnu-long-name", size: name.length }, body: name },
    file("top/cut", "gnu"),
  ]);
  assertEquals([...(await readArchive(gnu, "")).keys()], [long]);
});

Deno.test("readArchive() refuses paths that lead elsewhere", async () => {
  for (
    const [name, problem] of [
      ["top/../../etc/passwd", '".."'],
      ["../top/x", '".."'],
      ["/etc/passwd", "absolute"],
      ["top//x", "not normalized"],
      ["top/./x", "not normalized"],
      ["top/a\\..\\b", "backslash"],
      ["top/C:/x", "drive letter"],
      ["top/a\nb", "control character"],
      [`top/${"é".repeat(300)}`, "longer than 512 bytes"],
      [`top/${"a/".repeat(70)}x`, "deeper than 64"],
      ["lonely", "top level is not a folder"],
    ] as const
  ) {
    assertStringIncludes(await refusal(packArchive([file(name)])), problem, name);
  }
});

Deno.test("readArchive() refuses a path with NUL from a pax header", async () => {
  const record = "19 path=top/a\0b.py\n";
  const archive = packArchive([
    { header: { name: "pax", type: "pax-header", size: record.length }, body: record },
    file("top/x"),
  ]);
  assertStringIncludes(await refusal(archive), "control character");
});

Deno.test("readArchive() refuses hard links and devices, naming the path", async () => {
  for (const type of ["link", "fifo", "character-device", "block-device"] as const) {
    const entry: TarEntry = {
      header: { name: "top/src/evil", type, size: 0, linkname: "/etc/passwd" },
    };
    assertStringIncludes(await refusal(packArchive([file("top/src/a"), entry])), '"src/evil" is a');
  }
});

Deno.test("readArchive() refuses paths that cannot stand beside each other", async () => {
  const cases: [string[], string][] = [
    [["top/a", "top/a"], "appears twice"],
    [["top/caf\u00e9.py", "top/cafe\u0301.py"], "look the same"],
    [["top/a", "top/a/b"], "both a file and a folder"],
    [["top/a/b", "top/a"], "both a file and a folder"],
    [["top/a", "other/b"], "more than one top-level folder"],
  ];
  for (const [names, problem] of cases) {
    const archive = packArchive(names.map((name) => file(name)));
    assertStringIncludes(await refusal(archive), problem, names.join());
  }
  const cased = await packArchive([file("top/README"), file("top/readme")]);
  assertEquals((await readArchive(cased, "")).size, 2);
});

Deno.test("readArchive() refuses what is cut, damaged or no archive", async () => {
  const archive = await good();
  assertStringIncludes(await refusal(archive.slice(0, archive.length - 40)), "truncated");
  assertStringIncludes(await refusal(new TextEncoder().encode("<!doctype html>")), "damaged");
  assertStringIncludes(await refusal(new Uint8Array(0)), "");
  const noTar = new Uint8Array(gzipSync(new TextEncoder().encode("x".repeat(2000))));
  assertStringIncludes(await refusal(noTar), "not a well-formed tar");
  const tar = await packTar([file("top/a", "a".repeat(3000))]);
  const cut = new Uint8Array(gzipSync(tar.slice(0, 1024)));
  assertStringIncludes(await refusal(cut), "not a well-formed tar");
  const corrupt = tar.slice();
  corrupt[0] = 0x7a;
  assertStringIncludes(await refusal(new Uint8Array(gzipSync(corrupt))), "not a well-formed tar");
});

Deno.test("readArchive() refuses a size that lies", async () => {
  const tar = await packTar([file("top/a", "a".repeat(600)), file("top/b")]);
  const size = new TextEncoder().encode("77777777777\0");
  tar.set(size, 124);
  let sum = 256;
  for (let i = 0; i < 512; i++) if (i < 148 || i >= 156) sum += tar[i]!;
  tar.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
  assertStringIncludes(await refusal(new Uint8Array(gzipSync(tar))), "too large");
});

Deno.test("readArchive() stops a bomb early", async () => {
  const archive = await packArchive([file("top/zeros", new Uint8Array(120_000_000))]);
  assert(archive.length < 200_000);
  assertStringIncludes(await refusal(archive), "200 times its size");
  // It does not come to where this one ends.
  assertStringIncludes(await refusal(archive.slice(0, archive.length / 2)), "200 times its size");
});

Deno.test("readArchive() refuses too many entries", async () => {
  const entries = Array.from({ length: 20_001 }, (_, i) => file(`top/${i}`));
  assertStringIncludes(await refusal(packArchive(entries)), "more than 20000 entries");
});

Deno.test("notesOf() names submodules and Git LFS pointers", async () => {
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 12\n";
  const files = await readArchive(
    await good({ "model.bin": pointer, ".gitmodules": '[submodule "x"]\n\tpath = vendor/x\n' }),
    "",
  );
  assertEquals(notesOf(files), [
    { kind: "submodule", path: "vendor/x" },
    { kind: "lfs_pointer", path: "model.bin" },
  ]);
});
