import { assertEquals, assertStringIncludes } from "@std/assert";
import { namedScan } from "../helpers/capable_servers.ts";
import { serverInput } from "../helpers/registry.ts";
import { openRealApp } from "./real_services.ts";

const LIST = "/api/v1/capabilities";
const ANSWER = "/api/v1/servers/sql-store/capabilities";
const ALLOW = { answer: "allow", capabilities: ["sql"], reason: "Public figures only" };

Deno.test("administrators list and answer capabilities over HTTP, and nobody else does", async () => {
  const real = await openRealApp({ scan: namedScan });
  try {
    real.registry.policy = { ...real.registry.policy, capabilities: "ask" };
    const { send } = real;
    await send("POST", "/api/v1/servers", { as: "ada", body: serverInput("sql-store") });

    for (const [method, path] of [["GET", LIST], ["PUT", ANSWER]] as const) {
      const body = method === "PUT" ? { body: ALLOW } : {};
      assertEquals((await send(method, path, body)).status, 401, path);
      assertEquals((await send(method, path, { as: "ada", ...body })).status, 403, path);
    }
    const listed = await (await send("GET", LIST, { as: "root" })).json();
    assertEquals([listed.total, listed.servers[0].name, listed.servers[0].state], [
      1,
      "sql-store",
      "waiting",
    ]);
    assertEquals(JSON.stringify(listed).includes("user_id"), false);

    for (
      const body of [
        { ...ALLOW, reason: "" },
        { ...ALLOW, reason: "a\u202eb" },
        { ...ALLOW, answer: "perhaps" },
        { ...ALLOW, capabilities: [] },
        { ...ALLOW, capabilities: ["network"] },
        { ...ALLOW, more: 1 },
      ]
    ) {
      const response = await send("PUT", ANSWER, { as: "root", body });
      assertEquals(response.status, 400, JSON.stringify(body));
      await response.body?.cancel();
    }
    const other = await send("PUT", ANSWER, {
      as: "root",
      body: { ...ALLOW, capabilities: ["code"] },
    });
    assertEquals(other.status, 409);
    assertStringIncludes((await other.json()).detail, "Now: sql");
    const nowhere = "/api/v1/servers/nowhere/capabilities";
    assertEquals((await send("PUT", nowhere, { as: "root", body: ALLOW })).status, 404);

    const before = await (await send("GET", "/api/v1/servers/sql-store")).json();
    assertEquals(before.server.capability_decision.state, "waiting");
    const answered = await send("PUT", ANSWER, { as: "root", body: ALLOW });
    assertEquals(answered.status, 200);
    assertEquals((await answered.json()).capability_decision.state, "allowed");
    // What was kept in memory is not given after the answer.
    const after = await (await send("GET", "/api/v1/servers/sql-store")).json();
    assertEquals(after.server.capability_decision.reason, "Public figures only");

    const audit = await (await send("GET", "/api/v1/servers/sql-store/audit", { as: "ada" }))
      .json();
    assertEquals(audit.entries[0].action, "capability.allow");
    assertEquals(audit.entries[0].details.reason, "Public figures only");
    // A record is accepted as it came.
    const back = await send("PUT", "/api/v1/servers/sql-store", {
      as: "ada",
      body: { ...after.server, description: "Changed" },
    });
    assertEquals(back.status, 200, await back.text());
  } finally {
    await real.close();
  }
});
