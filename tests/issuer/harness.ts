/**
 * The registry listener's application with the embedded issuer over a real database, and clients
 * that sign in there.
 *
 * @module
 */
import { now } from "../../src/clock.ts";
import { assert, assertEquals } from "@std/assert";
import type { Refusal } from "../../src/audit/refusals.ts";
import { createApp } from "../../src/http/app.ts";
import type { Database } from "../../src/database/open.ts";
import { authenticate, type IdentityDeps } from "../../src/identity/caller.ts";
import { renameUser } from "../../src/identity/rename.ts";
import { issuerAddress } from "../../src/issuer/address.ts";
import { createBackground } from "../../src/issuer/background.ts";
import type { IssuerDeps } from "../../src/issuer/deps.ts";
import { CLI_CLIENT, WEB_CLIENT } from "../../src/issuer/first_party.ts";
import { type Issuer, startIssuer } from "../../src/issuer/issuer.ts";
import { createKeys } from "../../src/issuer/keys/keys.ts";
import type { Message } from "../../src/issuer/mail.ts";
import { MAX_FORM_BYTES } from "../../src/issuer/request.ts";
import { createAttempts } from "../../src/limits/attempts.ts";
import { limitServices } from "../../src/services/rate_limits.ts";
import { stubServices } from "../http/stub_services.ts";
import { Browser, type Page } from "../helpers/form_browser.ts";
import { openTestDatabase } from "../helpers/database.ts";
import { recordingLogger } from "../helpers/log.ts";

export const ORIGIN = "http://127.0.0.1:8000";
export const WORKER = "http://127.0.0.1:8001";
export const CALLBACK = `${ORIGIN}/login/callback`;
export const PASSWORD = "correct horse battery";

