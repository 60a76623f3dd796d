// Texts of strangers that are made to keep whoever parses them busy.
import { gzipSync } from "node:zlib";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { isSafeHtml } from "../../src/documents/check_html.ts";
import { factsOf } from "../../src/documents/facts.ts";
import { createReadmes } from "../../src/documents/readmes.ts";
import { AppError } from "../../src/errors.ts";
import { readArchive } from "../../src/repository/archive.ts";
import { resolveLinks } from "../../src/repository/links.ts";
import { notesOf } from "../../src/repository/notes.ts";
import { createRoom } from "../../src/repository/room.ts";
import { type Analysis, createAnalysis } from "../../src/scan/analysis/analysis.ts";
import { runDependencies } from "../../src/scan/stages/dependencies.ts";
import { isManifestName } from "../../src/scan/stages/manifests.ts";
import { argumentFields } from "../../src/web/try/fields.ts";
import { readArguments } from "../../src/web/try/arguments.ts";
import { isModest } from "../../src/web/try/modest_json.ts";
import { groupByAlias } from "../../workers/analysis/advisories/alias_groups.ts";
import { lineFinder } from "../../workers/analysis/advisories/lines.ts";
import { readManifests } from "../../workers/analysis/manifests/manifests.ts";
import { blockOf } from "../../workers/analysis/manifests/script_metadata.ts";
import { advisory } from "../helpers/advisory_records.ts";
import { openTestDatabase, silentLog } from "../helpers/database.ts";
import { answersMeanwhile } from "../helpers/meanwhile.ts";
import { scanInput } from "../scan/input.ts";
import { NO_WALLS } from "../../src/sandbox/walls.ts";

const NEVER = new AbortController().signal;

/** What READMEs may be made of that their parsers choke on. */
const BOMBS: readonly [kind: string, text: string][] = [
  ["emphasis that never closes", "_a*".repeat(20_000)],
  ["emphasis of all kinds", "*_~`a".repeat(12_000)],
  ["brackets", "[".repeat(60_000)],
  ["links in links", "[a](".repeat(16_000)],
  ["references", "[a][".repeat(16_000)],
  ["quotes", "> ".repeat(30_000)],
  ["lists", "- ".repeat(30_000)],
  ["tags that never end", "<a ".repeat(20_000)],
  ["comments", "<!--".repeat(16_000)],
  ["tables", `${"|a".repeat(9_000)}\n${"|-".repeat(9_000)}\n${"|a".repeat(9_000)}`],
  ["entities", "&".repeat(60_000)],
  ["fences", "`` ` ".repeat(12_000)],
];

async function withAnalysis<T>(
  use: (analysis: Analysis) => Promise<T>,
  options: { fileMs?: number } = {},
): Promise<T> {
  const analysis = createAnalysis({ walls: NO_WALLS, log: silentLog, processes: 1, ...options });
  try {
    return await use(analysis);
  } finally {
    await analysis.close();
  }
}

/** Counts how often items of `list` are looked at. */
function counting<T extends object>(list: T): { list: T; looks: () => number } {
  let looks = 0;
  const seen = new Proxy(list, {
    get(target, key) {
      if (typeof key === "string" && /^\d+$/.test(key)) looks++;
      return Reflect.get(target, key);
    },
  });
  return { list: seen, looks: () => looks };
}

Deno.test("a script full of metadata marks is read line by line, however many there are", () => {
  const looksAt = (lines: string[]) => {
    const { list, looks } = counting(lines);
    try {
      blockOf(list);
    } catch {
      // Two blocks are one too many; what counts is how long it took to see.
    }
    return looks();
  };
  for (const line of ["# /// script", "# ///", "#", "# a"]) {
    const few = looksAt(Array.from({ length: 1_000 }, () => line));
    const many = looksAt(Array.from({ length: 10_000 }, () => line));
    assert(many <= 10 * few + 100, `${line}: ${few} looks at 1,000 lines, ${many} at 10,000`);
  }
});

