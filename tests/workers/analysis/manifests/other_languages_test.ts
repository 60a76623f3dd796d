import { assertEquals } from "@std/assert";
import { lines, linesOf, readAll } from "./read.ts";

Deno.test("package-lock.json is read in versions 1 to 3", () => {
  const tree = {
    lockfileVersion: 1,
    dependencies: {
      a: { version: "1.0.0", dependencies: { b: { version: "2.0.0" } } },
      fromGit: { version: "git+https://example.com/x.git#abc" },
      local: { version: "file:../local" },
    },
  };
  assertEquals(linesOf("package-lock.json", JSON.stringify(tree)), [
    "a 1.0.0",
    "b 2.0.0",
    "fromGit @git+https://example.com/x.git#abc",
  ]);
  const flat = {
    lockfileVersion: 3,
    packages: {
      "": { name: "demo", version: "1.0.0" },
      "packages/own": { version: "1.0.0" },
      "node_modules/own": { resolved: "packages/own", link: true },
      "node_modules/a": { version: "1.0.0" },
      "node_modules/a/node_modules/@s/b": { version: "2.0.0" },
      "node_modules/alias": { name: "real", version: "3.0.0" },
    },
  };
  assertEquals(linesOf("package-lock.json", JSON.stringify(flat)), [
    "a 1.0.0",
    "@s/b 2.0.0",
    "real 3.0.0",
  ]);
});

Deno.test("package-lock.json does not count where npm goes by npm-shrinkwrap.json", () => {
  const lock = (version: string) =>
    JSON.stringify({ packages: { "node_modules/ms": { version } } });
  const { requirements } = readAll({
    "package-lock.json": lock("2.0.0"),
    "npm-shrinkwrap.json": lock("2.1.3"),
    "web/package-lock.json": lock("1.0.0"),
  });
  assertEquals(lines(requirements), ["ms 2.1.3", "ms 1.0.0"]);
});

Deno.test("package.json is read with aliases, tags and addresses", () => {
  const text = JSON.stringify({
    dependencies: { a: "^1.0.0", b: "1.2.3", c: "npm:real@~2.0.0", d: "latest", e: "workspace:*" },
    devDependencies: { f: "github:acme/f", g: "" },
  });
  assertEquals(linesOf("package.json", text), [
    "a (^1.0.0)",
    "b 1.2.3",
    "real (~2.0.0)",
    "d (*)",
    "f @github:acme/f",
    "g ()",
  ]);
});

Deno.test("pnpm-lock.yaml is read in versions 5, 6 and 9", () => {
  const keys = [
    "/a/1.0.0",
    "/@s/b/2.0.0_react@18.0.0",
    "/c@3.0.0(react@18.0.0)",
    "'@s/d@4.0.0'",
    "file:../own",
  ];
  const text = `lockfileVersion: '6.0'\npackages:\n${
    keys.map((k) => `  ${k}:\n    dev: true`).join("\n")
  }\n`;
  assertEquals(linesOf("pnpm-lock.yaml", text), ["a 1.0.0", "@s/b 2.0.0", "c 3.0.0", "@s/d 4.0.0"]);
});

Deno.test("pnpm-lock.yaml of two documents: what pnpm itself needs, and what the project does", () => {
  const text = `---
lockfileVersion: '9.0'
importers:
  .:
    packageManagerDependencies:
      pnpm: {specifier: 12.1.0, version: 12.1.0}
packages:
  'pnpm@12.1.0':
    resolution: {integrity: sha512-x}
  shared@1.0.0:
    resolution: {integrity: sha512-x}
---
lockfileVersion: '9.0'
packages:
  is-odd@3.0.1:
    resolution: {integrity: sha512-y}
  shared@1.0.0:
    resolution: {integrity: sha512-x}
`;
  assertEquals(linesOf("pnpm-lock.yaml", text), ["pnpm 12.1.0", "shared 1.0.0", "is-odd 3.0.1"]);
  assertEquals(linesOf("pnpm-lock.yaml", `---\n${text}---\n`).length, 3);
  assertEquals(readAll({ "pnpm-lock.yaml": `${text}---\n[]\n` }).unreadable.length, 1);
});

