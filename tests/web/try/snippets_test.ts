/** Calls to be copied, whatever their arguments say. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parseExact } from "../../../src/protocol/raw_json.ts";
import { callSnippets, type CopiedCall } from "../../../src/web/try/snippets.ts";

const CALL: CopiedCall = {
  server: "weather",
  url: "http://127.0.0.1:8001/mcp?name=weather",
  tool: "forecast",
  args: { city: "Saint-Étienne", days: 3, exact: true, more: null, list: [] },
  needsToken: false,
  variables: [],
};

function textOf(call: Partial<CopiedCall>, id: string): string {
  return callSnippets({ ...CALL, ...call }).find((one) => one.id === id)!.text;
}

/** The words that a shell makes of `command`. */
async function shellWords(command: string): Promise<string[]> {
  const script = `curl() { printf '%s\\0' "$@"; }; berth() { printf '%s\\0' "$@"; }; ${command}`;
  const { stdout } = await new Deno.Command("sh", { args: ["-c", script] }).output();
  return new TextDecoder().decode(stdout).split("\0").slice(0, -1);
}

const HOSTILE = { city: "'; touch /tmp/x; echo $(id) `id` \\ \"\n", "a'b": "$HOME" };

Deno.test("callSnippets() writes shell commands whose words are the arguments, and nothing else", async () => {
  const curl = await shellWords(textOf({ args: HOSTILE, tool: "it's" }, "curl"));
  const { params } = JSON.parse(curl.at(-1)!);
  assertEquals(params, { name: "it's", arguments: HOSTILE });
  const berth = await shellWords(textOf({ args: HOSTILE, tool: "it's" }, "berth"));
  assertEquals(berth.slice(0, 4), ["call", "weather", "it's", "--args-json"]);
  assertEquals(JSON.parse(berth[4]!), HOSTILE);
});

Deno.test("callSnippets() writes Python that Python reads, with the same values", async () => {
  const code = textOf({ args: { ...CALL.args as object, ...HOSTILE } }, "python");
  const literal = code.slice(code.indexOf("arguments = ") + 12, code.indexOf("            print("));
  const script = `import json\nprint(json.dumps(${literal.trim()}))`;
  const { stdout } = await new Deno.Command("python3", { args: ["-c", script] }).output();
  assertEquals(JSON.parse(new TextDecoder().decode(stdout)), {
    ...CALL.args as object,
    ...HOSTILE,
  });
  assertStringIncludes(code, "True");
});

Deno.test("callSnippets() keeps numbers as they were typed", () => {
  const args = parseExact('{"id":12345678901234567890}');
  for (const { text, id } of callSnippets({ ...CALL, args })) {
    assertStringIncludes(text, "12345678901234567890", id);
  }
});

Deno.test("callSnippets() names tokens and keys, never a value, and leaves out long arguments", () => {
  const call = { ...CALL, needsToken: true, variables: ["API_KEY"] };
  for (const { text, id } of callSnippets(call)) {
    assertStringIncludes(text, "API_KEY", id);
    if (id !== "berth") assertStringIncludes(text, "BERTH_TOKEN", id);
  }
  assertEquals(callSnippets({ ...CALL, args: { text: "x".repeat(30_000) } }), []);
  assert(callSnippets(CALL).every(({ text }) => !text.includes("BERTH_TOKEN")));
});