Deno.test("records of one flaw are grouped without comparing each with each", () => {
  const looksAt = (count: number) => {
    let looks = 0;
    const records = Array.from({ length: count }, (_, index) => {
      const record = advisory(`GHSA-${index}`, "x", null, { aliases: [`CVE-${index >> 1}`] });
      return new Proxy(record, {
        get(target, key) {
          looks++;
          return Reflect.get(target, key);
        },
      });
    });
    assertEquals(groupByAlias(records).length, count / 2);
    return looks;
  };
  assert(looksAt(4_000) <= 10 * looksAt(400) + 100);
});

Deno.test("lines of requirements are looked for within a bound", () => {
  const text = "x".repeat(1_000);
  const lineOf = lineFinder(new Map([["f", new TextEncoder().encode(text)]]), 5_000);
  const found = Array.from({ length: 100 }, (_, index) => lineOf("f", `y${index}`));
  assertEquals(new Set(found), new Set([null]));
  assertEquals(lineOf("f", "x"), null, "what is beyond the bound has no line");
});

Deno.test("manifests at their bound in great number are not read without end, and fail the scan", () => {
  const large = new TextEncoder().encode("# a\n".repeat(1_200_000));
  const files = new Map(
    Array.from({ length: 20 }, (_, index) => [`a${index}/requirements.txt`, large] as const),
  );
  const refused: string[] = [];
  const begun: string[] = [];
  readManifests(files, "server.py", {
    begin: (file) => void begun.push(file),
    refuse: (file) => void refused.push(file),
  });
  assertEquals(begun.length, 20);
  assertEquals(refused.length, 8, "twelve of five megabytes are read");
});

/** Content that is hostile to the readers of one kind of manifest. */
const MANIFESTS: readonly [name: string, content: string][] = [
  ["script.py", "# /// script\n".repeat(12_000)],
  ["requirements.txt", `-e${" ".repeat(200_000)}a\u2028b`],
  ["a/requirements.txt", `x ${"=".repeat(300_000)}`],
  ["b/requirements.txt", `${"a".repeat(100_000)}-1`],
  ["setup.cfg", `[options]\ninstall_requires = a;${" ".repeat(200_000)}`],
  ["c/setup.cfg", `[${"a".repeat(500_000)}`],
  ["pyproject.toml", `${"a.".repeat(100_000)}b = 1`],
  ["d/pyproject.toml", `x = ${"[".repeat(100_000)}`],
  ["package.json", `{"dependencies": {"a": "${"1 || ".repeat(100_000)}"}}`],
  ["package-lock.json", `${'{"dependencies":{"a":'.repeat(50_000)}`],
  ["pnpm-lock.yaml", `${"a: &a [*a,".repeat(20_000)}`],
  ["yarn.lock", `${"a:\n  ".repeat(50_000)}`],
  ["bun.lock", "{".repeat(100_000)],
  [
    "go.mod",
    `module x\n${"replace a => b v1.0.0\n".repeat(20_000)}${"require a v1.0.0\n".repeat(20_000)}`,
  ],
  ["Cargo.lock", `[[package]]\n${"[[package.a]]\n".repeat(50_000)}`],
  ["environment.yml", `dependencies:\n${"- - ".repeat(50_000)}`],
  ["Pipfile", `[packages]\na = "${"=".repeat(200_000)}"`],
  ["Pipfile.lock", `{"default": {"a": {"version": "${"=".repeat(200_000)}"}}}`],
  ["poetry.lock", "[[package]]\n".repeat(100_000)],
  ["setup.py", `setup(install_requires=${"[".repeat(50_000)})`],
];

Deno.test("hostile manifests of every kind leave the process free to answer", async () => {
  const input = await scanInput({ "server.py": "", ...Object.fromEntries(MANIFESTS) });
  const advisories = {
    engine: "none",
    query: (packages: readonly unknown[]) => Promise.resolve(packages.map(() => [])),
    byIds: () => Promise.resolve(new Map()),
  };
  await withAnalysis(async (analysis) => {
    const now = () => new Date(0);
    const section = await answersMeanwhile(() =>
      runDependencies({ analysis, advisories, now }, input, NEVER).catch((error) => error)
    );
    assert(section instanceof Error || section.error !== null, "none of it passes for clean");
  });
});