Deno.test("YAML that nests or repeats without end is refused, dates and octal digits stay text", () => {
  const laughs = [...Array(30).keys()].map((i) =>
    `a${i}: &a${i} [${i === 0 ? "x" : Array(9).fill(`*a${i - 1}`)}]`
  );
  for (const text of ["[".repeat(100_000), "a: {".repeat(50_000), laughs.join("\n"), "a: b: c"]) {
    for (const file of ["pnpm-lock.yaml", "environment.yml"]) {
      const [fault] = readAll({ [file]: text }).unreadable;
      assertEquals(fault?.problem, "its format is not supported", `${file} ${text.slice(0, 20)}`);
    }
  }
  const text = "dependencies: [2020-01-01, pip: [a==2020.1.1, 'b==010']]";
  assertEquals(linesOf("environment.yml", text).slice(1), ["a 2020.1.1", "b 010"]);
});

Deno.test("yarn.lock is read in classic and berry form", () => {
  const classic = `# yarn lockfile v1

a@^1.0.0, a@^1.1.0:
  version "1.2.0"
  resolved "https://example.com/a.tgz"

"@s/b@~2.0.0":
  version "2.0.5"

"alias@npm:real@^3.0.0":
  version "3.1.0"
`;
  assertEquals(linesOf("yarn.lock", classic), ["a 1.2.0", "@s/b 2.0.5", "real 3.1.0"]);
  const berry = `__metadata:
  version: 8

"a@npm:^1.0.0":
  version: 1.2.0
  resolution: "a@npm:1.2.0"

"own@workspace:.":
  version: 0.0.0-use.local
  resolution: "own@workspace:."
`;
  assertEquals(linesOf("yarn.lock", berry), ["a 1.2.0"]);
});

Deno.test("bun.lock is read, its commas at the ends of lists too", () => {
  const text = `{
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "demo", "dependencies": { "a": "^1.0.0", "alias": "npm:real@^3.0.0", }, },
  },
  "packages": {
    "@s/b": ["@s/b@2.0.5", "", {}, "sha512-x=="],

    "a": ["a@1.2.0", "", { "dependencies": { "c": "1" }, }, "sha512-y=="],

    "a/c": ["c@1.0.0-rc.1+build", "https://registry.example.com/c.tgz", {}, "sha512-z=="],

    "alias": ["real@3.1.0", "", { "bin": { "x": "x.js" } }, "sha512-w=="],

    "git": ["git@github:someone/git#98e8ff1", {}, "someone-git-98e8ff1"],

    "tar": ["tar@https://example.com/tar.tgz", {}],

    "own": ["own@workspace:packages/own"],

    "near": ["near@file:../near", {}],
  }
}
`;
  assertEquals(linesOf("bun.lock", text), [
    "@s/b 2.0.5",
    "a 1.2.0",
    "c 1.0.0-rc.1",
    "real 3.1.0",
    "git @github:someone/git#98e8ff1",
    "tar @https://example.com/tar.tgz",
  ]);
  assertEquals(linesOf("bun.lock", "{}"), []);
});

Deno.test("bun.lock: what is no package is refused with its name", () => {
  for (const value of ["[]", "{}", "[1]", '["a"]', '["@"]', "null"]) {
    const { unreadable } = readAll({ "bun.lock": `{"packages": {"bad": ${value}}}` });
    assertEquals(unreadable.map(({ problem }) => problem), [
      'the entry "bad" is not a valid package',
    ]);
  }
  for (const text of ["[", '{"packages": []}', "[1]", '{"packages": {"a": *a}}']) {
    assertEquals(readAll({ "bun.lock": text }).unreadable.length, 1, text);
  }
});

