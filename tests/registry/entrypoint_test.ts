import { assertEquals } from "@std/assert";
import { CreateServer } from "../../src/registry/schema.ts";

function stored(entrypoint: string): string | null {
  const parsed = CreateServer.safeParse({
    name: "weather",
    version: "1.0.0",
    description: "Weather",
    lang: "python",
    license: "MIT",
    entrypoint,
    repository: { url: "https://github.com/acme/weather" },
  });
  return parsed.success ? parsed.data.entrypoint : null;
}

Deno.test("an entrypoint is stored in its plain form, whatever way it is spelt", () => {
  for (
    const [spelt, plain] of [
      ["server.py", "server.py"],
      ["./server.py", "server.py"],
      ["././server.py", "server.py"],
      [".//server.py", "server.py"],
      ["src//server.py", "src/server.py"],
      ["./src/./app///server.py", "src/app/server.py"],
      [".hidden/server.py", ".hidden/server.py"],
      ["./.github/server.py", ".github/server.py"],
    ] as const
  ) assertEquals(stored(spelt), plain, spelt);
});

Deno.test("an entrypoint that is not a file inside the repository is refused", () => {
  for (
    const spelt of [
      "",
      ".",
      "./",
      "/server.py",
      "//server.py",
      "src/",
      "src/.",
      "..",
      "../server.py",
      "./../server.py",
      "src/../server.py",
      "src\\server.py",
      "C:/server.py",
      "a\0b.py",
    ]
  ) assertEquals(stored(spelt), null, spelt);
});
