/**
 * The demo's sign-in in a browser: one page with a few people to be, without passwords (OpenID Connect
 * with PKCE). For loopback only.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { IssuerSite, TokenIssuer } from "./token_issuer.ts";

/** Client of the web application. */
export const DEMO_CLIENT = "berth-demo-web";
/** Who administers. */
export const DEMO_ADMINISTRATOR = "root";

const PEOPLE = [
  ["ada", "Ada, who publishes servers"],
  ["grace", "Grace, who uses them"],
  [DEMO_ADMINISTRATOR, "Root, who administers"],
] as const;

interface Pending {
  user: string;
  nonce: string;
  challenge: string;
  redirectUri: string;
}

const CODES_MAX = 100;

function isLoopback(address: string | null): address is string {
  return address !== null && URL.canParse(address) &&
    ["127.0.0.1", "localhost", "[::1]"].includes(new URL(address).hostname);
}

function chooser({ searchParams }: URL): Response {
  const links = PEOPLE.map(([user, label]) => {
    const chosen = new URLSearchParams(searchParams);
    chosen.set("as", user);
    return `<p><a href="/authorize?${chosen.toString().replaceAll("&", "&amp;")}">${label}</a></p>`;
  });
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Demo sign-in</title>
<body style="font: 1.1rem system-ui; max-width: 30rem; margin: 4rem auto"><h1>Who are you?</h1>
${links.join("\n")}<p>This is the demo's sign-in: there are no passwords.</p></body></html>`;
  return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
}

/** The pages of `issuer`, once it has started. */
export function demoSignIn(issuer: () => Pick<TokenIssuer, "mint">): IssuerSite {
  const codes = new Map<string, Pending>();

  function authorize(url: URL): Response {
    const given = url.searchParams;
    const redirectUri = given.get("redirect_uri");
    if (given.get("client_id") !== DEMO_CLIENT || !isLoopback(redirectUri)) {
      return new Response("Unknown client\n", { status: 400 });
    }
    const user = given.get("as");
    if (!PEOPLE.some(([one]) => one === user)) return chooser(url);
    const code = crypto.randomUUID();
    if (codes.size >= CODES_MAX) codes.clear();
    codes.set(code, {
      user: user!,
      nonce: given.get("nonce") ?? "",
      challenge: given.get("code_challenge") ?? "",
      redirectUri,
    });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    back.searchParams.set("state", given.get("state") ?? "");
    return Response.redirect(back.href, 303);
  }

  async function token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const code = form.get("code") ?? "";
    const pending = codes.get(code);
    codes.delete(code);
    const challenge = createHash("sha256").update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight = pending?.challenge === challenge &&
      pending.redirectUri === form.get("redirect_uri");
    if (!isRight) return Response.json({ error: "invalid_grant" }, { status: 400 });
    const { user: sub, nonce } = pending;
    return Response.json({
      access_token: await issuer().mint({ sub }),
      id_token: await issuer().mint({ sub, nonce, aud: DEMO_CLIENT }),
      token_type: "Bearer",
      expires_in: 3600,
    });
  }

  return {
    metadata: (url) => ({
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      response_types_supported: ["code"],
      token_endpoint_auth_methods_supported: ["none"],
    }),
    handle(request) {
      const url = new URL(request.url);
      if (url.pathname === "/authorize" && request.method === "GET") return authorize(url);
      if (url.pathname === "/token" && request.method === "POST") return token(request);
      return null;
    },
  };
}