Deno.test("go.mod: what replaces a module counts in its place", () => {
  const requires = "require (\n\tgolang.org/x/net v1.2.3\n\tgolang.org/x/net v0.5.6\n)\n";
  const read = (replace: string) => linesOf("go.mod", `${requires}${replace}\n`);
  assertEquals(read("replace golang.org/x/net v1.2.3 => example.com/net v1.4.5"), [
    "example.com/net 1.4.5",
    "golang.org/x/net 0.5.6",
  ]);
  assertEquals(read("replace golang.org/x/net => example.com/net v1.4.5"), [
    "example.com/net 1.4.5",
    "example.com/net 1.4.5",
  ]);
  assertEquals(read("replace (\n\tgolang.org/x/net v9.0.0 => ../net\n)"), [
    "golang.org/x/net 1.2.3",
    "golang.org/x/net 0.5.6",
  ]);
});

Deno.test("go.mod: the toolchain's standard library counts, and go.sum where more is needed", () => {
  assertEquals(linesOf("go.mod", "go 1.21\ntoolchain go1.23.6-custom\n"), ["stdlib (>=1.23.6)"]);
  const sum = [
    "github.com/a/b v1.0.0 h1:x=",
    "github.com/c/d v1.1.0 h1:x=",
    "github.com/c/d v1.2.0 h1:x=",
    "github.com/c/d v1.3.0/go.mod h1:x=",
    "garbage",
  ].join("\n");
  const files = (version: string) => ({
    "x/go.mod": `go ${version}\nrequire github.com/a/b v1.0.0\n`,
    "x/go.sum": sum,
  });
  const old = readAll(files("1.16"));
  assertEquals(lines(old.requirements), [
    "github.com/a/b 1.0.0",
    "github.com/c/d 1.2.0",
    "stdlib (>=1.16.0)",
  ]);
  assertEquals(old.files, ["x/go.mod", "x/go.sum"]);
  assertEquals(lines(readAll(files("1.17")).requirements).length, 2);
});

Deno.test("pnpm: packages from addresses are listed, folders are the repository's own", () => {
  const lock = `lockfileVersion: '5.3'
packages:
  registry.example.org/foo/1.1.0: {}
  github.com/org/mocks/590f321b:
    resolution: {tarball: https://codeload.example/mocks}
    name: mocks
    version: 20.0.1
  file:../own:
    resolution: {directory: ../own, type: directory}
    name: own
  is-number@https://codeload.example/is-number: {version: 7.0.0}
`;
  assertEquals(linesOf("pnpm-lock.yaml", lock), [
    "foo 1.1.0",
    "mocks @https://codeload.example/mocks",
    "is-number @is-number@https://codeload.example/is-number",
  ]);
  assertEquals(linesOf("pnpm-lock.yaml", "# nothing yet\n"), []);
  assertEquals(linesOf("yarn.lock", `# yarn lockfile v1\n\nplain:\n  version "1.0.2"\n`), [
    "plain 1.0.2",
  ]);
});

Deno.test("go.mod and Cargo.lock are read", () => {
  const mod = `module example.com/demo
go 1.22
require github.com/a/b v1.2.3
require (
	golang.org/x/net v0.10.0 // indirect
	github.com/old/c v2.0.0+incompatible
)
replace github.com/a/b => ./b
`;
  assertEquals(linesOf("go.mod", mod), [
    "github.com/a/b @./b",
    "golang.org/x/net 0.10.0",
    "github.com/old/c 2.0.0",
    "stdlib (>=1.22.0)",
  ]);
  const lock = `version = 3
[[package]]
name = "demo"
version = "0.1.0"
[[package]]
name = "time"
version = "0.1.43"
source = "registry+https://github.com/rust-lang/crates.io-index"
`;
  assertEquals(linesOf("Cargo.lock", lock), ["time 0.1.43"]);
});
