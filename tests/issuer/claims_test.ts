import { assert, assertEquals, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import { now } from "../../src/clock.ts";
import { AppError } from "../../src/errors.ts";
import { claimsAbout, methodsOf, providerOf } from "../../src/issuer/claims.ts";
import { signInWeb, signUp, startNode } from "./harness.ts";

Deno.test("claimsAbout() puts identities and provider into the claim that is configured", () => {
  const account = {
    id: "a-1",
    email: null,
    emailVerified: false,
    password: null,
    identities: { "github.com": ["7"] },
  };
  const signIn = { authTime: 1_700_000_000, methods: methodsOf("github.com") };
  assertEquals(claimsAbout(account, signIn, "idp"), {
    auth_time: 1_700_000_000,
    user_id: "a-1",
    email_verified: false,
    idp: { identities: { "github.com": ["7"] }, sign_in_provider: "github.com" },
  });
  for (const provider of ["password", "github.com", "google.com"]) {
    assertEquals(providerOf(methodsOf(provider)), provider);
  }
  assertEquals(providerOf(undefined), "password");
});

Deno.test("minted tokens have the claims of the token endpoint's, and the API takes them", async () => {
  const node = await startNode({ overrides: { providerClaim: "idp" } });
  try {
    const email = await signUp(node);
    const issued = decodeJwt((await signInWeb(node, email)).access_token);
    const user = {
      userId: issued.sub!,
      email,
      emailVerified: true,
      signInProvider: "password",
      authTime: new Date(Number(issued["auth_time"]) * 1000),
    };
    const minted = await node.issuer.minter.mintAccessToken(user, { ttlSeconds: 3600 });
    const { jti, iat, exp, ...claims } = decodeJwt(minted);
    const { jti: other, iat: _iat, exp: _exp, client_id: _client, ...expected } = issued;
    assertEquals(claims, expected);
    assertEquals(exp! - iat!, 3600);
    assertEquals(jti === other, false);
    const me = await node.me(minted);
    assertEquals(me.status, 200);
    assertEquals((me.body["user"] as Record<string, unknown>)["sign_in_provider"], "password");
    await assertRejects(
      () => node.issuer.minter.mintAccessToken({ ...user, userId: "nobody" }, { ttlSeconds: 3600 }),
      AppError,
    );
  } finally {
    await node.close();
  }
});

Deno.test("tokens are of no time after this node's, also where the machine's clock was ahead of it", async () => {
  const nodeNow = () => new Date(now().getTime() - 12_000);
  const node = await startNode({ overrides: { now: nodeNow } });
  try {
    const { access_token } = await signInWeb(node, await signUp(node));
    const { iat, exp, auth_time } = decodeJwt(access_token);
    const latest = nodeNow().getTime() / 1000;
    assert(iat! <= latest && auth_time as number <= latest);
    assertEquals(exp! - iat!, 3600);
    assertEquals((await node.me(access_token)).status, 200);
  } finally {
    await node.close();
  }
});

Deno.test("tokens are issued at this node's time, also while the machine's clock is behind it", async () => {
  const from = now().getTime();
  const node = await startNode({ overrides: { now: () => new Date(now().getTime() + 3000) } });
  try {
    const { access_token } = await signInWeb(node, await signUp(node));
    const { iat, exp } = decodeJwt(access_token);
    assert(iat! * 1000 >= from + 2000);
    assertEquals(exp! - iat!, 3600);
    assertEquals((await node.me(access_token)).status, 200);
  } finally {
    await node.close();
  }
});