Deno.test("what may be a manifest by its name is sent to its readers", () => {
  for (const [name] of MANIFESTS) {
    assert(name.endsWith(".py") || isManifestName(name), name);
  }
  for (
    const name of [
      "requirements.txt",
      "dev-requirements.in",
      "requirements/base.txt",
      "constraints.pip",
      "requirements.lock",
      "npm-shrinkwrap.json",
      "uv.lock",
      "pdm.lock",
      "server.py.lock",
      "pylock.dev.toml",
      "uv.toml",
      "conda-env.yaml",
      "conda.yml",
      "environment-dev.yml",
      "go.sum",
    ]
  ) assert(isManifestName(`folder/${name}`), name);
  // Paths are strangers' texts too: each is looked through once.
  for (const part of ["env", "conda", "constraint", "requirement.txt", "py", "lock."]) {
    assertEquals(isManifestName(`${part.repeat(200_000)}x`), false, part);
  }
});

Deno.test("a hostile manifest leaves the form that registers a server empty, and nothing worse", async () => {
  await withAnalysis(async (analysis) => {
    const files = new Map([
      ["pyproject.toml", new TextEncoder().encode(`${"a.".repeat(200_000)}b = 1`)],
      ["README.md", new TextEncoder().encode("[".repeat(900_000))],
    ]);
    const facts = await answersMeanwhile(() => factsOf(analysis, files, "weather"));
    assertEquals(facts.version, "0.1.0");
  });
});

Deno.test("READMEs of every hostile kind leave the process free, and are shown as safe HTML", async () => {
  const database = await openTestDatabase();
  await withAnalysis(async (analysis) => {
    const readmes = createReadmes({
      sql: database.sql,
      log: silentLog,
      analysis,
      patienceMs: 600_000,
    });
    for (const [kind, text] of BOMBS) {
      const sha256 = await storedArchive(database.sql);
      const files = new Map([["README.md", new TextEncoder().encode(text)]]);
      const shown = await answersMeanwhile(() =>
        readmes.show({ archive_sha256: sha256, folder: "" }, () => Promise.resolve(files))
      );
      assert(shown !== "not_ready" && shown.html !== null, kind);
      assert(isSafeHtml(shown.html), kind);
    }
  }, { fileMs: 400 });
  await database.close();
});

let archives = 0;

/** The digest of an archive that is stored. */
async function storedArchive(sql: Awaited<ReturnType<typeof openTestDatabase>>["sql"]) {
  const sha256 = String(archives++).padStart(64, "a");
  await sql`insert into archives (sha256, size, created_at) values (${sha256}, 1, now())`;
  return sha256;
}

Deno.test("a README that cannot be rendered is tried only once for everyone", async () => {
  const database = await openTestDatabase();
  const { sql } = database;
  let runs = 0;
  const analysis: Pick<Analysis, "run"> = {
    async run() {
      runs++;
      await new Promise((resolve) => setTimeout(resolve));
      return { kind: "failed", code: "timeout", message: "The analysis took longer than 5 s" };
    },
  };
  const source = { archive_sha256: await storedArchive(sql), folder: "" };
  const files = new Map([["README.md", new TextEncoder().encode("<b>&_a*")]]);
  const show = (readmes: ReturnType<typeof createReadmes>) =>
    readmes.show(source, () => Promise.resolve(files));
  const readmes = createReadmes({ sql, log: silentLog, analysis });
  const shown = await Promise.all(Array.from({ length: 50 }, () => show(readmes)));
  const text = { html: '<pre tabindex="0">&lt;b&gt;&amp;_a*</pre>' };
  assertEquals(shown, shown.map(() => text));
  assertEquals(await show(createReadmes({ sql, log: silentLog, analysis })), text);
  assertEquals(runs, 1);
  await database.close();
});

