/**
 * A service at which users sign in, on loopback: metadata, a sign-in page that agrees at once, tokens
 * with PKCE, refresh tokens that are good once, revocation, and registration of clients.
 *
 * @module
 */
import { createHash } from "node:crypto";

/** What the service does otherwise than it should. */
export interface TokenServiceOptions {
  /** Changes the metadata; null: there is none. */
  metadata?: (document: Record<string, unknown>) => Record<string, unknown> | null;
  /** Seconds until tokens run out; null: they do not. */
  expiresIn?: number | null;
  /** Whether it gives refresh tokens. */
  refreshes?: boolean;
  /** Answers a request itself. */
  answer?: (request: Request, path: string) => Response | Promise<Response> | null;
  /** Clients with their secrets; null: none. */
  clients?: Record<string, string | null>;
  /** Whether it names itself in its answers (RFC 9207). */
  namesItself?: boolean;
}

/** What was asked of it. */
export interface TokenRequest {
  path: string;
  form: Record<string, string>;
  authorization: string | null;
}

/** A running service. */
export interface TokenService {
  /** Address and issuer. */
  url: string;
  host: string;
  requests: TokenRequest[];
  /** Options, which may change while it runs. */
  options: TokenServiceOptions;
  /** Tokens that are good. */
  readonly tokens: ReadonlySet<string>;
  /** What was revoked. */
  revoked: string[];
  /** Requests with a bearer token to `/api`: what they had. */
  seen: string[];
  /** Signs in as a browser would, at the address where Berth sends it; returns where it is sent. */
  signIn(address: string): Promise<URL>;
  close(): Promise<void>;
}

interface Code {
  client: string;
  redirect: string;
  challenge: string;
  scope: string;
}

function random(prefix: string): string {
  return prefix + crypto.getRandomValues(new Uint8Array(20)).toHex();
}

function failure(error: string, status = 400): Response {
  return Response.json({ error }, { status });
}

/** Starts it on a port of its own. */
export function startTokenService(given: TokenServiceOptions = {}): TokenService {
  const options: TokenServiceOptions = {
    clients: { "berth-client": "client-secret-0123" },
    ...given,
  };
  const requests: TokenRequest[] = [];
  const codes = new Map<string, Code>();
  const refreshes = new Map<string, Code>();
  const tokens = new Set<string>();
  const revoked: string[] = [];
  const seen: string[] = [];

  function grant(code: Code): Response {
    const access = random("tok_");
    tokens.add(access);
    const { expiresIn = 3600, refreshes: isRefreshed = true } = options;
    const refresh = isRefreshed ? random("ref_") : null;
    if (refresh !== null) refreshes.set(refresh, code);
    return Response.json({
      access_token: access,
      token_type: "Bearer",
      scope: code.scope,
      ...(expiresIn === null ? {} : { expires_in: expiresIn }),
      ...(refresh === null ? {} : { refresh_token: refresh }),
    });
  }

  function clientOf(form: URLSearchParams, authorization: string | null): string | null {
    let id = form.get("client_id");
    let secret = form.get("client_secret");
    const basic = /^Basic (.+)$/.exec(authorization ?? "")?.[1];
    if (basic !== undefined) {
      [id, secret] = atob(basic).split(":").map((one) => decodeURIComponent(one)) as [
        string,
        string,
      ];
    }
    if (id === null || !Object.hasOwn(options.clients!, id)) return null;
    return options.clients![id] === secret ? id : null;
  }

  function token(form: URLSearchParams, client: string): Response {
    if (form.get("grant_type") === "refresh_token") {
      const refresh = form.get("refresh_token") ?? "";
      const code = refreshes.get(refresh);
      refreshes.delete(refresh);
      return code === undefined || code.client !== client ? failure("invalid_grant") : grant(code);
    }
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const digest = createHash("sha256").update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight = code !== undefined && code.client === client &&
      code.redirect === form.get("redirect_uri") && code.challenge === digest;
    return isRight ? grant(code) : failure("invalid_grant");
  }

  function authorize(query: URLSearchParams): Response {
    const redirect = query.get("redirect_uri")!;
    const url = new URL(redirect);
    const code = random("code_");
    codes.set(code, {
      client: query.get("client_id")!,
      redirect,
      challenge: query.get("code_challenge")!,
      scope: query.get("scope") ?? "",
    });
    url.searchParams.set("code", code);
    url.searchParams.set("state", query.get("state")!);
    if (options.namesItself) url.searchParams.set("iss", origin);
    return Response.redirect(url.href, 302);
  }

  async function register(request: Request): Promise<Response> {
    const wanted = await request.json();
    const id = random("client_");
    options.clients![id] = null;
    return Response.json({ ...wanted, client_id: id }, { status: 201 });
  }

  function metadata(): Response {
    const document = {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      revocation_endpoint: `${origin}/revoke`,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "none"],
      authorization_response_iss_parameter_supported: options.namesItself === true,
    };
    const changed = options.metadata === undefined ? document : options.metadata(document);
    return changed === null ? new Response(null, { status: 404 }) : Response.json(changed);
  }

  async function handle(request: Request): Promise<Response> {
    const { pathname: path, searchParams } = new URL(request.url);
    const authorization = request.headers.get("authorization");
    const isForm = request.headers.get("content-type")?.includes("form-urlencoded") ?? false;
    const form = new URLSearchParams(isForm ? await request.text() : "");
    requests.push({ path, form: Object.fromEntries(form), authorization });
    const own = await options.answer?.(request, path) ?? null;
    if (own !== null) return own;
    if (path.startsWith("/.well-known/")) return metadata();
    if (path === "/authorize") return authorize(searchParams);
    if (path === "/register") return await register(request);
    if (path === "/api") {
      const bearer = authorization?.replace("Bearer ", "") ?? "none";
      seen.push(bearer);
      return new Response(tokens.has(bearer) ? `welcome, your token is ${bearer}` : "who are you?");
    }
    const client = clientOf(form, authorization);
    if (client === null) return failure("invalid_client", 401);
    if (path === "/token") return token(form, client);
    if (path === "/revoke") {
      const given = form.get("token")!;
      revoked.push(given);
      refreshes.delete(given);
      tokens.delete(given);
      return new Response(null, { status: 200 });
    }
    return new Response(null, { status: 404 });
  }

  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handle);
  const host = `127.0.0.1:${server.addr.port}`;
  const origin = `http://${host}`;
  return {
    url: origin,
    host,
    requests,
    options,
    tokens,
    revoked,
    seen,
    async signIn(address) {
      const response = await fetch(address, { redirect: "manual" });
      await response.body?.cancel();
      return new URL(response.headers.get("location")!);
    },
    close: () => server.shutdown(),
  };
}
