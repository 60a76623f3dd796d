/**
 * The OpenID provider that the web application signs in at: the embedded issuer or an external one
 * (OpenID Connect Core 1.0, section 3.1; PKCE, RFC 7636).
 *
 * @module
 */
import { z } from "zod";
import { readBoundedJson } from "../../identity/fetch_document.ts";

const KEPT_MS = 3_600_000;
const TIMEOUT_MS = 10_000;

const endpoint = z.url({ protocol: /^https?$/ }).max(2048);

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  revocation_endpoint: endpoint.optional().catch(undefined),
  end_session_endpoint: endpoint.optional().catch(undefined),
  scopes_supported: z.array(z.string()).optional().catch(undefined),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});
/** The part of the provider's metadata that is used here. */
export type Discovery = z.infer<typeof Discovery>;

const token = z.string().min(1).max(16_384);

const TokenAnswer = z.object({
  access_token: token,
  id_token: token.optional(),
  refresh_token: token.optional(),
});
/** What the token endpoint gave. */
export type TokenAnswer = z.infer<typeof TokenAnswer>;

/** What came of a request to the token endpoint. */
export type TokenOutcome =
  | { kind: "tokens"; tokens: TokenAnswer }
  /** The provider says no: the code or the refresh token is good for nothing any more. */
  | { kind: "refused"; reason: string };

/** Asks the provider; `client` is the address of the browser that the request is made for. */
export type Send = (url: string, init: RequestInit, client: string | null) => Promise<Response>;

/** How the provider is reached, and who Berth is there. */
export interface ProviderOptions {
  kind: "embedded" | "external";
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  /** Audience of the registry's tokens: some providers give usable ones only when asked for it. */
  audience: string | null;
  send: Send;
  /** Milliseconds of a clock that never goes back. */
  now?: (() => number) | undefined;
}

interface AuthorizationParameters {
  redirectUri: string;
  state: string;
  nonce: string;
  challenge: string;
}

interface ExchangeParameters {
  code: string;
  redirectUri: string;
  verifier: string;
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await readBoundedJson(response);
  } catch {
    return null;
  }
}

async function discover({ send, issuer }: ProviderOptions): Promise<Discovery> {
  const url = `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`;
  const response = await send(url, {
    headers: { accept: "application/json" },
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }, null);
  const found = Discovery.parse(await readJson(response));
  // Else a provider could send users and their codes to another one.
  if (found.issuer !== issuer) throw new Error(`${url} names another issuer`);
  const endpoints = [found.authorization_endpoint, found.token_endpoint];
  if (issuer.startsWith("https:") && !endpoints.every((one) => one.startsWith("https:"))) {
    throw new Error(`${url} has addresses that are not https`);
  }
  return found;
}

/** How the client proves itself, of what the provider takes (RFC 6749, 2.3.1). */
function authenticate(options: ProviderOptions, found: Discovery, form: URLSearchParams): Headers {
  const { clientId, clientSecret } = options;
  const methods = found.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const headers = new Headers({ accept: "application/json" });
  if (clientSecret === null) {
    form.set("client_id", clientId);
  } else if (!methods.includes("client_secret_basic") && methods.includes("client_secret_post")) {
    form.set("client_id", clientId);
    form.set("client_secret", clientSecret);
  } else {
    const encode = (text: string) => encodeURIComponent(text).replaceAll("%20", "+");
    headers.set("authorization", `Basic ${btoa(`${encode(clientId)}:${encode(clientSecret)}`)}`);
  }
  return headers;
}

function scopesOf({ scopes_supported: known }: Discovery): string {
  const wanted = ["openid", "email", "profile", "offline_access", "berth"];
  const standard = ["openid", "email"];
  return wanted.filter((scope) => known?.includes(scope) || standard.includes(scope)).join(" ");
}

/**
 * The provider as the web application uses it. All methods reject when it is out of reach. Its
 * metadata is kept for an hour.
 */
export class SignInProvider {
  readonly kind: ProviderOptions["kind"];
  readonly issuer: string;
  readonly clientId: string;
  readonly #options: ProviderOptions;
  readonly #now: () => number;
  #kept: { found: Promise<Discovery>; at: number } | undefined;

  constructor(options: ProviderOptions) {
    this.kind = options.kind;
    this.issuer = options.issuer;
    this.clientId = options.clientId;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  async discover(): Promise<Discovery> {
    const at = this.#now();
    if (this.#kept === undefined || at - this.#kept.at >= KEPT_MS) {
      this.#kept = { found: discover(this.#options), at };
      this.#kept.found.catch(() => {
        this.#kept = undefined;
      });
    }
    return await this.#kept.found;
  }

  async #post(
    url: string,
    found: Discovery,
    form: URLSearchParams,
    client: string | null,
  ): Promise<Response> {
    const headers = authenticate(this.#options, found, form);
    headers.set("content-type", "application/x-www-form-urlencoded");
    return await this.#options.send(url, {
      method: "POST",
      headers,
      body: form.toString(),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }, client);
  }

  async #tokens(
    fields: Record<string, string>,
    client: string | null,
  ): Promise<TokenOutcome> {
    const found = await this.discover();
    const form = new URLSearchParams(fields);
    const response = await this.#post(found.token_endpoint, found, form, client);
    const body = await readJson(response);
    const answer = TokenAnswer.safeParse(body);
    if (response.status === 200 && answer.success) return { kind: "tokens", tokens: answer.data };
    const error = z.object({ error: z.string().regex(/^[\w.-]{1,60}$/) }).safeParse(body);
    const isFinal = [400, 401, 403].includes(response.status) && error.success &&
      error.data.error !== "temporarily_unavailable";
    if (!isFinal) throw new Error(`The provider returned no tokens: status ${response.status}`);
    return { kind: "refused", reason: error.data.error };
  }

  /** Where the browser goes to sign in. */
  async authorizationUrl(
    { redirectUri, state, nonce, challenge }: AuthorizationParameters,
  ): Promise<string> {
    const found = await this.discover();
    const { audience } = this.#options;
    const url = new URL(found.authorization_endpoint);
    const parameters = {
      response_type: "code",
      client_id: this.clientId,
      redirect_uri: redirectUri,
      scope: scopesOf(found),
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...(audience === null ? {} : { audience }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  exchange(
    { code, redirectUri, verifier }: ExchangeParameters,
    client: string | null,
  ): Promise<TokenOutcome> {
    return this.#tokens({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }, client);
  }

  refresh(refreshToken: string, client: string | null): Promise<TokenOutcome> {
    return this.#tokens({ grant_type: "refresh_token", refresh_token: refreshToken }, client);
  }

  /** Ends a refresh token, where the provider can (RFC 7009). */
  async revoke(refreshToken: string, client: string | null): Promise<void> {
    const found = await this.discover();
    if (found.revocation_endpoint === undefined) return;
    const form = new URLSearchParams({
      token: refreshToken,
      token_type_hint: "refresh_token",
    });
    const response = await this.#post(found.revocation_endpoint, found, form, client);
    await response.body?.cancel();
  }

  /** Where the browser can end its session there; null where the provider has no such page. */
  async endSessionUrl(returnTo: string): Promise<string | null> {
    const { end_session_endpoint: address } = await this.discover();
    if (address === undefined) return null;
    const url = new URL(address);
    url.searchParams.set("client_id", this.clientId);
    url.searchParams.set("post_logout_redirect_uri", returnTo);
    return url.href;
  }
}