Deno.test("READMEs beyond those that are at work are begun by nobody", async () => {
  const database = await openTestDatabase();
  const { sql } = database;
  const gate = Promise.withResolvers<void>();
  let runs = 0;
  const analysis: Pick<Analysis, "run"> = {
    async run() {
      runs++;
      await gate.promise;
      return { kind: "done", result: { html: "<p>x</p>\n" }, notAnalysable: [] };
    },
  };
  const readmes = createReadmes({ sql, log: silentLog, analysis, most: 3, patienceMs: 1 });
  const files = new Map([["README.md", new TextEncoder().encode("x")]]);
  const shown = [];
  for (let index = 0; index < 10; index++) {
    const source = { archive_sha256: await storedArchive(sql), folder: "" };
    shown.push(await readmes.show(source, () => Promise.resolve(files)));
  }
  assertEquals(new Set(shown), new Set(["not_ready"]));
  gate.resolve();
  await readmes.close();
  assert(runs <= 3, `${runs} were begun`);
  await database.close();
});

Deno.test("HTML that a process forges is not shown", () => {
  for (
    const html of [
      "<script>alert(1)</script>",
      "<p onclick=x>a</p>",
      '<p onclick="x">a</p>',
      '<a href="javascript:alert(1)">a</a>',
      '<a href="//evil.example">a</a>',
      '<a href="https://a b">a</a>',
      '<a href="https://x" target="_top">a</a>',
      "<a href='https://x'>a</a>",
      "<img src=x>",
      '<pre tabindex="1">a</pre>',
      "<p>a",
      "a</p>",
      "<p><b>a</p></b>",
      "<p/>",
      "<!-- a -->",
      "<![CDATA[a]]>",
      "<P>a</P>",
      "a < b",
      "<p\n>a</p>",
      "<p".repeat(100_000),
      "<b>".repeat(100_000),
    ]
  ) assertEquals(isSafeHtml(html), false, html.slice(0, 80));
  for (
    const html of [
      "",
      "a &lt; b > c",
      '<p>a<br />b</p>\n<hr />\n<ol start="3"><li>x</li></ol>',
      '<a href="https://example.com/?a=1&amp;b=2" rel="nofollow ugc noopener noreferrer">x</a>',
      '<pre tabindex="0"><code>x</code></pre>',
    ]
  ) assert(isSafeHtml(html), html);
});

Deno.test("schemas that refer to themselves, and forms of lists of lists, end", () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, true]));
  const kinds = Array.from({ length: 20 }, () => ({ $ref: "#/$defs/W" }));
  const schema = {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [`f${i}`, { anyOf: kinds, default: { a: [[[1]]] } }]),
    ),
    $defs: { W: { ...wide, type: "object", anyOf: kinds, properties: { a: { anyOf: kinds } } } },
  };
  const fields = argumentFields(schema);
  assertEquals(fields.kind, "object");
  const lists = { type: "array", items: { type: "array", items: { type: "array", items: {} } } };
  const nested = { type: "object", properties: { a: lists } };
  const form = new URLSearchParams({ "count/a": "50" });
  for (let i = 0; i < 50; i++) {
    form.set(`count/a/${i}`, "50");
    for (let j = 0; j < 50; j++) form.set(`count/a/${i}/${j}`, "50");
  }
  const { value } = readArguments(argumentFields(nested), nested, form);
  assert(JSON.stringify(value).length < 1_000_000);
});

Deno.test("an answer of many small values, or deep ones, is not parsed for a page", () => {
  assertEquals(isModest(`[${"[],".repeat(60_000)}[]]`), false);
  assertEquals(isModest("[".repeat(100)), false);
  assertEquals(isModest(`{${'"a":{'.repeat(70)}`), false);
  assertEquals(isModest(`[${"0,".repeat(60_000)}0]`), false);
  assert(isModest(JSON.stringify({ data: "[],".repeat(1_000_000) })), "a long text is one value");
  assert(isModest(JSON.stringify(['\\"[[[', "\\\\", { a: [1, 2] }])));
});

