import { assertEquals } from "@std/assert";
import { type DifferingPackage, ResolvedPackage } from "../../../src/scan/packages_schema.ts";
import { isWellKnown, lookAlikeOf } from "../../../src/scan/stages/look_alikes.ts";
import type { Requirement } from "../../../src/scan/stages/manifest_schema.ts";
import names from "../../../src/scan/stages/package_names.json" with { type: "json" };
import { packageNotes } from "../../../src/scan/stages/package_notes.ts";
import { readInstallation } from "../../../src/packages/installation.ts";

const NOW = new Date("2026-11-29T12:00:00Z");

function daysAgo(days: number): string {
  return new Date(NOW.getTime() - days * 86_400_000).toISOString();
}

function resolved(name: string, facts: Partial<ResolvedPackage> = {}): ResolvedPackage {
  return ResolvedPackage.parse({
    name,
    version: "1.0",
    source: "index",
    sha256: "0".repeat(64),
    requires: [],
    direct: true,
    instead: null,
    python_part: false,
    yanked: false,
    modules: [],
    ...facts,
  });
}

function required(name: string, facts: Partial<Requirement> = {}): Requirement {
  return {
    ecosystem: "PyPI",
    name,
    allowed: { kind: "range", ranges: [""] },
    text: name,
    file: "requirements.txt",
    line: 1,
    locked: false,
    ...facts,
  };
}

/** What is noted, as rule, severity, title and detail. */
function notesOf(
  requirements: Requirement[],
  { packages = [], differing = [], own = [] }: {
    packages?: ResolvedPackage[];
    differing?: DifferingPackage[];
    own?: string[];
  } = {},
) {
  const all = { missing: [], undeclared: [], files: [], problem: null, duration_ms: 0 };
  const notes = packageNotes(
    { packages: { ...all, resolved: packages, differing } },
    { requirements, own, now: NOW },
  );
  return [...notes].flatMap(([{ name, file }, list]) =>
    list.map(({ rule, severity, title, detail }) => ({
      name,
      file,
      rule: rule.id,
      severity,
      title,
      detail,
    }))
  );
}

Deno.test("a name one edit from a popular package's, or with other hyphens, looks like it", () => {
  for (
    const [name, popular] of [
      ["request", "requests"],
      ["requestss", "requests"],
      ["reqeusts", "requests"],
      ["requezts", "requests"],
      ["python-dotnev", "python-dotenv"],
      ["pythondotenv", "python-dotenv"],
      ["py-yaml", "pyyaml"],
      ["beautifulsoup", "beautifulsoup4"],
    ] as const
  ) assertEquals([name, lookAlikeOf(name)], [name, popular]);
});

Deno.test("honest names near a popular one, short ones and other words look like nothing", () => {
  for (
    const name of [
      "requests",
      "tomli",
      "toml",
      "cattrs",
      "psycopg",
      "psycopg2",
      "scapy",
      "grequests",
      "ujson",
      "ijson",
      "aiofile",
      "fastai",
      "mcpp",
      "ric",
      "constructor",
      "__proto__",
      "requests-cache",
      "mcp-server-requests",
      "my-project",
    ]
  ) assertEquals([name, lookAlikeOf(name)], [name, null]);
});

Deno.test("no popular package, and nothing that Berth provides, looks like another", async () => {
  const { fixed, provided } = await readInstallation();
  const known = Object.values(names).flat();
  for (const name of [...known, ...Object.keys(fixed), ...provided]) {
    assertEquals([name, lookAlikeOf(name)], [name, null]);
  }
  for (const name of ["requests", "llama-index-core"]) assertEquals(isWellKnown(name), true, name);
  for (const name of ["requesst", "ric", "constructor"]) {
    assertEquals(isWellKnown(name), false, name);
  }
  assertEquals(known.length, new Set(known).size);
});

Deno.test("packageNotes() rates a look-alike higher where its package is new", () => {
  const declared = [required("reqeusts")];
  const rated = (packages: ResolvedPackage[]) =>
    notesOf(declared, { packages }).filter(({ rule }) => rule === "pkg/look-alike-name")
      .map(({ severity }) => severity);
  assertEquals(rated([]), ["medium"]);
  assertEquals(rated([resolved("reqeusts")]), ["medium"]);
  const old = { uploaded: daysAgo(1), first_uploaded: daysAgo(31) };
  assertEquals(rated([resolved("reqeusts", old)]), ["medium"]);
  assertEquals(rated([resolved("reqeusts", { first_uploaded: daysAgo(29) })]), ["high"]);
  assertEquals(rated([resolved("reqeusts", { source: "distribution" })]), []);
});

