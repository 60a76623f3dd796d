import { now } from "../../src/clock.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createAdapter, endSignIns, sweep } from "../../src/issuer/adapter.ts";
import { describeDatabases } from "../helpers/database.ts";

class Used extends Error {}

describeDatabases((kind, open) => {
  Deno.test(`adapter: keeps, finds in every way, and forgets (${kind})`, async () => {
    const { sql, close } = await open();
    try {
      let time = Date.now();
      const deps = { sql, now: () => new Date(time), alreadyUsed: () => new Used() };
      const tokens = createAdapter(deps, "RefreshToken");
      const sessions = createAdapter(deps, "Session");
      const devices = createAdapter(deps, "DeviceCode");
      const payload = { jti: "secret", kind: "RefreshToken", accountId: "a", grantId: "g" };
      await tokens.upsert("secret", payload, 60);
      await sessions.upsert("s", { jti: "s", accountId: "a", uid: "u" }, 60);
      await devices.upsert("d", { jti: "d", userCode: "BCDF", grantId: "g" }, 60);
      assertEquals(await tokens.find("secret"), payload);
      assertEquals((await sessions.findByUid("u"))?.jti, "s");
      assertEquals((await devices.findByUserCode("BCDF"))?.jti, "d");
      assertEquals(await tokens.find("other"), undefined);
      assert(!JSON.stringify(await sql`select * from issuer_state`).includes("secret"));

      await tokens.revokeByGrantId("g");
      assertEquals(await tokens.find("secret"), undefined);
      assertEquals(await devices.find("d"), undefined);
      await endSignIns(sql, "a");
      assertEquals(await sessions.find("s"), undefined);

      await tokens.upsert("secret", payload, 60);
      time += 61_000;
      assertEquals(await tokens.find("secret"), undefined);
      await sweep(sql, new Date(time));
      assertEquals((await sql`select 1 from issuer_state`).length, 0);
    } finally {
      await close();
    }
  });

  Deno.test(`adapter: of many uses at once one succeeds, and the token is known as used (${kind})`, async () => {
    const { sql, close } = await open();
    try {
      const deps = { sql, now, alreadyUsed: () => new Used() };
      const codes = createAdapter(deps, "AuthorizationCode");
      await codes.upsert("code", { jti: "code", grantId: "g" }, 60);
      const uses = await Promise.allSettled(
        Array.from({ length: 20 }, () => codes.consume("code")),
      );
      assertEquals(uses.filter(({ status }) => status === "fulfilled").length, 1);
      assertEquals(typeof (await codes.find("code"))?.consumed, "number");
      await assertRejects(() => Promise.resolve(codes.consume("unknown")), Used);
    } finally {
      await close();
    }
  });
});
