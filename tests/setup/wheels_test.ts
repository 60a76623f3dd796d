import { assert, assertEquals, assertRejects } from "@std/assert";
import { SetupError, sha256 } from "../../src/setup/files.ts";
import { type Requirement, wheelPrefix } from "../../src/setup/requirements.ts";
import { fetchWheels, type WheelSources } from "../../src/setup/wheels.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

async function requirement(name: string, ...contents: string[]): Promise<Requirement> {
  return {
    name,
    version: "1.0",
    digests: await Promise.all(contents.map((c) => sha256(bytesOf(c)))),
  };
}

/** Sources whose wheels hold the given texts, by package; calls are noted. */
function fakeSources(calls: string[], texts: Record<keyof WheelSources, Record<string, string>>) {
  const source = (way: keyof WheelSources) => async (folder: string, wanted: Requirement[]) => {
    calls.push(`${way}: ${wanted.map((w) => w.name).join()}`);
    for (const requirement of wanted) {
      const text = texts[way][requirement.name];
      if (text === undefined) continue;
      await Deno.writeFile(`${folder}/${wheelPrefix(requirement)}py3-none-any.whl`, bytesOf(text));
    }
    return { ok: false, output: `the ${way} said no` };
  };
  return { distribution: source("distribution"), index: source("index") };
}

async function withCache(body: (cache: string) => Promise<void>): Promise<void> {
  const cache = await Deno.makeTempDir();
  try {
    await body(cache);
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
}

Deno.test("fetchWheels() takes each wheel from the first source that has an accepted one", async () => {
  await withCache(async (cache) => {
    const requirements = [await requirement("a", "A1", "A2"), await requirement("b", "B1", "B2")];
    const calls: string[] = [];
    const sources = fakeSources(calls, {
      distribution: { a: "A1", b: "tampered" },
      index: { b: "B2" },
    });
    await fetchWheels(sources, { cache, requirements, lockFile: "lock" }, () => {});
    assertEquals(calls, ["distribution: a,b", "index: b"]);
    assertEquals(await Deno.readTextFile(`${cache}/a-1.0-py3-none-any.whl`), "A1");
    assertEquals(await Deno.readTextFile(`${cache}/b-1.0-py3-none-any.whl`), "B2");

    calls.length = 0;
    await fetchWheels(sources, { cache, requirements, lockFile: "lock" }, () => {});
    assertEquals(calls, []);
    assertEquals((await Array.fromAsync(Deno.readDir(cache))).length, 2);
  });
});

Deno.test("fetchWheels() replaces a damaged wheel in its cache and removes leftovers", async () => {
  await withCache(async (cache) => {
    const requirements = [await requirement("a", "A1")];
    await Deno.writeTextFile(`${cache}/a-1.0-py3-none-any.whl`, "A");
    await Deno.mkdir(`${cache}/.fetch-interrupted`);
    const sources = fakeSources([], { distribution: { a: "A1" }, index: {} });
    await fetchWheels(sources, { cache, requirements, lockFile: "lock" }, () => {});
    assertEquals(await Deno.readTextFile(`${cache}/a-1.0-py3-none-any.whl`), "A1");
    assertEquals((await Array.fromAsync(Deno.readDir(cache))).length, 1);
  });
});

Deno.test("fetchWheels() says what is missing, what was tried and what to do", async () => {
  await withCache(async (cache) => {
    const requirements = [await requirement("a", "A1"), await requirement("b", "B1")];
    const sources = fakeSources([], { distribution: { a: "A1" }, index: { b: "tampered" } });
    const error = await assertRejects(
      () => fetchWheels(sources, { cache, requirements, lockFile: "lock" }, () => {}),
      SetupError,
      "Cannot fetch b 1.0. Install Python with pip",
    );
    assert(error.message.includes("the distribution said no"));
    assert(error.message.includes("the index said no"));
    assert(error.message.includes(cache));
    const names = (await Array.fromAsync(Deno.readDir(cache))).map((entry) => entry.name);
    assertEquals(names, ["a-1.0-py3-none-any.whl"]);
  });
});
