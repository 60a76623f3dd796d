/** What a stranger writes of a tool is read for pages in the process that everything else runs in. */
import { assertEquals } from "@std/assert";
import { readDocstring, readType } from "../../src/web/server/tools/annotated.ts";
import { parseSignature } from "../../src/web/server/tools/signature.ts";
import { Linked } from "../../src/web/try/result/linked.tsx";

const SPACES = " ".repeat(2000);

// Without bounds on what is tried, each of these takes minutes to years.
const DOCSTRINGS: readonly [what: string, text: string][] = [
  ["a parameter and white space", `:param x${SPACES}\r`],
  ["white space on both sides of a colon", `Args:\n x${SPACES}:${SPACES}y\r`],
  ["a section and white space", `Args${SPACES.repeat(100)}x`],
  ["one long word", `:param ${"x".repeat(200_000)}\r`],
  ["brackets that never close", `@param ${"{".repeat(200_000)}`],
];

for (const [what, text] of DOCSTRINGS) {
  Deno.test(`a docstring of ${what} is read at once`, () => {
    readDocstring(text);
  });
}

Deno.test("a text of escapes that never ends is no description, and read at once", () => {
  const type = `Annotated[str, Field(description="${"\\a".repeat(600)}")]`;
  assertEquals(readType(type).description, null);
});

Deno.test("a type of opened brackets has no choices, and is read at once", () => {
  assertEquals(readType("Literal[".repeat(50_000)).choices, []);
});

Deno.test("a signature of white space is read at once", () => {
  assertEquals(parseSignature(`f()${" ".repeat(3900)}x`)?.returns, null);
});

Deno.test("addresses that end in much punctuation are linked at once", () => {
  const address = `https://a${"!".repeat(1980)}a`;
  const text = `${address}!! `.repeat(100);
  const links = `${Linked({ text })}`.split("<a ").length - 1;
  assertEquals(links, 100);
});
