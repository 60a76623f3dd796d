/** The examples of docs/keys.md. */
import { assertEquals } from "@std/assert";
import { UpdateServer } from "../../src/registry/schema.ts";
import { blocksOf } from "./guides/guide.ts";

Deno.test("the declaration that docs/keys.md shows is valid", async () => {
  const [declared] = (await blocksOf("docs/keys.md")).filter(({ language }) => language === "json");
  assertEquals(UpdateServer.safeParse(JSON.parse(declared!.code)).error, undefined);
});
