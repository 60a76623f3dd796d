/** API tokens of accounts of the embedded issuer. */
import { now } from "../../src/clock.ts";
import { assert, assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { createToken } from "../../src/identity/api_tokens/create.ts";
import { startDenyList } from "../../src/identity/api_tokens/deny_list.ts";
import type { TokensDeps } from "../../src/identity/api_tokens/deps.ts";
import { listTokens } from "../../src/identity/api_tokens/list.ts";
import { revokeAllTokens, revokeToken } from "../../src/identity/api_tokens/revoke.ts";
import { authenticate, type Caller, type IdentityDeps } from "../../src/identity/caller.ts";
import { endSignIns } from "../../src/issuer/adapter.ts";
import { silentLog } from "../helpers/database.ts";
import { refusal } from "../helpers/registry.ts";
import { type Node, refresh, signInWeb, signUp, startNode } from "./harness.ts";

const CONTEXT = { requestId: "request-1" };
const INPUT = { name: "Build server", expires_in: 600 };

interface Walk {
  node: Node;
  deps: TokensDeps;
  check(token: string): Promise<Caller>;
}

async function withNode(body: (walk: Walk) => Promise<void>): Promise<void> {
  const node = await startNode();
  const { sql } = node.database;
  const denied = await startDenyList({ sql, log: silentLog, now, alone: true });
  const { minter } = node.issuer;
  const newId = () => crypto.randomUUID();
  const identity: IdentityDeps = {
    sql,
    now,
    admins: { subjects: [], claim: null },
    provider: { findKey: node.issuer.findKey, rules: node.issuer.rules },
    issued: { isRevoked: denied.isRevoked, noteUse() {} },
  };
  try {
    await body({
      node,
      deps: { sql, now, newId, minter, provider: null, denied, endSignIns },
      check: (token) => authenticate(identity, `Bearer ${token}`),
    });
  } finally {
    await denied.close();
    await node.close();
  }
}

/** Tokens of one second are not told from each other by their time of issue. */
async function nextSecond(): Promise<void> {
  const next = Math.floor(now().getTime() / 1000) * 1000 + 1000;
  while (now().getTime() < next) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Waits until the database's notice has come. */
async function becomesRevoked(check: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + 300_000;
  while (performance.now() < deadline) {
    try {
      await check();
    } catch {
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const error = await refusal(check, "invalid_token");
  assertEquals(error.details, { reason: "revoked" });
}

Deno.test("sign up, sign in, make a token, refresh, revoke; all with the embedded issuer", async () => {
  await withNode(async ({ node, deps, check }) => {
    const signedIn = await signInWeb(node, await signUp(node));
    const caller = await check(signedIn.access_token);
    const made = await createToken(deps, caller, INPUT, CONTEXT);
    const [first, minted] = [decodeJwt(signedIn.access_token), decodeJwt(made.accessToken)];
    for (const claim of ["iss", "aud", "sub", "user_id", "email", "auth_time", "firebase"]) {
      assertEquals(minted[claim], first[claim], claim);
    }
    assertEquals(minted.exp! - minted.iat!, 600);
    assert(minted.jti !== undefined && minted.jti !== first.jti);

    const refreshed = await check((await refresh(node, signedIn.refresh_token)).access_token);
    assertEquals((await listTokens(deps, refreshed)).map(({ name }) => name), ["Build server"]);
    await revokeToken(deps, refreshed, made.token.id, CONTEXT);
    await refusal(() => check(made.accessToken), "invalid_token");
    await check(signedIn.access_token);
  });
});

Deno.test("signing out everywhere ends refresh tokens of the embedded issuer too", async () => {
  await withNode(async ({ node, deps, check }) => {
    const email = await signUp(node);
    const signedIn = await signInWeb(node, email);
    await revokeAllTokens(deps, await check(signedIn.access_token), CONTEXT);
    await refusal(() => check(signedIn.access_token), "invalid_token");
    assertEquals((await refresh(node, signedIn.refresh_token)).error, "invalid_grant");
    await check((await signInWeb(node, email)).access_token);
  });
});

Deno.test("a new password ends every token, and what was made from them", async () => {
  await withNode(async ({ node, deps, check }) => {
    const email = await signUp(node);
    const signedIn = await signInWeb(node, email);
    const stolen = await createToken(deps, await check(signedIn.access_token), INPUT, CONTEXT);
    const thief = await check(stolen.accessToken);
    await nextSecond();
    const browser = node.browser();
    await browser.submit(await browser.load("/oidc/forgot"), "/forgot", { email });
    const form = await browser.load(await node.link("/reset"));
    const password = "another long password";
    const done = await browser.submit(form, "/reset", { password, repeated: password });
    assertEquals(done.status, 200, done.text);
    for (const token of [signedIn.access_token, stolen.accessToken]) {
      await becomesRevoked(() => check(token));
    }
    await refusal(() => createToken(deps, thief, INPUT, CONTEXT), "invalid_token");
  });
});
