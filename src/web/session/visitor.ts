/**
 * Who looks at a page: a signed-in user, or anybody. Asked for once a request, by pages only.
 *
 * @module
 */
import type { Context } from "hono";
import { AppError } from "../../errors.ts";
import { formForged } from "../failures.ts";
import type { HttpEnv } from "../../http/environment.ts";
import type { Caller } from "../../identity/caller.ts";
import { type CookieScope, readCookie, setCookie } from "./cookies.ts";
import { derive, isSame, isSecret, randomSecret } from "./secrets.ts";
import { openSession, type Session } from "./sessions.ts";
import type { SessionDeps } from "./tokens.ts";

/** Whoever looks at a page. */
export interface Visitor {
  /** Null: not signed in. */
  session: Session | null;
  caller: Caller | null;
  /** Why it is not known whether somebody is signed in. */
  problem: AppError | null;
  /** Whether this browser has been here before, and keeps cookies. */
  isKnown: boolean;
  /** Token for the forms of this page. Gives browsers that have no secret yet one. */
  formToken(): string;
  /** Whether the token was asked for, so that the page may hold it. */
  readonly hasFormToken: boolean;
  /** A name for what belongs to this browser alone, such as a session in the sandbox. */
  own(purpose: string): string;
}

export interface VisitorDeps {
  /** Null where nobody can sign in. */
  sessions: SessionDeps | null;
  cookies: CookieScope;
}

const FORM = "form";

async function sessionOf(
  c: Context<HttpEnv>,
  { sessions, cookies }: VisitorDeps,
): Promise<Pick<Visitor, "session" | "problem">> {
  const secret = readCookie(c, cookies, "session");
  if (sessions === null || secret === undefined) return { session: null, problem: null };
  try {
    const session = await openSession(sessions, secret, c.get("client"));
    if (session === null) c.header("Set-Cookie", setCookie(cookies, "session", ""), APPEND);
    return { session, problem: null };
  } catch (error) {
    // Pages that need no user are shown all the same.
    if (!(error instanceof AppError)) throw error;
    return { session: null, problem: error };
  }
}

const APPEND = { append: true } as const;

const known = new WeakMap<Context<HttpEnv>, Promise<Visitor>>();

/** The visitor of a request, who is looked for once. */
export function findVisitor(c: Context<HttpEnv>, deps: VisitorDeps): Promise<Visitor> {
  const found = known.get(c) ?? lookForVisitor(c, deps);
  known.set(c, found);
  return found;
}

async function lookForVisitor(c: Context<HttpEnv>, deps: VisitorDeps): Promise<Visitor> {
  const { session, problem } = await sessionOf(c, deps);
  let secret = session?.secret ?? null;
  let hasFormToken = false;

  function anySecret(): string {
    if (secret !== null) return secret;
    const sent = readCookie(c, deps.cookies, "visitor");
    secret = isSecret(sent) ? sent : randomSecret();
    if (secret !== sent) {
      c.header("Set-Cookie", setCookie(deps.cookies, "visitor", secret), APPEND);
    }
    return secret;
  }

  return {
    session,
    caller: session?.caller ?? null,
    problem,
    isKnown: session !== null || isSecret(readCookie(c, deps.cookies, "visitor")),
    formToken() {
      hasFormToken = true;
      return derive(anySecret(), FORM);
    },
    get hasFormToken() {
      return hasFormToken;
    },
    own: (purpose) => derive(anySecret(), `own ${purpose}`),
  };
}

/** Whether the request comes from a page of this service, as far as the browser says. */
function isOwnOrigin(c: Context<HttpEnv>, publicUrl: string): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") return false;
  const origin = c.req.header("origin");
  // Pages here are served with "Referrer-Policy: no-referrer": browsers then send no other origin.
  if (origin === undefined || origin === "null") return true;
  if (origin === new URL(publicUrl).origin) return true;
  // The listener checked the Host: it may name this machine in another way.
  return origin.replace(/^https?:\/\//, "") === c.req.header("host");
}

/**
 * Refuses a form that this service did not give to this very browser.
 *
 * @throws {AppError} `forbidden`.
 */
export function checkForm(
  c: Context<HttpEnv>,
  visitor: Visitor,
  { token, publicUrl }: { token: string | null; publicUrl: string },
): void {
  const isRight = isSame(visitor.formToken(), token ?? "");
  if (isRight && isOwnOrigin(c, publicUrl)) return;
  throw formForged();
}
