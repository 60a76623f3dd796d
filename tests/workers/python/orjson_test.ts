import { assertEquals } from "@std/assert";
import { factsOf } from "./facts.ts";

const fixture = (name: string) => new URL(`../../fixtures/${name}`, import.meta.url);

Deno.test("the stand-in for orjson answers as orjson does", async () => {
  const ours = await factsOf(fixture("orjson_facts.py"));
  assertEquals(ours, JSON.parse(await Deno.readTextFile(fixture("orjson_facts.json"))));
});