Deno.test("packageNotes() leaves the repository's own names, addresses and other ecosystems alone", () => {
  assertEquals(notesOf([required("reqeusts")], { own: ["reqeusts"] }), []);
  assertEquals(notesOf([required("reqeusts", { ecosystem: "npm" })]), []);
  const elsewhere = { kind: "elsewhere", from: "git+https://code.example/r" } as const;
  assertEquals(notesOf([required("reqeusts", { allowed: elsewhere })]), []);
});

Deno.test("packageNotes() notes versions of the last week and packages of the last month", () => {
  const rated = (facts: Partial<ResolvedPackage>) =>
    notesOf([required("thing")], { packages: [resolved("thing", facts)] })
      .map(({ rule, severity, title }) => `${rule} ${severity}: ${title}`);
  const established = { first_uploaded: daysAgo(900) };
  assertEquals(rated({ ...established, uploaded: daysAgo(6) }), [
    "pkg/young low: thing 1.0 is a new version",
  ]);
  assertEquals(rated({ ...established, uploaded: daysAgo(8) }), []);
  assertEquals(rated({ uploaded: daysAgo(20), first_uploaded: daysAgo(20) }), [
    "pkg/young medium: thing is a new package",
  ]);
  assertEquals(rated({ uploaded: daysAgo(6), first_uploaded: null }), [
    "pkg/young low: thing 1.0 is a new version",
  ]);
  assertEquals(rated({ uploaded: null, first_uploaded: null }), []);
  // A report of before has neither.
  assertEquals(rated({}), []);
});

Deno.test("packageNotes() gives the reason of a withdrawal", () => {
  const details = (facts: Partial<ResolvedPackage>) =>
    notesOf([required("thing")], { packages: [resolved("thing", facts)] })
      .map(({ rule, severity, detail }) => [rule, severity, detail]);
  assertEquals(details({ yanked: true, yanked_reason: "Leaks keys" }), [
    ["pkg/yanked", "medium", "Reason given: Leaks keys"],
  ]);
  assertEquals(details({ yanked: true }), [["pkg/yanked", "medium", "No reason is given."]]);
  assertEquals(details({}), []);
});

Deno.test("packageNotes() says what reading a package for malice showed, the worst first", () => {
  const notes = (reading: ResolvedPackage["reading"]) =>
    notesOf([required("thing")], { packages: [resolved("thing", { reading })] })
      .map(({ rule, severity, title, detail }) => [rule, severity, title, detail]);
  const finding = (line: number) => ({
    rule: "py/key-sent",
    severity: "critical" as const,
    title: "KEY goes to c.example",
    file: "thing/a.py",
    line,
  });
  const clean = { findings: [], unread: [], problem: null };
  assertEquals(notes(undefined), []);
  assertEquals(notes(clean), []);
  assertEquals(notes({ ...clean, findings: [1, 2, 3, 4].map(finding) }), [[
    "pkg/malicious-code",
    "critical",
    "thing 1.0 contains malicious code (thing/a.py:1)",
    [1, 2, 3].map((line) => `thing/a.py:${line}: KEY goes to c.example (py/key-sent)`).join(". ") +
    ". And 1 more places.",
  ]]);
  assertEquals(notes({ ...clean, unread: ["a.py", "b.py", "c.py", "d.py"] }), [[
    "pkg/not-read",
    "low",
    "thing 1.0 was not read completely",
    "Files that were not read: a.py, b.py, c.py and 1 more.",
  ]]);
  assertEquals(
    notes({ ...clean, problem: "It broke" }).map(([rule, severity]) => [rule, severity]),
    [
      ["pkg/not-read", "medium"],
    ],
  );
});

Deno.test("packageNotes() says what differs from the lock file and what sessions get", () => {
  const details = (file: string | null, packages: ResolvedPackage[]) =>
    notesOf([required("thing")], { packages, differing: [{ name: "thing", version: "1.0", file }] })
      .map(({ rule, severity, detail }) => [rule, severity, detail]);
  const named = "a.whl has another digest on the package index than in the lock file.";
  assertEquals(details("a.whl", []), [
    ["pkg/lock-mismatch", "high", `${named} Sessions do without it.`],
  ]);
  assertEquals(
    details("a.whl", [resolved("thing", { version: "2.0" })])[0]![2],
    `${named} Sessions get 2.0 instead.`,
  );
  assertEquals(
    details(null, [resolved("thing")])[0]![2],
    "No file of this version on the package index has a digest of the lock file. " +
      "Sessions get a file that matches.",
  );
});

Deno.test("packageNotes() shows a package once, at its lock file", () => {
  const notes = notesOf([
    required("reqeusts"),
    required("reqeusts", { file: "uv.lock", locked: true }),
    required("reqeusts", { file: "dev.txt" }),
  ]);
  assertEquals(notes.map(({ file }) => file), ["uv.lock"]);
});
