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
    pydantic: { packages: ["pydantic-core", "pydantic"] },
    fastapi: { packages: ["pydantic-core", "pydantic", "starlette", "fastapi"] },
  },
};

function choose(imports: string[] | null, files: string[] = ["main.py"]): string | null {
  return chooseImage(CATALOGUE, { imports, files });
}

Deno.test("a server gets the largest image of what it imports, itself or through a package", () => {
  assertEquals(choose(["pydantic", "os"]), "pydantic");
  assertEquals(choose(["fastapi"]), "fastapi");
  assertEquals(choose(["click", "pydantic_core"]), null);
  assertEquals(choose(["starlette", "pydantic"]), "pydantic");
});

Deno.test("a server gets no image when it imports nothing of one, or no scan said what it imports", () => {
  assertEquals(choose(["click", "unknown", "constructor", "__proto__"]), null);
  assertEquals(choose(["loop"]), null);
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
