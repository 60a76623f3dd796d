/** Sessions of browsers while their tokens end and are renewed. */
import { assert, assertEquals } from "@std/assert";
import { AppError } from "../../src/errors.ts";
import { beginSession, openSession } from "../../src/web/session/sessions.ts";
import { freshToken } from "../../src/web/session/refresh.ts";
import { endWebSessions, removeExpired } from "../../src/web/session/store.ts";
import type { SignInProvider, TokenOutcome } from "../../src/web/sign_in/provider.ts";
import { describeDatabases } from "../helpers/database.ts";
import { recordingLogger } from "../helpers/log.ts";
import { callerOf } from "../helpers/registry.ts";
import type { Database } from "../../src/database/open.ts";
import type { SessionDeps } from "../../src/web/session/tokens.ts";

const MINUTE = 60_000;

/** A provider whose tokens are `at-1`, `at-2`, …; each is accepted for an hour. */
function bench(database: Database) {
  const clock = { now: Date.parse("2026-01-01T00:00:00Z") };
  const issued = new Map<string, number>();
  const used: string[] = [];
  let count = 0;
  let answer: () => Promise<TokenOutcome> = () => Promise.resolve(tokens());

  function tokens(): TokenOutcome & { kind: "tokens" } {
    count++;
    issued.set(`at-${count}`, clock.now);
    return {
      kind: "tokens",
      tokens: { access_token: `at-${count}`, refresh_token: `rt-${count}` },
    };
  }
  const deps: SessionDeps = {
    sql: database.sql,
    now: () => new Date(clock.now),
    log: recordingLogger().log,
    provider: {
      async refresh(token: string) {
        used.push(token);
        return await answer();
      },
    } as Partial<SignInProvider> as SignInProvider,
    authenticate(bearer) {
      const at = issued.get(bearer);
      if (at === undefined) throw new AppError("invalid_token", "unknown");
      const expiresAt = new Date(at + 60 * MINUTE);
      if (expiresAt.getTime() <= clock.now) throw new AppError("expired_token", "expired");
      return Promise.resolve(callerOf("ada", { expiresAt, tokenDigest: bearer }));
    },
    authenticateIdentity: () => Promise.reject(new AppError("invalid_token", "none")),
  };
  return {
    deps,
    used,
    clock,
    issued,
    answerWith(next: typeof answer) {
      answer = next;
    },
    tokens,
    async begin() {
      const { tokens: first } = tokens();
      const caller = await deps.authenticate(first.access_token);
      const held = { bearer: first.access_token, refresh: first.refresh_token!, forApi: true };
      return await beginSession(deps, { tokens: held, caller });
    },
    open: (secret: string) => openSession(deps, secret, null),
  };
}

