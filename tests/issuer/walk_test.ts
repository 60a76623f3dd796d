import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { refresh, signInWeb, signUp, startNode } from "./harness.ts";

Deno.test("issuer: sign up, verify, sign in, call the API, refresh; a refresh token used twice ends the grant", async () => {
  const node = await startNode();
  try {
    const email = await signUp(node);
    const tokens = await signInWeb(node, email);
    assertEquals(tokens.status, 200);
    assertEquals(tokens.expires_in, 3600);

    const claims = decodeJwt(tokens.access_token);
    assertEquals(claims.iss, "http://127.0.0.1:8000/oidc");
    assertEquals(claims.aud, "berth");
    assertEquals(claims["user_id"], claims.sub);
    assertEquals(claims.exp! - claims.iat!, 3600);
    assertEquals(claims["email"], email);
    assertEquals(claims["email_verified"], true);
    assertEquals(claims["firebase"], {
      identities: { email: [email] },
      sign_in_provider: "password",
    });
    assert(Math.abs(Number(claims["auth_time"]) - claims.iat!) < 60);
    assertEquals(decodeProtectedHeader(tokens.access_token).alg, "RS256");

    const me = await node.me(tokens.access_token);
    assertEquals(me.status, 200);
    const user = me.body["user"] as Record<string, unknown>;
    assertEquals(user["username"], "ada");
    assertEquals(user["sign_in_provider"], "password");
    assertEquals(user["is_admin"], false);
    assertMatch(String(user["user_id"]), /^[0-9a-f-]{36}$/);

    const second = await refresh(node, tokens.refresh_token);
    assertEquals(second.status, 200);
    assertEquals(decodeJwt(second.access_token)["auth_time"], claims["auth_time"]);
    assertEquals((await node.me(second.access_token)).status, 200);

    const reused = await refresh(node, tokens.refresh_token);
    assertEquals([reused.status, reused.error], [400, "invalid_grant"]);
    const successor = await refresh(node, second.refresh_token);
    assertEquals([successor.status, successor.error], [400, "invalid_grant"]);
  } finally {
    await node.close();
  }
});
