/**
 * Packages as an attack: indexes, mirrors and wheels of strangers.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { PackagesDeps } from "../../src/packages/resolve.ts";
import { FORMAT } from "../../src/packages/store.ts";
import type { Packages } from "../../src/scan/packages_schema.ts";
import { sha256Of } from "../../src/bytes.ts";
import { analyse } from "../../workers/analysis/packages/mod.ts";
import { packWheel } from "../../workers/analysis/packages/pack.ts";
import { openTestDatabase } from "../helpers/database.ts";
import {
  metadataOf,
  type Override,
  type TestPackage,
  wheelOf,
  type ZipFile,
  zipOf,
} from "../helpers/package_index.ts";
import { wasmLibrary } from "../helpers/wasm_library.ts";
import { directOf, reasonsOf, versionsOf, withIndex } from "../packages/harness.ts";

const encoder = new TextEncoder();
const HOSTILE: TestPackage = { name: "hostile", version: "1.0", files: { "hostile.py": "" } };

/** Resolves `requirements`, and gives the paths that the index was asked for too. */
async function resolved(
  packages: readonly TestPackage[],
  requirements: string,
  { override, deps }: { override?: Override; deps?: Partial<PackagesDeps> } = {},
): Promise<{ result: Packages; asked: string[]; stored: number }> {
  const database = await openTestDatabase();
  let found: { result: Packages; asked: string[]; stored: number } | undefined;
  try {
    await withIndex(database.sql, packages, async ({ index, resolve }) => {
      const result = await resolve({ "server.py": "", "requirements.txt": requirements });
      const [row] = await database.sql<[{ stored: number }]>`
        select count(*)::int as stored from packages where format = ${FORMAT}`;
      found = { result, asked: [...index.asked], stored: row.stored };
    }, {
      ...(override === undefined ? {} : { override }),
      ...(deps === undefined ? {} : { deps }),
    });
  } finally {
    await database.close();
  }
  return found!;
}

/** A body that never ends; it stops when nobody reads any more. */
function endless(chunk: Uint8Array<ArrayBuffer>, everyMs: number): ReadableStream<Uint8Array> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new ReadableStream({
    pull(controller) {
      return new Promise((resolve) => {
        timer = setTimeout(() => {
          controller.enqueue(chunk);
          resolve();
        }, everyMs);
      });
    },
    cancel: () => clearTimeout(timer),
  });
}

Deno.test("an index that answers slowly or for ever costs a publication its deadline, and no more", async () => {
  const slow: Override = (path) =>
    path.startsWith("/simple/") ? new Response(endless(encoder.encode(" "), 20)) : undefined;
  const { result } = await resolved([HOSTILE], "hostile\nhttpx\n", {
    override: slow,
    deps: { timeoutMs: 200 },
  });
  assertEquals(directOf(result).map(({ name }) => name), ["httpx"]);
  assertEquals(reasonsOf(result), ["hostile: its source takes too long"]);

  const whole = await resolved([HOSTILE], "hostile\n", {
    override: slow,
    deps: { deadlineMs: 200 },
  });
  assertEquals(whole.result.problem, "resolving the packages took too long");
});

Deno.test("a file that is not the one that the index stated is refused, whatever sends it", async () => {
  const other = wheelOf({ ...HOSTILE, files: { "hostile.py": "import os\n" } });
  const swapped: Override = (path) => path.endsWith(".whl") ? new Response(other) : undefined;
  const wheel = await resolved([HOSTILE], "hostile\n", { override: swapped });
  assertEquals(reasonsOf(wheel.result), ["hostile: its file has another digest than stated"]);
  assertEquals(wheel.stored, 0);

  const told: Override = (path) =>
    path.endsWith(".metadata")
      ? new Response(metadataOf({ ...HOSTILE, requires: ["evil"] }))
      : undefined;
  const metadata = await resolved([HOSTILE], "hostile\n", { override: told });
  assertEquals(reasonsOf(metadata.result), ["hostile: its file has another digest than stated"]);
  assertEquals(metadata.asked.some((path) => path.includes("evil")), false);
});

