import { assertEquals } from "@std/assert";
import { audienceOf, isForRunningOnly, type OwnResources } from "../../src/issuer/resources.ts";

const APART: OwnResources = {
  publicUrl: "https://berth.example",
  workerUrl: "https://run.example",
  audience: "berth",
};
/** Both behind one name. */
const TOGETHER: OwnResources = {
  publicUrl: "https://berth.example/registry",
  workerUrl: "https://berth.example/run",
  audience: "berth",
};

Deno.test("audienceOf() knows its own resources by origin and path", async (t) => {
  const cases: [OwnResources, string, string | null][] = [
    [APART, "https://berth.example", "berth"],
    [APART, "https://berth.example/", "berth"],
    [APART, "https://berth.example/api/v1", "berth"],
    [APART, "https://run.example/mcp", "https://run.example/mcp"],
    [APART, "https://RUN.example:443/mcp?name=weather", "https://run.example/mcp"],
    [APART, "https://run.example", "https://run.example/mcp"],
    [APART, "https://run.example/mcpx", null],
    [APART, "https://run.example/other", null],
    [APART, "http://run.example/mcp", null],
    [APART, "https://run.example:8443/mcp", null],
    [APART, "https://run.example.evil.example/mcp", null],
    [APART, "https://evil.example/https://run.example/mcp", null],
    [APART, "", null],
    [APART, "urn:berth", null],
    [TOGETHER, "https://berth.example/registry/api/v1", "berth"],
    [TOGETHER, "https://berth.example/registryx", null],
    [TOGETHER, "https://berth.example/", null],
    [TOGETHER, "https://berth.example/run/mcp", "https://berth.example/run/mcp"],
    [TOGETHER, "https://berth.example/registry/../run/mcp", "https://berth.example/run/mcp"],
  ];
  for (const [own, resource, audience] of cases) {
    await t.step(`${resource} of ${own.publicUrl}`, () => {
      assertEquals(audienceOf(own, resource), audience);
    });
  }
});

Deno.test("isForRunningOnly() takes nothing for granted", () => {
  const run = "https://run.example/mcp";
  assertEquals(isForRunningOnly(APART, run), true);
  assertEquals(isForRunningOnly(APART, [run, `${run}?name=a`]), true);
  for (const other of [undefined, null, [], "berth", [run, "https://berth.example"], 1]) {
    assertEquals(isForRunningOnly(APART, other), false, String(other));
  }
});
