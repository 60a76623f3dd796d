import { assertEquals } from "@std/assert";
import { factsOf } from "../../workers/python/facts.ts";

Deno.test("mcp.types has every name, field and constant that the SDK exports", async () => {
  const ours = await factsOf(new URL("types_facts.py", import.meta.url));
  const text = await Deno.readTextFile(new URL("types.json", import.meta.url));
  const theirs = JSON.parse(text) as Record<string, unknown>;
  const shared = Object.keys(theirs).map((name) => [name, ours[name] ?? null]);
  assertEquals(Object.fromEntries(shared), theirs);
});
