import { assertEquals } from "@std/assert";
import { factsOf } from "./facts.ts";

const fixture = (name: string) => new URL(`../../fixtures/${name}`, import.meta.url);

Deno.test("the stand-in for ormsgpack answers as ormsgpack does", async () => {
  const ours = await factsOf(fixture("ormsgpack_facts.py"));
  assertEquals(ours, JSON.parse(await Deno.readTextFile(fixture("ormsgpack_facts.json"))));
});
