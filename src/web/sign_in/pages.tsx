/**
 * `/login`, where the provider sends browsers back to, and signing out.
 *
 * @module
 */
import { readForm } from "../layout/forms.tsx";
import type { PageRequest } from "../layout/context.ts";
import { Alert } from "../layout/parts.tsx";
import { seeOther, showPage } from "../layout/respond.tsx";
import type { WebServices } from "../services.ts";
import { setCookie } from "../session/cookies.ts";
import { endSession } from "../session/sessions.ts";
import { deleteSession } from "../session/store.ts";
import { beginSignIn, CALLBACK_PATH, safePath, takeSignIn } from "./begin.ts";
import { type FinishDeps, finishSignIn, SignInRefused } from "./finish.ts";

const APPEND = { append: true } as const;
/** As long as a session can last. */
const COOKIE_SECONDS = 30 * 86_400;
const HEAD = { title: "Sign in" };

/** The provider is out of reach, or answers what is no answer. */
function unreachable(
  request: PageRequest,
  error: unknown,
  { issuer, returnTo }: { issuer: string; returnTo: string },
): Promise<Response> {
  const { c, links } = request;
  c.get("log").warn("web.sign_in_unavailable", { issuer, error });
  const again = `${links.path("/login")}?to=${encodeURIComponent(returnTo)}`;
  return showPage(
    request,
    { title: "Sign-in is temporarily unavailable" },
    <>
      <h1>Sign-in is temporarily unavailable</h1>
      <Alert>
        <p>
          The identity provider <strong>{new URL(issuer).host}</strong>{" "}
          could not be reached or sent an invalid response. Your account is fine, and nothing was
          changed.
        </p>
      </Alert>
      <p class="actions">
        <a href={again} class="button">Try again</a>
        <a href={links.path("/")} class="button secondary">Continue without signing in</a>
      </p>
    </>,
    { status: 503, headers: { "Retry-After": "10" } },
  );
}

function refused(request: PageRequest, error: SignInRefused | null): Promise<Response> {
  const { c, links } = request;
  c.get("log").info("web.sign_in_refused", {
    reason: error?.message ?? "the sign-in was not started in this browser",
  });
  const isDenied = error?.message === "the provider returned access_denied";
  return showPage(
    request,
    { title: isDenied ? "Not signed in" : "Sign-in failed" },
    <>
      <h1>{isDenied ? "Not signed in" : "Sign-in failed"}</h1>
      <Alert>
        <p>
          {isDenied
            ? "You or the identity provider cancelled the sign-in."
            : "It took too long, was started in another browser, or the response came from someone else."}
        </p>
      </Alert>
      <p>
        <a href={links.path("/login")} class="button">Sign in again</a>
      </p>
    </>,
    { status: 400 },
  );
}

function noClient(request: PageRequest, issuer: string): Promise<Response> {
  return showPage(
    request,
    HEAD,
    <>
      <h1>Sign in</h1>
      <p>
        Users of this registry sign in at{" "}
        <strong>{issuer}</strong>, but this website is not registered there yet. Its operator must
        set <code>OIDC_CLIENT_ID</code>.
      </p>
      <p>
        With an access token from that provider you can already use the{" "}
        <a href={request.links.path("/docs")}>API</a> and the command line.
      </p>
    </>,
  );
}

/** How this application signs in; `finish` is null where nobody can. */
export interface SignIn {
  services: WebServices;
  finish: FinishDeps | null;
}

function redirectUriOf({ app }: WebServices): string {
  return `${app.publicUrl}${CALLBACK_PATH}`;
}

/** Leads to the provider's sign-in page. */
export async function login(
  { services, finish }: SignIn,
  request: PageRequest,
): Promise<Response> {
  const { cookies, setup } = services;
  const redirectUri = redirectUriOf(services);

  const { c, links, visitor } = request;
  const returnTo = safePath(c.req.query("to"), links.path("/"));
  if (visitor.caller !== null) return c.redirect(returnTo, 303);
  if (setup.kind === "no_client") return await noClient(request, setup.issuer);
  if (finish === null) throw new Error("Signing in is not set up");
  try {
    return c.redirect(
      await beginSignIn(c, finish.provider, { cookies, redirectUri, returnTo }),
      302,
    );
  } catch (error) {
    return await unreachable(request, error, { issuer: finish.provider.issuer, returnTo });
  }
}

/** Takes what the provider sends the browser back with. */
export async function callback(
  { services, finish }: SignIn,
  request: PageRequest,
): Promise<Response> {
  const { cookies } = services;
  const redirectUri = redirectUriOf(services);

  const { c, visitor } = request;
  const pending = takeSignIn(c, cookies, c.req.query("state"));
  if (pending === null || finish === null) return await refused(request, null);
  const parameters = new URL(c.req.url).searchParams;
  const context = { client: c.get("client"), requestId: c.get("requestId") };
  try {
    const secret = await finishSignIn(finish, pending, { parameters, redirectUri, ...context });
    // Always another secret than before: one that somebody planted is good for nothing.
    if (visitor.session !== null) await deleteSession(services.sql, visitor.session.id);
    c.header("Set-Cookie", setCookie(cookies, "session", secret, COOKIE_SECONDS), APPEND);
    c.header("Set-Cookie", setCookie(cookies, "visitor", ""), APPEND);
    return c.redirect(pending.returnTo, 303);
  } catch (error) {
    if (error instanceof SignInRefused) return await refused(request, error);
    const { returnTo } = pending;
    return await unreachable(request, error, { issuer: finish.provider.issuer, returnTo });
  }
}

/** Ends the browser's session. */
export async function logout(
  { services, finish }: SignIn,
  request: PageRequest,
): Promise<Response> {
  const { cookies } = services;

  const { c, visitor } = request;
  await readForm(request);
  if (visitor.session !== null && finish !== null) {
    const { refresh } = visitor.session.tokens;
    if (refresh !== null) await services.endIssuerSession(refresh);
    await endSession(finish, visitor.session, c.get("client"));
  }
  c.header("Set-Cookie", setCookie(cookies, "session", ""), APPEND);
  return seeOther(request, "/logout");
}

/** What is shown after {@link logout}. */
export async function showSignedOut(
  { services, finish }: SignIn,
  request: PageRequest,
): Promise<Response> {
  const elsewhere = finish?.provider.kind === "external"
    ? await finish.provider.endSessionUrl(`${services.app.publicUrl}/`).catch(() => null)
    : null;
  return await showPage(
    request,
    { title: "You are signed out" },
    <>
      <h1>You are signed out</h1>
      {elsewhere === null ? null : (
        <p>
          You may still be signed in at <strong>{finish!.provider.issuer}</strong>.{" "}
          <a href={elsewhere}>Sign out there too</a>
        </p>
      )}
      <p>
        <a href={request.links.path("/")}>Back to the servers</a>
      </p>
    </>,
  );
}
