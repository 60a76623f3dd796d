import { now } from "../../src/clock.ts";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { AppError } from "../../src/errors.ts";
import type { IdentityDeps } from "../../src/identity/caller.ts";
import { createKeySet } from "../../src/identity/key_set.ts";
import { createRequestLimits } from "../../src/limits/requests.ts";
import { limitServices } from "../../src/services/rate_limits.ts";
import { describeDatabases, silentLog } from "../helpers/database.ts";
import { observed } from "../helpers/observed_sql.ts";
import { startTokenIssuer } from "../helpers/token_issuer.ts";

describeDatabases((kind, open) => {
  Deno.test(`a counted request takes one statement, its caller included (${kind})`, async () => {
    const database = await open();
    const issuer = await startTokenIssuer();
    const { sql, asked } = observed(database.sql);
    const identity: IdentityDeps = {
      sql,
      now,
      admins: { subjects: [], claim: null },
      issued: { isRevoked: () => false, noteUse() {} },
      provider: {
        findKey: createKeySet({ issuer: issuer.url, fetch, log: silentLog }),
        rules: { issuer: issuer.url, audiences: [issuer.audience], providerClaim: "firebase" },
      },
    };
    const rules = { RATE_LIMIT_PUBLIC: 10, RATE_LIMIT_AUTHENTICATED: 10 };
    const limits = limitServices(rules, identity);
    const header = `Bearer ${await issuer.mint({ sub: "ada", email: "ada@example.com" })}`;
    try {
      // The first request makes the user.
      const first = await limits.countCaller(header);
      assertEquals([first.caller.username, first.counted.quota.remaining], ["ada", 9]);
      asked.length = 0;
      const { caller, counted } = await limits.countCaller(header);
      assertEquals([caller.username, counted.quota.remaining], ["ada", 8]);
      assertEquals(asked.length, 1, asked.join("\n"));
      assertMatch(asked[0]!, /from take_hits\(.* left join catalogue .* left join users /);
      asked.length = 0;
      await assertRejects(() => limits.countCaller("Bearer a.b.c"), AppError);
      assertEquals(asked, []);
      await limits.countAddress("192.0.2.1");
      assertEquals(asked.length, 1, asked.join("\n"));
    } finally {
      await issuer.close();
      await database.close();
    }
  });

  Deno.test(`a flood over the limit asks the database every ten seconds (${kind})`, async () => {
    const database = await open();
    const { sql, asked } = observed(database.sql);
    let time = Date.UTC(2026, 0, 1);
    const rules = { public: 1, authenticated: 1 };
    const limits = createRequestLimits({ sql, now: () => new Date(time) }, rules);
    const answer = async () => {
      const { quota: { allowed, waitSeconds } } = await limits.takeAddress("192.0.2.1");
      return [allowed, waitSeconds, asked.length];
    };
    try {
      assertEquals(await answer(), [true, 3600, 1]);
      assertEquals(await answer(), [false, 3600, 2]);
      time += 9_999;
      assertEquals(await answer(), [false, 3591, 2]);
      time += 1;
      assertEquals(await answer(), [false, 3590, 3]);
      // Somebody else is not refused for it.
      assertEquals((await limits.takeAddress("192.0.2.2")).quota.allowed, true);
      time += 3_589_000;
      assertEquals(await answer(), [false, 1, 5]);
      time += 999;
      assertEquals(await answer(), [false, 1, 5]);
      time += 1;
      assertEquals(await answer(), [true, 3600, 6]);
    } finally {
      await database.close();
    }
  });
});
