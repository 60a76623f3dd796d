import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { createImages } from "../../../workers/session/images.ts";

const PATH = "/lib/packages/fast/fast.so";
const FILES = {
  fast: { pages: "image-fast", libraries: [{ path: PATH, package: "fast" }] },
  plain: { pages: "image-plain", libraries: [] },
  lost: { pages: "image-lost", libraries: [{ path: "/lib/other.so", package: "fast" }] },
};
/** The shortest module. */
const MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

function packed(files: [path: string, bytes: Uint8Array][]): Uint8Array {
  const head = new TextEncoder().encode(
    JSON.stringify(files.map(([path, bytes]) => [path, bytes.length])),
  );
  const length = new Uint8Array(new Uint32Array([head.length]).buffer);
  return Uint8Array.from([...length, ...head, ...files.flatMap(([, bytes]) => [...bytes])]);
}

/** Images, and how often a file was read. */
function testImages(module = MODULE) {
  const reads: string[] = [];
  const images = createImages(FILES, {
    pages: (file) => `/interpreter/${file}`,
    made: (name) => Promise.reject(new Error(`${name} was not made`)),
    package(name) {
      reads.push(name);
      return Promise.resolve(packed([["/lib/packages/fast/x.py", MODULE], [PATH, module]]));
    },
  });
  return { images, reads };
}

Deno.test("a host compiles the modules of an image once, and names its pages to each interpreter", async () => {
  const { images, reads } = testImages();
  images.makeReady(["fast", "unknown"]);
  const [first, second] = [await images.take("fast", {}), await images.take("fast", {})];
  assertEquals(reads, ["fast"]);
  assertStrictEquals(first!.libraries[0]!.module, second!.libraries[0]!.module);
  assertEquals(first!.libraries[0]!.path, PATH);
  assertEquals([first!.pages, second!.pages], [
    "/interpreter/image-fast",
    "/interpreter/image-fast",
  ]);
});

Deno.test("a host compiles nothing more once it has a server", async () => {
  const { images, reads } = testImages();
  assertEquals(await images.take(null, {}), null);
  images.makeReady(["fast"]);
  assertEquals(reads, []);
  assertEquals((await images.take("plain", {}))!.libraries, []);
});

Deno.test("an image that is not there, or whose module cannot be had, is an error", async () => {
  const { images } = testImages();
  await assertRejects(() => images.take("toString", {}), Error, "No such image");
  await assertRejects(() => images.take("lost", {}), Error, "No file /lib/other.so");
  const broken = testImages(Uint8Array.of(1, 2, 3));
  broken.images.makeReady(["fast"]);
  await assertRejects(() => broken.images.take("fast", {}), WebAssembly.CompileError);
});
