/**
 * An identity provider on loopback: a discovery document, a key set that can rotate, and tokens
 * minted on request. For tests and the demo, which have no provider at hand.
 *
 * @module
 */
import { now } from "../../src/clock.ts";
import {
  exportJWK,
  generateKeyPair,
  type GenerateKeyPairResult,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
} from "jose";

/** Algorithms that the issuer's keys can have. */
export type IssuerAlgorithm = "ES256" | "RS256" | "PS256" | "EdDSA";

/** One signing key of the issuer. */
export interface IssuerKey {
  kid: string;
  alg: IssuerAlgorithm;
  privateKey: GenerateKeyPairResult["privateKey"];
  publicJwk: JWK;
}

/** How a token is minted. */
export interface MintOptions {
  /** Present time; that of the issuer's clock by default. */
  now?: Date;
  /** Replaces members of the header; undefined ones are left out. */
  header?: Record<string, unknown>;
  /** Signing key; the newest one by default. */
  key?: IssuerKey;
}

/** What an issuer has beside keys. */
export interface IssuerSite {
  /** Further members of the discovery document. @param url The issuer's address. */
  metadata(url: string): Record<string, unknown>;
  /** Answers a request; null where it is none of its own. */
  handle(request: Request): Response | Promise<Response> | null;
}

/** A running issuer. */
export interface TokenIssuer {
  /** As in `iss`; also the base of the discovery document's address. */
  readonly url: string;
  readonly jwksUrl: string;
  readonly audience: string;
  /** Keys in the served set, newest last. */
  readonly keys: IssuerKey[];
  /** How often the key set was asked for. */
  readonly keySetRequests: number;
  /** How often the discovery document was asked for. */
  readonly discoveryRequests: number;
  /** A signed token. `claims` add to or replace the usual ones; undefined ones are left out. */
  mint(claims?: Record<string, unknown>, options?: MintOptions): Promise<string>;
  /** Adds a key, and drops the earlier ones unless `keep`. */
  rotate(options?: { alg?: IssuerAlgorithm; keep?: boolean }): Promise<IssuerKey>;
  /** Answers both documents with `respond` instead; null restores them. */
  answerWith(respond: ((path: string) => Response | Promise<Response>) | null): void;
  close(): Promise<void>;
}

/** A fresh key pair. */
export async function makeKey(alg: IssuerAlgorithm, kid: string): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const publicJwk = { ...await exportJWK(publicKey), kid, alg, use: "sig" };
  return { kid, alg, privateKey, publicJwk };
}

function definedOnly(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/**
 * Starts an issuer on a loopback port (a free one by default).
 *
 * @param options.behindMs How far its clock is behind this machine's; 0 by default. Where another
 * process checks its tokens, half a minute: that may look at a clock that was just set back, and
 * tokens would be from the future.
 */
export async function startTokenIssuer(
  options: {
    audience?: string;
    alg?: IssuerAlgorithm;
    port?: number;
    behindMs?: number;
    site?: IssuerSite;
  } = {},
): Promise<TokenIssuer> {
  const { audience = "berth-demo", behindMs = 0 } = options;
  const defaultAlg = options.alg ?? "ES256";
  let made = 0;
  const keys = [await makeKey(defaultAlg, `key-${++made}`)];
  const counts = { keySet: 0, discovery: 0 };
  let respond: ((path: string) => Response | Promise<Response>) | null = null;

  const server = Deno.serve(
    { hostname: "127.0.0.1", port: options.port ?? 0, onListen() {} },
    (request): Response | Promise<Response> => {
      const path = new URL(request.url).pathname;
      if (path === "/jwks") counts.keySet++;
      else if (path === "/.well-known/openid-configuration") counts.discovery++;
      else return options.site?.handle(request) ?? new Response("Not found", { status: 404 });
      if (respond !== null) return respond(path);
      return path === "/jwks"
        ? Response.json({ keys: keys.map((key) => key.publicJwk) })
        : Response.json({
          issuer: url,
          jwks_uri: `${url}/jwks`,
          ...options.site?.metadata(url),
        });
    },
  );
  const url: string = `http://127.0.0.1:${server.addr.port}`;

  return {
    url,
    jwksUrl: `${url}/jwks`,
    audience,
    keys,
    get keySetRequests() {
      return counts.keySet;
    },
    get discoveryRequests() {
      return counts.discovery;
    },
    async mint(claims = {}, options = {}) {
      const { header = {}, key = keys.at(-1)! } = options;
      const at = options.now ?? new Date(now().getTime() - behindMs);
      const seconds = Math.floor(at.getTime() / 1000);
      const subject = claims.sub ?? "user-1";
      const all = definedOnly({
        iss: url,
        aud: audience,
        sub: subject,
        user_id: subject,
        auth_time: seconds,
        iat: seconds,
        exp: seconds + 3600,
        jti: crypto.randomUUID(),
        email: `${subject}@example.com`,
        email_verified: true,
        firebase: { identities: {}, sign_in_provider: "password" },
        ...claims,
      });
      return await new SignJWT(all)
        .setProtectedHeader(
          definedOnly({ alg: key.alg, kid: key.kid, typ: "JWT", ...header }) as JWTHeaderParameters,
        )
        .sign(key.privateKey);
    },
    async rotate({ alg = defaultAlg, keep = false } = {}) {
      const key = await makeKey(alg, `key-${++made}`);
      if (!keep) keys.length = 0;
      keys.push(key);
      return key;
    },
    answerWith(answer) {
      respond = answer;
    },
    async close() {
      await server.shutdown();
    },
  };
}
