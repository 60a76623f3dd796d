/** Symbolic links: what they lead to inside a repository, and what hostile ones lead to not. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { TarEntry } from "modern-tar";
import { AppError } from "../../src/errors.ts";
import { readRepository } from "../../src/repository/archive.ts";
import { resolveLinks } from "../../src/repository/links.ts";
import { MAX_ENTRIES, MAX_INFLATED_BYTES } from "../../src/repository/fetch_limits.ts";
import { packArchive } from "../helpers/code_host_archive.ts";

function file(name: string, body = name): TarEntry {
  const bytes = new TextEncoder().encode(body);
  return { header: { name: `top/${name}`, type: "file", size: bytes.length }, body: bytes };
}

function link(name: string, linkname: string): TarEntry {
  return { header: { name: `top/${name}`, type: "symlink", size: 0, linkname } };
}

/** Contents by path, and reasons by path of what is left out. */
async function read(entries: TarEntry[], folder = "") {
  const { files, ignoredLinks } = await readRepository(await packArchive(entries), folder);
  const text = new TextDecoder();
  return {
    files: Object.fromEntries([...files].map(([path, body]) => [path, text.decode(body)])),
    ignored: Object.fromEntries(ignoredLinks.map(({ path, reason }) => [path, reason])),
  };
}

Deno.test("a link to a file is that file under another path, wherever it stands in the archive", async () => {
  const { files, ignored } = await read([
    link("CLAUDE.md", "AGENTS.md"),
    link("src/util.py", "../lib/./util.py"),
    link("again.py", "src/util.py"),
    file("AGENTS.md"),
    file("lib/util.py"),
  ]);
  assertEquals(files, {
    "AGENTS.md": "AGENTS.md",
    "CLAUDE.md": "AGENTS.md",
    "again.py": "lib/util.py",
    "lib/util.py": "lib/util.py",
    "src/util.py": "lib/util.py",
  });
  assertEquals(ignored, {});
});

Deno.test("a link to a folder has all that is in it, links of that folder included", async () => {
  const { files, ignored } = await read([
    file("shared/a.py"),
    file("shared/deep/b.py"),
    link("shared/c.py", "deep/b.py"),
    link("shared/away", "/etc"),
    link("server/shared", "../shared"),
    file("server/main.py"),
  ]);
  assertEquals(Object.keys(files), [
    "server/main.py",
    "server/shared/a.py",
    "server/shared/c.py",
    "server/shared/deep/b.py",
    "shared/a.py",
    "shared/c.py",
    "shared/deep/b.py",
  ]);
  assertEquals(files["server/shared/c.py"], "shared/deep/b.py");
  assertEquals(ignored, { "shared/away": "points outside the repository" });
});

Deno.test("a link may lead out of the selected folder, not out of the repository", async () => {
  const entries = [
    link("packages/a/common", "../common"),
    link("packages/a/README.md", "../../README.md"),
    link("packages/a/out", "../../../README.md"),
    link("CLAUDE.md", "nowhere"),
    file("packages/common/x.py"),
    file("packages/a/server.py"),
    file("README.md"),
  ];
  const { files, ignored } = await read(entries, "packages/a");
  assertEquals(files, {
    "README.md": "README.md",
    "common/x.py": "packages/common/x.py",
    "server.py": "packages/a/server.py",
  });
  assertEquals(ignored, { out: "points outside the repository" });
});

Deno.test("links that lead out of the repository are left out and named, never followed", async () => {
  const { files, ignored } = await read([
    file("server.py"),
    link("absolute", "/etc/passwd"),
    link("up", "../outside"),
    link("far", "a/../../../../etc/passwd"),
    link("windows", "C:\\Windows\\win.ini"),
    link("backslash", "..\\..\\etc\\passwd"),
    link("through", "dir/../../etc/passwd"),
    link("dir", "."),
    link("chain", "up"),
    link("nothing", "missing.py"),
    link("empty", ""),
    link("below-a-file", "server.py/x"),
  ]);
  assertEquals(files, { "server.py": "server.py" });
  const out = "points outside the repository";
  assertEquals(ignored, {
    absolute: out,
    backslash: out,
    "below-a-file": "points to nothing in the repository",
    chain: out,
    dir: "points to a folder that contains it",
    empty: "points to a folder that contains it",
    far: out,
    nothing: "points to nothing in the repository",
    through: out,
    up: out,
    windows: out,
  });
});

Deno.test("links in circles end", async () => {
  const { files, ignored } = await read([
    file("a/x.py"),
    file("b/y.py"),
    link("self", "self"),
    link("one", "two"),
    link("two", "one"),
    link("a/loop", "../a"),
    link("a/top", ".."),
    link("a/b", "../b"),
    link("b/a", "../a"),
    link("deep", "deep/deep"),
  ]);
  assertEquals(ignored, {
    "a/loop": "points to a folder that contains it",
    "a/top": "points to a folder that contains it",
    deep: "is circular",
    one: "is circular",
    self: "is circular",
    two: "is circular",
  });
  assertEquals(Object.keys(files), ["a/b/y.py", "a/x.py", "b/a/x.py", "b/y.py"]);
});

Deno.test("a path through a link is refused: no entry is written where a link leads", async () => {
  for (
    const entries of [[link("out", "/tmp"), file("out/x")], [file("out/x"), link("out", "/tmp")]]
  ) {
    const error = await assertRejects(() => read(entries), AppError);
    assertStringIncludes(error.message, "a file and a folder");
  }
  const twice = [link("a.py", "b.py"), file("a.py"), file("b.py")];
  assertStringIncludes((await assertRejects(() => read(twice), AppError)).message, "appears twice");
});

Deno.test("links that unfold to more than is read are left out, and what others give stays", () => {
  // Each folder has two links to the next: the first unfolds to 2 to the 40th files.
  const links = new Map<string, string>();
  for (let i = 0; i < 40; i++) {
    links.set(`d${i}/l`, `../d${i + 1}`).set(`d${i}/r`, `../d${i + 1}`);
  }
  const sizes = new Map([["d40/x.py", 1], ["a.py", 1]]);
  links.set("b.py", "a.py");
  const { aliases, ignored } = resolveLinks(sizes, links);
  assert(aliases.some(({ path, of }) => path === "b.py" && of === "a.py"));
  assert(aliases.length <= MAX_ENTRIES);
  assertEquals(
    ignored.find(({ path }) => path === "d0/l")?.reason,
    "expands to more than the limit",
  );

  const many = new Map([...Array(5_000).keys()].map((i) => [`files/${i}`, 1]));
  const fan = new Map([...Array(2_000).keys()].map((i) => [`fan/${i}`, "../files"]));
  const fanned = resolveLinks(many, fan);
  assert(many.size + fanned.aliases.length <= MAX_ENTRIES);
  assertEquals(fanned.ignored.length + fanned.aliases.length / many.size, fan.size);
});

Deno.test("links count against the size of a repository, and make no path that is too long", () => {
  const large = new Map([["large.bin", MAX_INFLATED_BYTES / 2]]);
  const twice = new Map([["a", "large.bin"], ["b", "large.bin"]]);
  assertEquals(resolveLinks(large, twice), {
    aliases: [{ path: "a", of: "large.bin" }],
    ignored: [{ path: "b", reason: "expands to more than the limit" }],
  });
  const deep = new Map([[`${"d/".repeat(60)}x`, 1]]);
  const deeper = resolveLinks(deep, new Map([["1/2/3/4/5/6", "../../../../../d"]]));
  assertEquals(deeper.ignored, [{
    path: "1/2/3/4/5/6",
    reason: "resolves to a path that is too long",
  }]);
});
