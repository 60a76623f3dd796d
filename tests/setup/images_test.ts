import { assert, assertEquals, assertLess } from "@std/assert";
import { unpackPackage } from "../../workers/session/interpreter/packages.ts";
import { readSnapshot } from "../../workers/session/interpreter/snapshot.ts";
import { concat } from "../../src/bytes.ts";
import { IMAGES } from "../../src/setup/image_plans.ts";
import { makeImage } from "../../src/setup/images.ts";
import { isPrepared } from "../../src/setup/interpreter.ts";
import { extensionModule } from "../helpers/extension_module.ts";
import { testInterpreter } from "../helpers/interpreter.ts";
import { expectAlike, pagesOf } from "../helpers/snapshots.ts";
import { constant } from "../helpers/side_module.ts";

interface Index {
  packages: Record<string, string>;
  images: Record<string, { pages: string; packages: string[] }>;
}

async function readIndex(folder: string): Promise<Index> {
  return JSON.parse(await Deno.readTextFile(`${folder}/index.json`));
}

Deno.test("setup leaves an image for each plan, as a difference from the common snapshot", async () => {
  const { folder, catalogue } = await testInterpreter();
  const { images } = await readIndex(folder);
  assertEquals(Object.keys(images), Object.keys(IMAGES));
  assertEquals(catalogue.images["pydantic"]?.packages, ["pydantic", "pydantic-core"]);
  const base = readSnapshot(await Deno.readFile(`${folder}/snapshot`));
  // Each session has all of it in its memory: what was freed is not among it.
  assertLess(base.bytes.length, 26_000_000);
  for (const { pages } of Object.values(images)) {
    const image = readSnapshot(await Deno.readFile(`${folder}/${pages}`));
    assertEquals(image.head.base, base.head.id);
    // The common pages are stored once.
    assertLess(image.bytes.length, base.bytes.length);
    const common = pagesOf(base);
    const same = [...pagesOf(image)].filter(([page, bytes]) =>
      common.get(page)?.every((byte, i) => byte === bytes[i])
    );
    assertEquals(same, []);
  }
});

Deno.test("two builds of an image are alike: there is nothing in it but what packages made", async () => {
  const { folder, cache } = await testInterpreter();
  const { packages, images } = await readIndex(folder);
  const given = await Promise.all(images["pydantic"]!.packages.map(async (name) => ({
    name,
    bytes: await Deno.readFile(`${folder}/${packages[name]}`),
  })));
  assert(given.every(({ bytes }) => unpackPackage(bytes).length > 0));
  const build = async () =>
    readSnapshot(
      new Uint8Array((await makeImage({ folder, cache }, IMAGES["pydantic"]!, given)).pages),
    );
  await expectAlike(build);
});

Deno.test("an interpreter whose image is damaged, missing or of an older form is not prepared", async () => {
  const { folder } = await testInterpreter();
  const copy = await Deno.makeTempDir();
  try {
    for await (const { name } of Deno.readDir(folder)) {
      await Deno.symlink(`${folder}/${name}`, `${copy}/${name}`);
    }
    assert(await isPrepared(copy));
    const image = `${copy}/image-pydantic`;
    const bytes = await Deno.readFile(image);
    await Deno.remove(image);
    assertEquals(await isPrepared(copy), false);
    bytes[bytes.length - 1] = bytes.at(-1)! ^ 1;
    await Deno.writeFile(image, bytes);
    assertEquals(await isPrepared(copy), false);
    bytes[bytes.length - 1] = bytes.at(-1)! ^ 1;
    await Deno.writeFile(image, bytes);
    assert(await isPrepared(copy));

    const { images: _images, ...older } = await readIndex(folder);
    await Deno.remove(`${copy}/index.json`);
    await Deno.writeTextFile(`${copy}/index.json`, JSON.stringify(older));
    assertEquals(await isPrepared(copy), false);
  } finally {
    await Deno.remove(copy, { recursive: true });
  }
});

/** The files of a package, as setup packs them. */
function packed(files: Record<string, Uint8Array | string>): Uint8Array {
  const encoder = new TextEncoder();
  const contents = Object.entries(files).map(([path, content]) =>
    [path, typeof content === "string" ? encoder.encode(content) : content] as const
  );
  const head = encoder.encode(
    JSON.stringify(contents.map(([path, { length }]) => [path, length])),
  );
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, head.length, true);
  return concat([length, head, ...contents.map(([, content]) => content)]);
}

Deno.test("what compiled code of a package draws or reads of the environment at its import is noticed", async () => {
  const { folder, cache } = await testInterpreter();
  const variable = [...new TextEncoder().encode("A_SETTING"), 0];
  const place = "/lib/packages/tabulate";
  const made = (draws: boolean) => {
    const module = extensionModule("tabulate", {}, {
      calls: { getentropy: [2, 1], getenv: [1, 1] },
      data: variable,
      begin: (at) => [
        ...(draws ? [...at.data(0), ...constant(4), ...at.call("getentropy"), 0x1a] : []),
        ...(draws ? [] : [...at.data(0), ...at.call("getenv"), 0x1a]),
      ],
    });
    const bytes = packed({
      [`${place}/tabulate.cpython-314-wasm32-emscripten.so`]: module,
      [`${place}/tabulate-1.0.dist-info/METADATA`]: "Name: tabulate\nVersion: 1.0\n",
    });
    const plan = { imports: [], modules: ["tabulate"] };
    return makeImage({ folder, cache }, plan, [{ name: "tabulate", bytes }]);
  };
  const drawing = await made(true);
  assertEquals(drawing.refused, {
    tabulate: "draws random values (tabulate.cpython-314-wasm32-emscripten.so)",
  });
  const reading = await made(false);
  assertEquals(reading.refused, {});
  assertEquals(reading.reads.filter((name) => name.startsWith("A_")), ["A_SETTING"]);
});
