import { assertEquals } from "@std/assert";
import { chooseImage, type ImageCatalogue } from "../../../src/execution/hosts/images.ts";

const CATALOGUE: ImageCatalogue = {
  packages: {
    pydantic: { modules: ["pydantic"], requires: ["pydantic-core", "typing-extensions"] },
    "pydantic-core": { modules: ["pydantic_core"], requires: [] },
    fastapi: { modules: ["fastapi"], requires: ["pydantic", "starlette"] },
    starlette: { modules: ["starlette"], requires: [] },
    click: { modules: ["click"], requires: [] },
    loop: { modules: ["loop"], requires: ["pool"] },
    pool: { modules: ["pool"], requires: ["loop"] },
  },
  images: {
    pydantic: { packages: ["pydantic-core", "pydantic"], reads: [] },
    fastapi: { packages: ["pydantic-core", "pydantic", "starlette", "fastapi"], reads: [] },
    made: { packages: ["click", "starlette"], modules: ["click", "starlette.types"], reads: [] },
    reading: { packages: ["loop", "pool"], reads: ["LOOP_SIZE", "POOL_*"] },
  },
};

/** Files with nothing in them. */
const empty = (paths: string[]) => new Map(paths.map((path) => [path, new Uint8Array()]));

function choose(imports: string[] | null, files: string[] = ["main.py"]): string | null {
  return chooseImage(CATALOGUE, { imports, files: empty(files) });
}

Deno.test("a server gets the largest image of what it imports, itself or through a package", () => {
  assertEquals(choose(["pydantic", "os"]), "pydantic");
  assertEquals(choose(["fastapi"]), "fastapi");
  assertEquals(choose(["click", "pydantic_core"]), null);
  assertEquals(choose(["starlette", "pydantic"]), "pydantic");
});

Deno.test("a server gets no image when it imports nothing of one, or no scan said what it imports", () => {
  assertEquals(choose(["click", "unknown", "constructor", "__proto__"]), null);
  assertEquals(choose(["pool"]), "reading");
  assertEquals(choose([]), null);
  assertEquals(choose(null), null);
});

Deno.test("a server that brings a module of the same name gets no image with the package", () => {
  for (const path of ["pydantic.py", "src/pydantic/__init__.py", "lib/pydantic_core.pyi"]) {
    assertEquals(choose(["pydantic"], ["main.py", path]), null, path);
  }
  assertEquals(choose(["fastapi"], ["starlette/main.py"]), "pydantic");
  assertEquals(
    choose(["pydantic"], ["my_pydantic.py", "pydantic.md", "pydantic_core.txt"]),
    "pydantic",
  );
});

Deno.test("a server gets an image that was made for others only if it imports each module of it", () => {
  const choose = (imports: string[], modules: string[]) =>
    chooseImage(CATALOGUE, { imports, modules, files: empty(["main.py"]) });
  assertEquals(choose(["click", "starlette"], ["starlette.types"]), "made");
  assertEquals(choose(["click", "starlette"], ["starlette.types", "starlette.Other"]), "made");
  assertEquals(choose(["click", "starlette"], ["starlette.requests"]), null);
  // What requires starlette need not import this of it.
  assertEquals(choose(["fastapi", "click"], []), "fastapi");
});

Deno.test("a session that sets a variable which an image has read gets another image, or none", () => {
  const choose = (variables: string[]) =>
    chooseImage(CATALOGUE, { imports: ["loop"], files: empty(["main.py"]), variables });
  assertEquals(choose(["LOOP", "LOOP_SIZE_2", "POOL"]), "reading");
  for (const name of ["LOOP_SIZE", "POOL_", "POOL_SIZE"]) assertEquals(choose([name]), null, name);
  const images = { reading: { packages: ["loop", "pool"], reads: ["*"] } };
  const all = (variables: string[]) =>
    chooseImage({ ...CATALOGUE, images }, {
      imports: ["loop"],
      files: empty(["main.py"]),
      variables,
    });
  assertEquals(all([]), "reading");
  assertEquals(all(["X"]), null);
});

Deno.test("a server whose code may set a variable that an image has read gets no such image", () => {
  function chooseFor(source: string, path = "main.py", reads = ["LOOP_SIZE", "POOL_*"]) {
    const images = { reading: { packages: ["loop", "pool"], reads } };
    const files = new Map([[path, new TextEncoder().encode(source)]]);
    return chooseImage({ ...CATALOGUE, images }, { imports: ["loop"], files });
  }
  const setting: [string, string?][] = [
    ['os.environ["LOOP_SIZE"] = "1"\nimport loop'],
    ["os.environ.setdefault('LOOP_SIZE', '1')"],
    ["os.environ.update(LOOP_SIZE='1')"],
    ['os.environ["POOL_MORE"] = "1"'],
    ["LOOP_SIZE=1", ".env"],
    ["LOOP_SIZE=1", "config/.env.local"],
  ];
  for (const [source, path] of setting) assertEquals(chooseFor(source, path), null, source);
  assertEquals(chooseFor("import os, loop  # LOOP_SIZE is read\nos.environ['LOOP']"), "reading");
  assertEquals(chooseFor("LOOP_SIZE=1", "README.md"), "reading");
  assertEquals(chooseFor("import loop", "main.py", ["*"]), "reading");
  assertEquals(chooseFor("os.environ[f'{x}'] = ''", "main.py", ["*"]), null);
  // More than is searched may set any.
  assertEquals(chooseFor(" ".repeat(9 << 20)), null);
});