Deno.test("a wheel without end is given up at the bound", async () => {
  const large = new Uint8Array(4 * 2 ** 20);
  const { result, stored } = await resolved([HOSTILE], "hostile\n", {
    override: (path) => path.endsWith(".whl") ? new Response(endless(large, 0)) : undefined,
  });
  assertEquals([reasonsOf(result), stored], [["hostile: it is larger than 64 MiB"], 0]);
});

/** What packing says of a wheel with these files. */
function packed(files: readonly ZipFile[]): string {
  const metadata = encoder.encode(metadataOf(HOSTILE));
  const bytes = zipOf([...files, { path: "hostile-1.0.dist-info/METADATA", content: metadata }]);
  const outcome = packWheel(bytes, { name: "hostile", version: "1.0", symbols: "" });
  return outcome.kind === "refused" ? outcome.reason : outcome.modules.join();
}

Deno.test("wheels with paths that lead elsewhere, links, false sizes or too many bytes are refused", () => {
  const content = encoder.encode("x");
  assertEquals(packed([{ path: "hostile.py", content }]), "hostile");
  for (
    const path of [
      "../evil.py",
      "/etc/evil.py",
      "a/../../evil.py",
      "a//evil.py",
      "./evil.py",
      "a\\..\\evil.py",
      "c:/evil.py",
      "evil\0.py",
      "evil\n.py",
    ]
  ) assertStringIncludes(packed([{ path, content }]), "leads elsewhere");
  assertStringIncludes(packed([{ path: "a", content, mode: 0o120777 }]), "a link");
  assertStringIncludes(packed([{ path: "a", content, size: 2 ** 31 }]), "larger than");
  assertStringIncludes(packed([{ path: "a", content, size: 5 }]), "another size");
  // A bomb: far more than the size that it states.
  const bomb = { path: "a", content: new Uint8Array(2 ** 20), size: 10 };
  assertStringIncludes(packed([bomb]), "cannot be read");
  assertStringIncludes(packed([{ path: "a", content }, { path: "a", content }]), "two files");
  const twice = [{ path: "a.py", content }, { path: "hostile-1.0.data/purelib/a.py", content }];
  assertStringIncludes(packed(twice), "two files");
});

Deno.test("a small wheel that unpacks to more than a node should hold is refused", () => {
  const content = new Uint8Array(129 * 2 ** 20);
  assertStringIncludes(packed([{ path: "hostile.py", content }]), "larger than 128 MiB");
  // What is left out anyway does not count.
  assertEquals(
    packed([{ path: "hostile.pyc", content }, {
      path: "hostile.py",
      content: content.subarray(0, 9),
    }]),
    "hostile",
  );
});

Deno.test("the packages of one server are bounded together, whether they are stored already or not", async () => {
  const names = ["one", "two", "three", "four", "five"];
  const packages = names.flatMap((name) =>
    ["1.0", "2.0"].map((version) => ({
      name,
      version,
      files: { [`${name}.py`]: new Uint8Array(10_000) },
    }))
  );
  const database = await openTestDatabase();
  try {
    await withIndex(database.sql, packages, async ({ resolve }) => {
      const files = (of: readonly string[]) => ({
        "server.py": "",
        "requirements.txt": of.join("\n"),
      });
      // By servers with fewer of them.
      for (const name of names.slice(0, 3)) {
        assertEquals(versionsOf(await resolve(files([name]))), [`${name} 2.0`]);
      }
      const result = await resolve(files(names));
      assertEquals(result.resolved.map(({ version }) => version), ["2.0", "2.0"]);
      assertEquals(result.missing.length, 3);
      for (const { reason } of result.missing) assertStringIncludes(reason, "larger than");
    }, { deps: { maxBytes: 25_000 } });
  } finally {
    await database.close();
  }
});

