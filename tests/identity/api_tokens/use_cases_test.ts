import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  authorizeToken,
  createToken,
  LIVE_TOKENS_MAX,
} from "../../../src/identity/api_tokens/create.ts";
import { removeDenied } from "../../../src/identity/api_tokens/denied_store.ts";
import { listTokens } from "../../../src/identity/api_tokens/list.ts";
import { revokeAllTokens, revokeToken } from "../../../src/identity/api_tokens/revoke.ts";
import { removeEnded } from "../../../src/identity/api_tokens/store.ts";
import type { Caller } from "../../../src/identity/caller.ts";
import { describeDatabases } from "../../helpers/database.ts";
import { refusal } from "../../helpers/registry.ts";
import { type Bench, type Node, openBench } from "./harness.ts";

const CONTEXT = { requestId: "request-1" };
const INPUT = { name: "Build server", expires_in: 3600 };

describeDatabases((kind, open) => {
  function test(name: string, body: (bench: Bench, node: Node) => Promise<void>): void {
    Deno.test(`${name} (${kind})`, async () => {
      await using bench = await openBench(await open());
      await using node = await bench.startNode();
      await body(bench, node);
    });
  }

  async function signIn({ issuer, clock }: Bench, node: Node, sub = "ada"): Promise<Caller> {
    return await node.check(await issuer.mint({ sub }, { now: clock.time }));
  }

  test(
    "createToken() gives a token that is accepted, and keeps only its digest",
    async (bench, node) => {
      const caller = await signIn(bench, node);
      const made = await createToken(node.deps, caller, INPUT, CONTEXT);
      const again = await node.check(made.accessToken);
      assertEquals([again.userId, again.username], ["ada", "ada"]);
      assertEquals([made.token.name, made.expiresIn, made.token.current], [
        "Build server",
        3600,
        false,
      ]);
      const { sql } = bench.database;
      const stored = JSON.stringify([
        await sql`select * from api_tokens`,
        await sql`select * from audit_log`,
      ]);
      for (const part of made.accessToken.split(".")) assert(!stored.includes(part));
      const [entry] = await sql`select actor, action, subject from audit_log`;
      assertEquals({ ...entry }, { actor: "ada", action: "token.create", subject: made.token.id });
    },
  );

  test("createToken() keeps the sign-in's time, which ends after 30 days", async (bench, node) => {
    const { clock } = bench;
    let caller = await signIn(bench, node);
    const signedIn = caller.authTime!;
    // Each day's token is got with a fresh one of that day, whose sign-in is the first one's.
    for (const day of [10, 29]) {
      clock.time = new Date(signedIn.getTime() + day * 86_400_000);
      caller = { ...caller, expiresAt: new Date(clock.time.getTime() + 3_600_000) };
      const made = await createToken(node.deps, caller, INPUT, CONTEXT);
      caller = await node.check(made.accessToken);
      assertEquals(caller.authTime, signedIn);
    }
    clock.time = new Date(signedIn.getTime() + 30 * 86_400_000);
    const error = await refusal(() => createToken(node.deps, caller, INPUT, CONTEXT), "forbidden");
    assertEquals(error.details, { required: "recent sign-in", current: "user" });
    await refusal(() => Promise.try(() => authorizeToken(node.deps, caller)), "forbidden");
  });

  test("createToken() names the provider where tokens come from elsewhere", async (bench, node) => {
    const caller = await signIn(bench, node);
    const external = { ...node.deps, minter: null, provider: "https://id.example.com" };
    const error = await refusal(() => createToken(external, caller, INPUT, CONTEXT), "conflict");
    assertMatch(error.message, /Sign in at https:\/\/id\.example\.com and get an access token/);
    assertEquals(await listTokens(node.deps, caller), []);
  });

  test("createToken() keeps to the limit, also for requests at once", async (bench, node) => {
    const caller = await signIn(bench, node);
    const other = await signIn(bench, node, "bob");
    async function make() {
      return await createToken(node.deps, caller, INPUT, CONTEXT);
    }
    const outcomes = await Promise.allSettled(
      Array.from({ length: LIVE_TOKENS_MAX + 8 }, make),
    );
    const made = outcomes.flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
    assertEquals(made.length, LIVE_TOKENS_MAX);
    const error = await refusal(make, "conflict");
    assertMatch(error.message, /50 live tokens/);
    await createToken(node.deps, other, INPUT, CONTEXT);
    await revokeToken(node.deps, caller, made[0]!.token.id, CONTEXT);
    await make();
    await refusal(make, "conflict");
    bench.clock.time = new Date(bench.clock.time.getTime() + 3_600_000);
    await make();
  });

  test("listTokens() shows a user's own, with what became of them", async (bench, node) => {
    const { clock } = bench;
    const caller = await signIn(bench, node);
    const other = await signIn(bench, node, "bob");
    await createToken(node.deps, other, INPUT, CONTEXT);
    const first = await createToken(node.deps, caller, { name: "1", expires_in: 60 }, CONTEXT);
    clock.time = new Date(clock.time.getTime() + 1000);
    const second = await createToken(node.deps, caller, { name: "2", expires_in: 600 }, CONTEXT);
    await revokeToken(node.deps, caller, first.token.id, CONTEXT);
    const usingSecond = await node.check(second.accessToken);
    await node.uses.flush();
    const listed = await listTokens(node.deps, usingSecond);
    const at = clock.time.toISOString();
    assertEquals(listed.map((one) => [one.name, one.current, one.revoked_at, one.last_used_at]), [
      ["2", true, null, at],
      ["1", false, at, null],
    ]);
    assertEquals(listed[0]!.expires_at, new Date(clock.time.getTime() + 600_000).toISOString());
    clock.time = new Date(clock.time.getTime() + 25 * 3_600_000);
    assertEquals(await listTokens(node.deps, caller), []);
    await removeEnded(bench.database.sql, clock.time);
    await removeDenied(bench.database.sql, clock.time);
    assertEquals((await bench.database.sql`select 1 from api_tokens`).length, 0);
    assertEquals((await bench.database.sql`select 1 from revoked_tokens`).length, 0);
  });

  test("a token's use is written once a minute", async (bench, node) => {
    const { clock } = bench;
    const caller = await signIn(bench, node);
    const { accessToken } = await createToken(node.deps, caller, INPUT, CONTEXT);
    async function lastUsed(): Promise<number> {
      await node.check(accessToken);
      await node.uses.flush();
      const [token] = await listTokens(node.deps, caller);
      return Date.parse(token!.last_used_at!) - start;
    }
    const start = clock.time.getTime();
    const seen: number[] = [];
    for (const seconds of [0, 1, 59, 60, 61, 119, 200]) {
      clock.time = new Date(start + seconds * 1000);
      seen.push(await lastUsed());
    }
    assertEquals(seen, [0, 0, 0, 60, 60, 60, 200].map((seconds) => seconds * 1000));
  });

  test("revokeToken() ends a token at once, in every spelling", async (bench, node) => {
    const caller = await signIn(bench, node);
    const { accessToken, token } = await createToken(node.deps, caller, INPUT, CONTEXT);
    await node.check(accessToken);
    await revokeToken(node.deps, caller, token.id, CONTEXT);
    for (const spelling of [accessToken, twin(accessToken)]) {
      const error = await refusal(() => node.check(spelling), "invalid_token");
      assertEquals(error.details, { reason: "revoked" });
      assertEquals(
        error.headers["WWW-Authenticate"],
        'Bearer realm="berth", error="invalid_token", error_description="revoked"',
      );
    }
    // The same again changes nothing, and neither does a late one.
    await revokeToken(node.deps, caller, token.id, CONTEXT);
    bench.clock.time = new Date(bench.clock.time.getTime() + 3_600_000);
    await revokeToken(node.deps, caller, token.id, CONTEXT);
    const actions = await bench.database.sql`select action from audit_log order by id`;
    assertEquals(actions.map(({ action }) => action), ["token.create", "token.revoke"]);
    await refusal(() => node.check(accessToken), "expired_token");
  });

  test("revokeToken() ends the request's own token, wherever it came from", async (bench, node) => {
    const { clock, issuer } = bench;
    const token = await issuer.mint({ sub: "ada" }, { now: clock.time });
    const kept = await issuer.mint({ sub: "ada" }, { now: clock.time });
    const caller = await node.check(token);
    await revokeToken(node.deps, caller, "current", CONTEXT);
    await refusal(() => node.check(token), "invalid_token");
    await node.check(kept);
    assertEquals(await listTokens(node.deps, caller), []);
  });

  test("revokeAllTokens() ends everything that was issued until then", async (bench, node) => {
    const { clock, issuer } = bench;
    const elsewhere = await issuer.mint({ sub: "ada" }, { now: clock.time });
    clock.time = new Date(clock.time.getTime() + 60_000);
    const caller = await signIn(bench, node);
    const other = await issuer.mint({ sub: "bob" }, { now: clock.time });
    const { accessToken } = await createToken(node.deps, caller, INPUT, CONTEXT);
    await revokeAllTokens(node.deps, caller, CONTEXT);
    assertEquals(node.signedOut, ["ada"]);
    for (const token of [elsewhere, accessToken]) {
      await refusal(() => node.check(token), "invalid_token");
    }
    await node.check(other);
    // Even a request that was let in before makes no token any more.
    await refusal(() => createToken(node.deps, caller, INPUT, CONTEXT), "invalid_token");
    // A new sign-in counts, in the same second too.
    const again = await signIn(bench, node);
    const [listed] = await listTokens(node.deps, again);
    assertEquals(listed!.revoked_at, clock.time.toISOString());
    await createToken(node.deps, again, INPUT, CONTEXT);
  });

  test(
    "revokeToken() lets administrators end anyone's, and others only their own",
    async (bench, node) => {
      const caller = await signIn(bench, node);
      const { accessToken, token } = await createToken(node.deps, caller, INPUT, CONTEXT);
      const other = await signIn(bench, node, "bob");
      for (const id of [token.id, crypto.randomUUID(), "x", "", "' or true --", "a\0b"]) {
        await refusal(() => revokeToken(node.deps, other, id, CONTEXT), "not_found");
      }
      await node.check(accessToken);
      const root = await signIn(bench, node, "root");
      await revokeToken(node.deps, root, token.id, CONTEXT);
      await refusal(() => node.check(accessToken), "invalid_token");
    },
  );
});

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The token with the other signature that ES256 accepts: (r, n − s) for (r, s). */
function twin(token: string): string {
  const [header, payload, signature] = token.split(".");
  const bytes = Uint8Array.fromBase64(signature!, { alphabet: "base64url" });
  const s = ORDER - BigInt(`0x${bytes.slice(32).toHex()}`);
  bytes.set(Uint8Array.fromHex(s.toString(16).padStart(64, "0")), 32);
  const other = bytes.toBase64({ alphabet: "base64url", omitPadding: true });
  assert(other !== signature);
  return `${header}.${payload}.${other}`;
}
