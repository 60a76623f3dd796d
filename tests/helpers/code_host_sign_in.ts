/**
 * The sign-in of a code host that speaks as GitHub does: OAuth with codes that work once, and an API
 * that tells who the user is.
 *
 * @module
 */

/** Who is signed in at the code host. */
export interface CodeHostUser {
  id: number;
  login: string;
  /** The profile's address: anything that the user typed. */
  email: string | null;
  emails: { email: string; primary: boolean; verified: boolean }[];
}

/** A running code host. */
export interface CodeHostSignIn {
  url: string;
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  /** Who clicks "Authorize" from now on. */
  user: CodeHostUser;
  /** Answers the token endpoint and the API with this instead. */
  answer: ((path: string) => Response | null) | null;
  /** A code for whoever is signed in, as the page after "Authorize" would send it. */
  codeFor(redirectUri: string, challenge: string): string;
  close(): Promise<void>;
}

/** The user that a code host begins with. */
export const CODE_HOST_USER: CodeHostUser = {
  id: 583231,
  login: "octo",
  email: "typed@example.com",
  emails: [
    { email: "old@example.com", primary: false, verified: true },
    { email: "octo@example.com", primary: true, verified: true },
  ],
};

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return new Uint8Array(digest).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Starts it on loopback. */
export function startCodeHostSignIn(): CodeHostSignIn {
  const codes = new Map<string, { redirectUri: string; challenge: string; user: CodeHostUser }>();
  const tokens = new Map<string, CodeHostUser>();
  let made = 0;

  async function token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const isRight = code !== undefined && form.get("client_id") === host.clientId &&
      form.get("client_secret") === host.clientSecret &&
      form.get("redirect_uri") === code.redirectUri &&
      await challengeOf(form.get("code_verifier") ?? "") === code.challenge;
    // Failures come with status 200, as there.
    if (!isRight) return Response.json({ error: "bad_verification_code" });
    const accessToken = `gho_${++made}`;
    tokens.set(accessToken, code.user);
    return Response.json({ access_token: accessToken, token_type: "bearer", scope: "user:email" });
  }

  function authorize(url: URL): Response {
    const redirectUri = url.searchParams.get("redirect_uri")!;
    const back = new URL(redirectUri);
    back.searchParams.set(
      "code",
      host.codeFor(redirectUri, url.searchParams.get("code_challenge")!),
    );
    back.searchParams.set("state", url.searchParams.get("state")!);
    return new Response(null, { status: 302, headers: { location: back.href } });
  }

  function api(request: Request, path: string): Response {
    const bearer = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    const user = tokens.get(bearer);
    if (user === undefined) return Response.json({ message: "Bad credentials" }, { status: 401 });
    return path === "/api/user"
      ? Response.json({ id: user.id, login: user.login, email: user.email })
      : Response.json(user.emails);
  }

  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const url = new URL(request.url);
    const path = url.pathname;
    if (path === "/login/oauth/authorize") return authorize(url);
    const other = host.answer?.(path);
    if (other) return other;
    if (path === "/login/oauth/access_token" && request.method === "POST") return token(request);
    if (path === "/api/user" || path === "/api/user/emails") return api(request, path);
    return new Response("Not found", { status: 404 });
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  const host: CodeHostSignIn = {
    url,
    apiUrl: `${url}/api`,
    clientId: "berth-at-host",
    clientSecret: "host-secret",
    user: structuredClone(CODE_HOST_USER),
    answer: null,
    codeFor(redirectUri, challenge) {
      const code = `code-${++made}`;
      codes.set(code, { redirectUri, challenge, user: structuredClone(host.user) });
      return code;
    },
    async close() {
      await server.shutdown();
    },
  };
  return host;
}
