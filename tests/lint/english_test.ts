import { assertEquals } from "@std/assert";
import plugin, { stumblesIn } from "./english.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

function faults(file: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, `${ROOT}${file}`, source).map((d) => d.message);
}

const STUMBLING = [
  "The database is not to be had",
  "1, of which 0 grave",
  "The code has 1 security hotspot(s)",
  "Use 2 address(es)",
  "berth.json has 3 faults",
  "at most so many",
  "it is the server whom you give the key",
  "weather is left as it is",
  "You have looked at many repositories",
  "The same again",
  "Look at it",
  "print what counts",
  "This sign-in does not count",
  '"x" is not understood',
  "There is no such user",
  "The server exists already",
  "The registry answered with status 500",
  "The stream broke off",
  "try again shortly",
  "wait a while",
  "called wrongly",
  "It is no JSON",
  "It was changed meanwhile",
  "Begin again",
  "The key cannot be had",
  "a system that the sandbox has not",
  "The answer is over 5 bytes, which is the limit",
  "let the server hold less at once",
  "perhaps for want of memory",
  "What a request answers is evaluated",
  "Parse what is wanted",
  "code that the data brings along",
  "A query is put together as text",
  "runs text that no scan can read",
  "Whoever controls part of the query",
  "nothing honest writes such a page",
  "open is handed on as a value",
  "Its values can be foreseen",
  "calls itself whatever it is given",
  "a client may make 20 a minute",
  "goes to somebody else than its issuer",
];

const PLAIN = [
  "The database is unavailable",
  "1 finding, 0 blocking",
  "not so many that it matters",
  "^items?(s)?$",
  "call(sum)",
  "Try again in a moment",
  "No matching servers",
  "Too many requests: a session may send 120 per minute",
  "Deno is handed only what it needs",
];

Deno.test("the English lint knows each of its words, and lets plain sentences be", () => {
  for (const text of STUMBLING) assertEquals(stumblesIn(text).length, 1, text);
  for (const text of PLAIN) assertEquals(stumblesIn(text), [], text);
});

Deno.test("the English lint reads texts, templates and JSX, over lines, and nothing else", () => {
  const texts = [
    'fail("The keys are not to be had");',
    "fail(`${name} is left as it is`);",
    "fail(`${path} has ${count} faults`);",
    "const page = <p>\n  Look\n  at it\n</p>;",
    'const page = <button title="The same again" />;',
  ];
  for (const source of texts) {
    assertEquals(faults("src/web/page.tsx", source).length, 1, source);
  }
  for (const source of ["// not to be had", "const grave = meanwhile();", 'import "./grave";']) {
    assertEquals(faults("src/web/page.tsx", source), []);
  }
  assertEquals(faults("tests/web/page_test.ts", 'const old = "The same again";'), []);
});
