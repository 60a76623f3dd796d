import { assertEquals } from "@std/assert";
import { files, functionLines, longFunctions, longModules, MOST, wideFolders } from "./sizes.ts";

const PATHS = ["src", "workers"].flatMap((folder) => [...files(folder)]);

Deno.test("no folder of src/ or workers/ has more files than a reader takes in", () => {
  assertEquals(wideFolders(PATHS), []);
});

Deno.test("no module of src/ or workers/ is longer than 300 lines", () => {
  assertEquals(longModules(PATHS), []);
});

Deno.test("no function of src/ or workers/ is longer than 80 lines", () => {
  assertEquals(longFunctions(PATHS), []);
});

Deno.test("wideFolders() counts the files of each folder by itself", () => {
  const many = Array.from({ length: MOST.files }, (_, index) => `src/a/${index}.ts`);
  assertEquals(wideFolders([...many, "src/a/b/c.ts"]), []);
  assertEquals(wideFolders([...many, "src/a/more.sql"]), ["26 src/a"]);
});

Deno.test("functionLines() measures functions and methods of TypeScript, nested ones too", () => {
  const text = "class A {\n  b() {\n    return () => {\n      c();\n    };\n  }\n}\n";
  assertEquals(functionLines("x.ts", text), [[2, 5], [3, 3]]);
});

Deno.test("functionLines() measures functions of Python by their indent", () => {
  const text = "async def a(\n    b,\n):\n    def c():\n        pass\n\n    return c\n\n\nd = 1\n";
  assertEquals(functionLines("x.py", text), [[1, 7], [4, 2]]);
});