/** One node. */
export interface Node {
  issuer: Issuer;
  deps: IssuerDeps;
  database: Database;
  /** Messages that were sent. */
  mail: Message[];
  /** Lines on the operator's terminal. */
  terminal: string[];
  /** Refused sign-ins, as the audit log is told. */
  refusals: Refusal[];
  /** Lines of the log. */
  lines: Record<string, unknown>[];
  send(url: string, init?: RequestInit): Promise<Response>;
  /** A browser without cookies. */
  browser(): Browser;
  /** Calls the API. */
  me(token: string): Promise<{ status: number; body: Record<string, unknown> }>;
  /** The token in the last message, which must be about `path`. */
  link(path: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts a node on `database` (one of its own by default, which it closes). */
export async function startNode(
  options: { database?: Database; overrides?: Partial<IssuerDeps>; client?: string } = {},
): Promise<Node> {
  const database = options.database ?? await openTestDatabase();
  const { log, lines } = recordingLogger();
  const mail: Message[] = [];
  const terminal: string[] = [];
  const refusals: Refusal[] = [];
  const deps: IssuerDeps = {
    sql: database.sql,
    log,
    now,
    newId: () => crypto.randomUUID(),
    address: issuerAddress(ORIGIN),
    workerUrl: WORKER,
    audience: "berth",
    providerClaim: "firebase",
    keys: createKeys({ sql: database.sql, now }),
    attempts: createAttempts(database.sql),
    mailer: {
      toTerminal: false,
      send: (message) => Promise.resolve(void mail.push(message)),
      close() {},
    },
    announce: (line) => terminal.push(line),
    adminsConfigured: false,
    noteRefusal: (refusal) => refusals.push(refusal),
    background: createBackground(log),
    extensions: {},
    ...options.overrides,
  };
  const issuer = await startIssuer(deps);
  const identity: IdentityDeps = {
    sql: database.sql,
    now,
    admins: { subjects: [], claim: null },
    provider: { findKey: issuer.findKey, rules: issuer.rules },
    issued: { isRevoked: () => false, noteUse() {} },
  };
  const app = createApp({
    ...stubServices().services,
    log,
    publicUrl: ORIGIN,
    identity: {
      authenticate: (authorization) => authenticate(identity, authorization),
      changeUsername: (caller, username, context) =>
        renameUser(identity, caller, username, context),
    },
    inviteUser: issuer.invite,
    limits: limitServices(
      { RATE_LIMIT_PUBLIC: 1_000_000, RATE_LIMIT_AUTHENTICATED: 1_000_000 },
      identity,
    ),
    issuer: { maxBodyBytes: MAX_FORM_BYTES, handle: issuer.handle },
  });
  const remoteAddr = { hostname: options.client ?? "192.0.2.1", port: 1, transport: "tcp" };
  async function send(url: string, init: RequestInit = {}) {
    return await app.request(url, init, { remoteAddr } as never);
  }
  return {
    issuer,
    deps,
    database,
    mail,
    terminal,
    refusals,
    lines,
    send,
    browser: () => new Browser(ORIGIN, send),
    async me(token) {
      const response = await send(`${ORIGIN}/api/v1/auth/me`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return { status: response.status, body: await response.json() };
    },
    async link(path) {
      await deps.background.idle();
      const { link } = mail.at(-1)!;
      assert(link.startsWith(`${ORIGIN}/oidc${path}?token=`), link);
      return link;
    },
    async close() {
      await issuer.close();
      if (options.database === undefined) await database.close();
    },
  };
}

/** Makes an account by the pages; returns the address. */
export async function signUp(node: Node, email = "ada@example.com"): Promise<string> {
  const browser = node.browser();
  const ask = await browser.load("/oidc/sign-up");
  assertEquals(ask.status, 200);
  const sent = await browser.submit(ask, "/sign-up", { email });
  assertEquals(sent.status, 200, sent.text);
  const choose = await browser.load(await node.link("/verify"));
  assertEquals(choose.status, 200, choose.text);
  const fields = { password: PASSWORD, repeated: PASSWORD };
  const done = await browser.submit(choose, "/verify", fields);
  assertEquals(done.status, 200, done.text);
  return email;
}

/** What a client begins a sign-in with. */
export interface Begun {
  url: string;
  verifier: string;
  clientId: string;
  redirectUri: string;
}

/** The address of an authorization request with PKCE. */
export async function begin(
  options: {
    clientId?: string;
    redirectUri?: string;
    parameters?: Record<string, string | undefined>;
  } = {},
): Promise<Begun> {
  const clientId = options.clientId ?? WEB_CLIENT;
  const redirectUri = options.redirectUri ??
    (clientId === CLI_CLIENT ? "http://127.0.0.1:49152/callback" : CALLBACK);
  const verifier = `${crypto.randomUUID()}${crypto.randomUUID()}`;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const challenge = new Uint8Array(digest).toBase64({ alphabet: "base64url", omitPadding: true });
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid email offline_access berth",
    state: "a-state",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...options.parameters,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, value);
  }
  return { url: `${ORIGIN}/oidc/auth?${query}`, verifier, clientId, redirectUri };
}

/** What the token endpoint answers. */
export interface Tokens {
  status: number;
  access_token: string;
  refresh_token: string;
  id_token?: string;
  token_type: string;
  expires_in: number;
  scope: string;
  error?: string;
}

/** Posts to the token endpoint. */
export async function tokenRequest(node: Node, fields: Record<string, string>): Promise<Tokens> {
  const response = await node.send(`${ORIGIN}/oidc/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
  return { ...await response.json(), status: response.status };
}

/** Trades the code in the callback's address for tokens. */
export async function exchange(node: Node, begun: Begun, callback: string): Promise<Tokens> {
  const code = new URL(callback).searchParams.get("code");
  assert(code !== null, `no code in ${callback}`);
  return await tokenRequest(node, {
    grant_type: "authorization_code",
    client_id: begun.clientId,
    code,
    redirect_uri: begun.redirectUri,
    code_verifier: begun.verifier,
  });
}

/** Uses a refresh token. */
export function refresh(node: Node, token: string, clientId = WEB_CLIENT): Promise<Tokens> {
  return tokenRequest(node, {
    grant_type: "refresh_token",
    client_id: clientId,
    refresh_token: token,
  });
}

/** Fills in the sign-in page; returns where it leads. */
export async function enter(
  browser: Browser,
  page: Page,
  { email, password = PASSWORD }: { email: string; password?: string },
): Promise<Page> {
  return await browser.submit(page, "/sign-in", { email, password });
}

/** A whole sign-in of the web application. */
export async function signInWeb(
  node: Node,
  email: string,
  browser = node.browser(),
): Promise<Tokens> {
  const begun = await begin();
  const page = await browser.load(begun.url);
  const back = await enter(browser, page, { email });
  assert(back.url.startsWith(CALLBACK), `${back.url} ${back.text}`);
  return await exchange(node, begun, back.url);
}