Deno.test("a wheel of another package under the name of a known one is refused", async () => {
  const wheel = wheelOf(HOSTILE);
  const outcome = packWheel(wheel, { name: "requests", version: "1.0", symbols: "" });
  assertEquals(outcome, { kind: "refused", reason: "its metadata is of another package" });
  const digest = await sha256Of(wheel);
  const { result } = await resolved([], "popular\n", {
    override: (path) =>
      path === "/simple/popular/"
        ? Response.json({
          files: [{
            filename: "hostile-1.0-py3-none-any.whl",
            url: "../../files/hostile-1.0-py3-none-any.whl",
            hashes: { sha256: digest },
          }],
        })
        : undefined,
  });
  assertEquals(reasonsOf(result).length, 1);
});

Deno.test("a search that conflicts make endless is given up, with what the installation has left", async () => {
  const versions = Array.from({ length: 12 }, (_, at) => `${at + 1}.0`);
  const names = Array.from({ length: 10 }, (_, at) => `p${at}`);
  // Any two of them go together, but all of them never do.
  const packages = names.flatMap((name, at) =>
    versions.map((version, index) => ({
      name,
      version,
      requires: names.slice(at + 1).map((other, next) =>
        `${other}!=${versions[(index * 7 + next) % versions.length]}`
      ).concat(`shared==${(index * 5 + at * 3) % 97}.0`),
    }))
  );
  const shared = Array.from({ length: 97 }, (_, at) => ({ name: "shared", version: `${at}.0` }));
  const { result } = await resolved([...packages, ...shared], names.join("\n"));
  // Either it found what can be had of it, or it says that it gave up: it came to an end.
  assert(result.problem !== null || result.resolved.length > 0);
});

Deno.test("a mirror leads requests neither into the network of the installation nor to its files", async () => {
  const asked: string[] = [];
  const digest = "a".repeat(64);
  for (
    const url of [
      "http://169.254.169.254/latest/meta-data",
      "https://192.168.1.1/hostile-1.0-py3-none-any.whl",
      "https://inside.example/hostile-1.0-py3-none-any.whl",
      "http://public.example/hostile-1.0-py3-none-any.whl",
      "https://user:secret@public.example/hostile-1.0-py3-none-any.whl",
      "file:///etc/passwd",
      "data:text/plain,hello",
    ]
  ) {
    const files = [{
      filename: "hostile-1.0-py3-none-any.whl",
      url,
      hashes: { sha256: digest },
      "core-metadata": false,
    }];
    const { result } = await resolved([], "hostile\n", {
      deps: {
        indexUrl: "https://index.example/simple",
        resolve: (host) =>
          Promise.resolve([host === "inside.example" ? "10.0.0.1" : "93.184.216.34"]),
        fetch(input) {
          const target = String(input);
          asked.push(target);
          return Promise.resolve(
            target.startsWith("https://index.example/simple/")
              ? Response.json({ files })
              : new Response("reached"),
          );
        },
      },
    });
    assertEquals([url, result.resolved], [url, []]);
  }
  assertEquals([...new Set(asked)], ["https://index.example/simple/hostile/"]);
});

Deno.test("redirects of an index are followed only where its answers may lead", async () => {
  const asked: string[] = [];
  const { result } = await resolved([], "hostile\n", {
    deps: {
      indexUrl: "https://index.example/simple",
      resolve: () => Promise.resolve(["93.184.216.34"]),
      fetch(input) {
        asked.push(String(input));
        const location = "http://127.0.0.1:5432/";
        return Promise.resolve(new Response(null, { status: 302, headers: { location } }));
      },
    },
  });
  assertEquals(result.resolved, []);
  assertEquals(asked, ["https://index.example/simple/hostile/"]);
});

