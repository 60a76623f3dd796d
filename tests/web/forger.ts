/**
 * An OpenID provider for the pages' sign-in that says what a test wants.
 *
 * @module
 */
import { SignJWT } from "jose";

/** The client that the pages are at external providers. */
export const CLIENT = { id: "berth-pages", secret: "s3cret with % and +" };

/** A provider that answers as a test says, with keys of its own. */
export async function startForger() {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    ["sign", "verify"],
  ) as CryptoKeyPair;
  const jwk = { ...await crypto.subtle.exportKey("jwk", publicKey), kid: "k", alg: "ES256" };
  let claims: (nonce: string) => Record<string, unknown> = (nonce) => ({ nonce });
  let nonce = "";
  let isHeldBack = false;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const url = new URL(request.url);
    const issuer = url.origin;
    if (url.pathname === "/authorize") {
      nonce = url.searchParams.get("nonce") ?? "";
      const back = new URL(url.searchParams.get("redirect_uri")!);
      back.searchParams.set("state", url.searchParams.get("state")!);
      back.searchParams.set("code", "a-code");
      return Response.redirect(back, 302);
    }
    if (url.pathname === "/jwks") return Response.json({ keys: [jwk] });
    if (url.pathname === "/token" && isHeldBack) return new Response(null, { status: 502 });
    if (url.pathname === "/token") {
      const now = Math.floor(Date.now() / 1000);
      const sign = (payload: Record<string, unknown>) =>
        new SignJWT({ iss: issuer, iat: now, exp: now + 3600, sub: "ada", ...payload })
          .setProtectedHeader({ alg: "ES256", kid: "k" }).sign(privateKey);
      return Response.json({
        access_token: await sign({ aud: "berth" }),
        id_token: await sign({ aud: CLIENT.id, ...claims(nonce) }),
        token_type: "Bearer",
      });
    }
    return Response.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    });
  });
  return {
    issuer: `http://127.0.0.1:${server.addr.port}`,
    answerWith(next: typeof claims) {
      claims = next;
    },
    /** From now on no tokens are given. */
    holdBack() {
      isHeldBack = true;
    },
    close: () => server.shutdown(),
  };
}