Deno.test("archives are opened for pages a few at a time, and the rest is turned away", async () => {
  const room = createRoom({ places: 2, waiting: 5 });
  const gate = Promise.withResolvers<void>();
  let open = 0;
  let most = 0;
  const asked = Array.from({ length: 100 }, () =>
    room(async () => {
      most = Math.max(most, ++open);
      await gate.promise;
      open--;
    }));
  const ended = Promise.allSettled(asked);
  const error = await assertRejects(() => asked[99]!, AppError);
  assertEquals([error.status, error.headers["Retry-After"]], [503, "5"]);
  gate.resolve();
  const outcomes = (await ended).map(({ status }) => status);
  assertEquals(outcomes.filter((status) => status === "fulfilled").length, 7);
  assertEquals(most, 2);
});

Deno.test("a file of submodules is read line by line, as far as it matters", () => {
  const modules = (text: string) => new Map([[".gitmodules", new TextEncoder().encode(text)]]);
  for (const text of ["\n", " ", "\t\n", "path", "path = ", "= ", "path\n= x\n"]) {
    assertEquals(notesOf(modules(text.repeat(1_000_000))).length <= 1, true, JSON.stringify(text));
  }
  assertEquals(notesOf(modules("path = a\n".repeat(500_000))).length, 1_000);
});

Deno.test("symbolic links that hold long paths are led through no further than a bound", () => {
  const sizes = new Map([["a/b", 1]]);
  const long = new Map([["x", "a/".repeat(2_000_000)], ["y", "a/../".repeat(800)]]);
  assertEquals(resolveLinks(sizes, long).ignored.map(({ path }) => path), ["x", "y"]);
  // Each leads through hundreds of parts: together they would be millions.
  const many = new Map(
    Array.from({ length: 20_000 }, (_, i) => [`l${i}`, `${"a/../".repeat(800)}a/b`] as const),
  );
  const { aliases, ignored } = resolveLinks(sizes, many);
  assertEquals(aliases.length + ignored.length, 20_000);
  assert(aliases.length < 1_000, `${aliases.length} were followed`);
});

/** An entry of a tar archive, header and body. */
function entryOf(name: string, type: string, body: Uint8Array): Uint8Array[] {
  const encoder = new TextEncoder();
  const header = new Uint8Array(512);
  header.set(encoder.encode(name));
  header.set(encoder.encode("0000644\0"), 100);
  header.set(encoder.encode(`${body.length.toString(8).padStart(11, "0")}\0`), 124);
  header.set(encoder.encode(type), 156);
  header.set(encoder.encode("ustar\x0000"), 257);
  header.fill(32, 148, 156);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.set(encoder.encode(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
  return [header, body, new Uint8Array(-body.length & 511)];
}

Deno.test("an archive with metadata that are large or out of order is refused before they are read", async () => {
  const encoder = new TextEncoder();
  const archiveWith = async (metadata: Uint8Array, type = "x") =>
    new Uint8Array(gzipSync(
      await new Blob([
        ...entryOf("top/", "5", new Uint8Array()),
        ...entryOf("pax", type, metadata),
        ...entryOf("top/a", "0", encoder.encode("a")),
        new Uint8Array(1024),
      ] as BlobPart[]).bytes(),
    ));
  assertEquals(
    (await readArchive(await archiveWith(encoder.encode("13 comment=x\n")), "")).size,
    1,
  );
  for (
    const metadata of [
      "1\n".repeat(30_000),
      "1x".repeat(30_000),
      "9".repeat(60_000),
      "10 size=9\n",
      "99 comment=x\n",
      `${"a".repeat(70_000)}`,
    ]
  ) {
    const archive = await archiveWith(encoder.encode(metadata));
    const error = await assertRejects(() => readArchive(archive, ""), AppError);
    assertEquals(error.code, "repository_refused", metadata.slice(0, 20));
  }
  const named = await archiveWith(new Uint8Array(100_000).fill(97), "L");
  await assertRejects(() => readArchive(named, ""), AppError);
});