/** Paths of `index` that are asked for, where its page and redirects lead to `url`. */
async function askedThrough(
  url: string,
  deps: Partial<PackagesDeps>,
): Promise<string[]> {
  const asked: string[] = [];
  const filename = "hostile-1.0-py3-none-any.whl";
  const file = { filename, url, hashes: { sha256: "a".repeat(64) }, "core-metadata": false };
  await resolved([], "hostile\nmoved\n", {
    deps: {
      resolve: (host) =>
        Promise.resolve([
          host.endsWith(".corp")
            ? "10.0.0.1"
            : host === "odd.example"
            ? "fe80::1"
            : "93.184.216.34",
        ]),
      fetch(input) {
        const target = String(input);
        asked.push(target);
        if (target.endsWith("/simple/hostile/")) {
          return Promise.resolve(Response.json({ files: [file] }));
        }
        if (target.endsWith("/simple/moved/")) {
          return Promise.resolve(new Response(null, { status: 302, headers: { location: url } }));
        }
        return Promise.resolve(new Response("nothing", { status: 404 }));
      },
      ...deps,
    },
  });
  return [...new Set(asked)].filter((target) => !/\/simple\/(?:hostile|moved)\/$/.test(target));
}

Deno.test("a source inside the network vouches for itself alone, not for what another leads to", async () => {
  const publicIndex = {
    indexUrl: "https://index.example/simple",
    distributionUrl: "http://mirror.corp/pyodide/",
  };
  const innerIndex = { indexUrl: "http://index.corp/simple", distributionUrl: null };
  for (
    const url of [
      "http://169.254.169.254/latest.metadata",
      "http://10.0.0.7/hostile.whl",
      "https://10.0.0.7/hostile.whl",
      "http://other.corp/hostile.whl",
      "https://other.corp/hostile.whl",
      "http://public.example/hostile.whl",
      "https://odd.example/hostile.whl",
      "https://metadata.google.internal/hostile.whl",
      "https://168.63.129.16/hostile.whl",
      // Of the mirror's host, but not of the distribution.
      "http://mirror.corp/admin",
      "http://mirror.corp:8080/pyodide/hostile.whl",
    ]
  ) {
    assertEquals([url, await askedThrough(url, publicIndex)], [url, []]);
    assertEquals([url, await askedThrough(url, innerIndex)], [url, []]);
  }
  const own = "http://index.corp/files/hostile.whl";
  assertEquals(await askedThrough(own, innerIndex), [own]);
  const elsewhere = "https://files.example/hostile.whl";
  assertEquals(await askedThrough(elsewhere, innerIndex), [elsewhere]);
});

Deno.test("an index that is configured at Berth itself or at a metadata service is not asked", async () => {
  const asked: string[] = [];
  const addresses: Record<string, string> = {
    "berth.corp": "10.0.0.5",
    "link.corp": "169.254.1.1",
    "alibaba.corp": "100.100.100.200",
    "amazon.corp": "fd00:ec2::254",
    "mapped.corp": "::ffff:169.254.169.254",
  };
  for (
    const indexUrl of [
      "http://berth.corp:8000/simple",
      "http://127.0.0.1:5432/simple",
      "http://link.corp/simple",
      "http://alibaba.corp/simple",
      "http://amazon.corp/simple",
      "http://mapped.corp/simple",
      "http://metadata.google.internal/simple",
      "http://169.254.169.254/simple",
    ]
  ) {
    const { result } = await resolved([], "hostile\n", {
      deps: {
        indexUrl,
        resolve: (host) => Promise.resolve([addresses[host] ?? "10.0.0.9"]),
        own: {
          endpoints: [{ host: "0.0.0.0", port: 8000 }, { host: "localhost", port: 5432 }],
          interfaces: ["10.0.0.5"],
          resolve: () => Promise.resolve(["127.0.0.1"]),
        },
        fetch(input) {
          asked.push(String(input));
          return Promise.resolve(Response.json({ files: [] }));
        },
      },
    });
    assertEquals(result.resolved, []);
  }
  assertEquals(asked, []);
});

