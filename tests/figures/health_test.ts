import { assertEquals, assertRejects } from "@std/assert";
import { createHealth, wallsHealth } from "../../src/figures/health.ts";

const NOW = new Date("2026-03-10T12:00:00Z");

Deno.test("a part does as its last answer says", async () => {
  const health = createHealth(() => NOW);
  assertEquals(health.read().get("code_host")?.state, "unused");
  const cases = [[200, "works"], [404, "works"], [302, "works"], [500, "fails"], [429, "fails"]];
  for (const [status, state] of [...cases, [403, "fails"]] as [number, string][]) {
    const fetch = health.watch("code_host", () => Promise.resolve(new Response(null, { status })));
    await fetch("http://example.com");
    assertEquals(health.read().get("code_host"), {
      state: state as "works",
      at: NOW,
      detail: `It answered with ${status}`,
    });
  }
});

Deno.test("a part that does not answer fails, unless the caller gave up", async () => {
  const health = createHealth(() => NOW);
  const fetch = health.watch("advisories", (_, init) => {
    init?.signal?.throwIfAborted();
    return Promise.reject(new TypeError("secret address"));
  });
  await assertRejects(() => fetch("http://x", { signal: AbortSignal.abort() }));
  assertEquals(health.read().get("advisories")?.state, "unused");
  const timeout = AbortSignal.abort(new DOMException("late", "TimeoutError"));
  await assertRejects(() => fetch("http://x", { signal: timeout }));
  await assertRejects(() => fetch("http://x"), TypeError);
  assertEquals(health.read().get("advisories")?.detail, "It did not answer");
});

Deno.test("missing walls are named", () => {
  assertEquals(wallsHealth([]).state, "works");
  assertEquals(wallsHealth([{ wall: "no network" }, { wall: "another user" }]), {
    state: "weak",
    detail: "Missing: no network, another user",
  });
});