describeDatabases((kind, open) => {
  Deno.test(`web sessions are renewed before their token ends, once for requests that come together (${kind})`, async () => {
    const database = await open();
    try {
      const test = bench(database);
      const secret = await test.begin();
      assertEquals((await test.open(secret))?.caller.tokenDigest, "at-1");
      test.clock.now += 54 * MINUTE;
      await test.open(secret);
      assertEquals(test.used, []);

      test.clock.now += 2 * MINUTE;
      const early = await Promise.all([1, 2, 3, 4].map(() => test.open(secret)));
      assertEquals(early.every((one) => one !== null), true);
      assertEquals(test.used, ["rt-1"]);

      test.clock.now += 70 * MINUTE;
      const late = await Promise.all([1, 2, 3, 4].map(() => test.open(secret)));
      assertEquals(late.map((one) => one?.caller.tokenDigest), ["at-3", "at-3", "at-3", "at-3"]);
      assertEquals(test.used, ["rt-1", "rt-2"]);
    } finally {
      await database.close();
    }
  });

  Deno.test(`web sessions are kept without their secret and tokens, and open with no other secret (${kind})`, async () => {
    const database = await open();
    try {
      const test = bench(database);
      const secrets = [await test.begin(), await test.begin()];
      const rows = await database.sql`
        select id, subject, encode(tokens, 'escape') as tokens from web_sessions`;
      assertEquals(rows.length, 2);
      const text = JSON.stringify(rows);
      for (const hidden of [...secrets, "at-1", "rt-1"]) assert(!text.includes(hidden), hidden);

      // Rows whose sealed tokens have changed places are of no use to either browser.
      const [first, second] = rows.map(({ id }) => id as string);
      await database.sql`
        update web_sessions set tokens = (
          select tokens from web_sessions other where other.id != web_sessions.id)`;
      for (const secret of [...secrets, first!, second!]) {
        assertEquals(await test.open(secret), null);
      }
    } finally {
      await database.close();
    }
  });

  Deno.test(`web sessions outlast a provider that is out of reach, and end with its refusal (${kind})`, async () => {
    const database = await open();
    try {
      const test = bench(database);
      const secret = await test.begin();
      test.answerWith(() => Promise.reject(new Error("connection refused")));
      test.clock.now += 57 * MINUTE;
      assertEquals((await test.open(secret))?.caller.tokenDigest, "at-1");
      test.clock.now += 10 * MINUTE;
      try {
        await test.open(secret);
        assert(false, "a session whose token has ended was accepted");
      } catch (error) {
        assertEquals(error instanceof AppError && error.code, "unavailable");
      }
      test.answerWith(() => Promise.resolve(test.tokens()));
      assertEquals((await test.open(secret))?.caller.tokenDigest, "at-2");

      test.answerWith(() => Promise.resolve({ kind: "refused", reason: "invalid_grant" }));
      test.clock.now += 70 * MINUTE;
      assertEquals(await test.open(secret), null);
      test.answerWith(() => Promise.resolve(test.tokens()));
      assertEquals(await test.open(secret), null);
    } finally {
      await database.close();
    }
  });

  Deno.test(`web sessions end with revoked tokens, after a week without use and after 30 days (${kind})`, async () => {
    const database = await open();
    try {
      const test = bench(database);
      const revoked = await test.begin();
      test.issued.clear();
      assertEquals(await test.open(revoked), null);

      const idle = await test.begin();
      test.clock.now += 8 * 24 * 60 * MINUTE;
      assertEquals(await test.open(idle), null);

      const long = await test.begin();
      for (let day = 0; day < 29; day++) {
        test.clock.now += 24 * 60 * MINUTE;
        assert(await test.open(long) !== null, `day ${day}`);
      }
      test.clock.now += 2 * 24 * 60 * MINUTE;
      assertEquals(await test.open(long), null);

      const everywhere = await test.begin();
      await endWebSessions(database.sql, "user-ada");
      assertEquals(await test.open(everywhere), null);
      for (const secret of ["", "x", "A".repeat(43), undefined]) {
        assertEquals(await openSession(test.deps, secret, null), null);
      }
      await removeExpired(database.sql, test.deps.now());
      const [left] = await database.sql`select count(*)::int as count from web_sessions`;
      assertEquals(left!["count"], 0);
    } finally {
      await database.close();
    }
  });

  Deno.test(`a token for use elsewhere leaves the session its own, and the grant's next refresh token (${kind})`, async () => {
    const database = await open();
    try {
      const test = bench(database);
      const secret = await test.begin();
      const session = (await test.open(secret))!;
      const ask = () => freshToken(test.deps, { id: session.id, secret, client: null });
      assertEquals(await ask(), { kind: "token", accessToken: "at-2" });
      assertEquals((await test.open(secret))?.caller.tokenDigest, "at-1");
      assertEquals(await ask(), { kind: "token", accessToken: "at-3" });
      assertEquals(test.used, ["rt-1", "rt-2"]);
      test.answerWith(() => Promise.resolve({ kind: "refused", reason: "invalid_grant" }));
      assertEquals(await ask(), { kind: "none" });
      test.answerWith(() =>
        Promise.resolve({ kind: "tokens", tokens: { access_token: "opaque" } })
      );
      assertEquals(await ask(), { kind: "none" });
    } finally {
      await database.close();
    }
  });
});