Deno.test("only the installation's index is asked, whatever the repository names (dependency confusion)", async () => {
  let reached = 0;
  const elsewhere = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, () => {
    reached++;
    return new Response("", { status: 404 });
  });
  const other = `http://127.0.0.1:${elsewhere.addr.port}/simple`;
  const { result } = await resolved(
    [{ name: "internal", version: "1.0" }],
    `--index-url ${other}\n--extra-index-url ${other}\n--find-links ${other}\ninternal\n`,
  );
  await elsewhere.shutdown();
  assertEquals([versionsOf(result), reached], [["internal 1.0"], 0]);
});

Deno.test("names that are those of JavaScript's own objects are names like others", async () => {
  const { result } = await resolved(
    [{ name: "constructor", version: "1.0", requires: ["tostring"] }],
    "constructor\nhasownproperty\n",
  );
  assertEquals(versionsOf(result), ["constructor 1.0"]);
  assertEquals(result.missing.map(({ name }) => name).sort(), ["hasownproperty", "tostring"]);
});

Deno.test("answers that are no pages, metadata or wheels leave a package out, and nothing else", async () => {
  const good = { name: "good", version: "1.0" };
  const bodies = [
    "",
    "{",
    "[]",
    '{"files": 5}',
    "<a href=",
    "\0",
    '{"files": [null, 1, {"url": 5}]}',
  ];
  for (const body of bodies) {
    const { result } = await resolved([HOSTILE, good], "hostile\ngood\n", {
      override: (path) => path === "/simple/hostile/" ? new Response(body) : undefined,
    });
    assertEquals([body, versionsOf(result)], [body, ["good 1.0"]]);
  }
});

/** The analyser, which says `part` of every package that it has chosen. */
function claiming(part: boolean): PackagesDeps["packing"] {
  return {
    async run({ files, options = {}, lang, entrypoint }) {
      const input = { lang, entrypoint, files, options, threads: 1 };
      const result = await analyse({ ...input, begin: () => {}, refuse: () => {} });
      if (!("resolution" in result)) return { kind: "done", result, notAnalysable: [] };
      const packages = result.resolution?.packages.map((each) => ({ ...each, part })) ?? [];
      const resolution = result.resolution === null ? null : { ...result.resolution, packages };
      return { kind: "done", result: { ...result, resolution }, notAnalysable: [] };
    },
  };
}

Deno.test("what a process that read a repository claims of a wheel changes nothing in what is stored", async () => {
  const files = { "hostile.py": "", "hostile_core.so": wasmLibrary("malloc") };
  const tag = "cp314-cp314-pyemscripten_2026_0_wasm32";
  const stored = await Promise.all([true, false].map(async (part) => {
    const database = await openTestDatabase();
    try {
      await withIndex(database.sql, [{ ...HOSTILE, tag, files }], async ({ resolve }) => {
        await resolve({ "server.py": "", "requirements.txt": "hostile\n" });
      }, { analysis: claiming(part) });
      return await database.sql<{ name: string; bytes: Uint8Array }[]>`
        select name, modules, size, bytes from packages join package_parts using (sha256, format)`;
    } finally {
      await database.close();
    }
  }));
  assertEquals(stored[0]!.map(({ name }) => name), ["hostile"]);
  assertEquals([...stored[0]!], [...stored[1]!]);
});

Deno.test("a wheel is packed apart from the repository and from other wheels", async () => {
  const requests: string[][] = [];
  const packing: PackagesDeps["packing"] = {
    async run({ files, options = {}, lang, entrypoint }) {
      requests.push([...files.keys()]);
      const input = { lang, entrypoint, files, options, threads: 1 };
      const result = await analyse({ ...input, begin: () => {}, refuse: () => {} });
      return { kind: "done", result, notAnalysable: [] };
    },
  };
  await resolved([HOSTILE, { name: "good", version: "1.0" }], "hostile\ngood\n", {
    deps: { packing },
  });
  // The other is a list that Berth makes.
  assertEquals(requests, [["wheel", "symbols"], ["wheel", "symbols"]]);
});
