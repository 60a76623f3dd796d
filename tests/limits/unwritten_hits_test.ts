import { assertEquals } from "@std/assert";
import { createRequestLimits } from "../../src/limits/requests.ts";
import { countUnwritten } from "../../src/limits/unwritten_hits.ts";
import { describeDatabases } from "../helpers/database.ts";

describeDatabases((kind, open) => {
  Deno.test(`while the database takes no writes, requests are counted in memory (${kind})`, async () => {
    const { sql, close } = await open();
    let isReadOnly = false;
    // As the server says it, whose whole installation would have to be set.
    const asked = new Proxy(sql, {
      apply(target, self, [strings, ...values]) {
        if (!isReadOnly || !strings.join("").includes("take_hits")) {
          return Reflect.apply(target, self, [strings, ...values]);
        }
        return Promise.reject(Object.assign(new Error("read-only"), { code: "25006" }));
      },
    });
    const limits = createRequestLimits({ sql: asked }, { public: 2, authenticated: 3 });
    try {
      await sql`insert into users (subject, username, created_at) values ('u-1', 'ada', now())`;
      assertEquals((await limits.takeUser("u-1")).quota.remaining, 2);
      isReadOnly = true;
      const { user, quota } = await limits.takeUser("u-1");
      assertEquals([user?.username, quota.allowed, quota.remaining], ["ada", true, 2]);
      const answers = [];
      for (let i = 0; i < 3; i++) answers.push((await limits.takeAddress("192.0.2.1")).quota);
      assertEquals(answers.map(({ allowed }) => allowed), [true, true, false]);
      isReadOnly = false;
      assertEquals((await limits.takeUser("u-1")).quota.remaining, 1);
    } finally {
      await close();
    }
  });

  Deno.test(`windows in memory hold what they hold, and begin anew when they are over (${kind})`, async () => {
    const { sql, close } = await open();
    let time = 0;
    const count = countUnwritten({ sql }, 10, () => time);
    const ask = async (key: string) => (await count({ key, max: 2, subject: null })).taken;
    try {
      const taken = [await ask("a"), await ask("a"), await ask("a"), await ask("b")];
      assertEquals(taken.map(({ allowed }) => allowed), [true, true, false, true]);
      time = 4000;
      assertEquals(await ask("a"), { allowed: false, remaining: 0, waitMs: 6000 });
      time = 10_000;
      assertEquals((await ask("a")).allowed, true);
    } finally {
      await close();
    }
  });
});
