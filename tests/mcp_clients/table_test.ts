/** The table of clients. */
import { assert, assertEquals } from "@std/assert";
import { isPulled, PULLED_CLIENTS } from "../../src/mcp_clients/names.ts";
import { questionsOf } from "../../src/mcp_clients/questions.ts";
import { addressEntry, CLIENT_TABLE } from "../../src/mcp_clients/table.ts";

const URL_OF_WEATHER = "https://berth.example/mcp?name=weather";

Deno.test("every client has an entry with the address, and headers only where there are some", () => {
  for (const [id, facts] of Object.entries(CLIENT_TABLE)) {
    const plain = addressEntry(facts, URL_OF_WEATHER, {});
    assert(Object.values(plain).includes(URL_OF_WEATHER), id);
    assert(!JSON.stringify(plain).includes("eaders"), id);
    const given = JSON.stringify(addressEntry(facts, URL_OF_WEATHER, { "X-Key": "value" }));
    assert(given.includes('"X-Key":"value"'), id);
  }
});

Deno.test("the clients that berth pull changes have a format that it can edit", () => {
  for (const name of PULLED_CLIENTS) {
    assert(isPulled(name));
    assert(["json", "toml"].includes(CLIENT_TABLE[name].format), name);
    assertEquals(CLIENT_TABLE[name].within, undefined, name);
  }
  assert(!isPulled("goose"));
});

Deno.test("questionsOf() asks in one line of bounded length, without characters that hide", () => {
  const description = `Key\n\u202efor ${"😀".repeat(200)}`;
  const [question] = questionsOf("weather", [{ name: "API_KEY", description, secret: true }]);
  assertEquals(question!.id, "berth-weather-API_KEY");
  assertEquals([...question!.description].length, 100);
  assert(question!.description.startsWith("Key for 😀"));
  assert(question!.description.isWellFormed());
});
