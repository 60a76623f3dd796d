/**
 * The way through another provider: from the sign-in page there, back to one fixed address for each
 * provider, and from there to the sign-in that began it.
 *
 * The fixed address is outside the sign-in's own, where its cookie does not go. So whom the provider
 * named is kept under a ticket, and the sign-in takes it where both its own cookie and the one of
 * the way are there. Whoever is given another's address with a code or a ticket gets nowhere.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import type { Rule } from "../../limits/window.ts";
import { offerAdministration } from "../accounts/first_admin.ts";
import { renewGroups } from "../accounts/groups.ts";
import { recordSignIn } from "../accounts/sign_in.ts";
import { methodsOf } from "../claims.ts";
import { checkedForm } from "../csrf.ts";
import type { IssuerDeps } from "../deps.ts";
import { randomSecret } from "../digest.ts";
import { networkOf } from "../guard.ts";
import { findInteraction, finishInteraction } from "../interactions.ts";
import { html } from "../pages/html.ts";
import { staleForm, tooMany, unknownInteraction } from "../pages/messages.ts";
import { respond, seeOther } from "../pages/respond.ts";
import { cookieOf, type IssuerRequest } from "../request.ts";
import type { IssuerRoute } from "../route.ts";
import { accountOf } from "./link.ts";
import { type UpstreamProvider, UpstreamRefused } from "./provider.ts";
import { insertSignIn, keepOutcome, LIFE_SECONDS, takeOutcome, takeSignIn } from "./sign_ins.ts";
import type { CurrentProvider } from "../library.ts";

const COOKIE = "berth_upstream";
/** Sign-ins begun from one network: each is stored. */
const BEGIN_RULE: Rule = { max: 120, windowSeconds: 3600 };

/** Address below the issuer's to which the provider `name` sends browsers back. */
function callbackPath(name: string): string {
  return `/upstream/${name}/callback`;
}

function cookieFor({ address }: IssuerDeps, value: string, seconds: number): string {
  return `${COOKIE}=${value}; Path=${address.path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax` +
    (address.secure ? "; Secure" : "");
}

/** The secret of this browser, made where it has none: several sign-ins may be on their way. */
function browserOf(request: IssuerRequest): { secret: string; isNew: boolean } {
  const sent = cookieOf(request, COOKIE);
  return sent !== null && /^[\w-]{43}$/.test(sent)
    ? { secret: sent, isNew: false }
    : { secret: randomSecret(), isNew: true };
}

function failed(deps: IssuerDeps, label: string, status: number, text: string): Response {
  return respond(deps.address, {
    title: `Sign-in with ${label} failed`,
    status,
    body: html`
      <p>${text}</p>
      <p>Go back to the program where you started and try again.</p>
    `,
  });
}

async function begin(
  deps: IssuerDeps,
  provider: UpstreamProvider,
  request: IssuerRequest,
  interaction: string,
): Promise<Response> {
  const attempt = await deps.attempts.take(
    `upstream sign-in from ${networkOf(request.client)}`,
    BEGIN_RULE,
  );
  if (!attempt.allowed) return tooMany(deps.address, attempt.retryAfterSeconds);
  const secrets = { state: randomSecret(), nonce: randomSecret(), verifier: randomSecret() };
  const redirect = `${deps.address.issuer}${callbackPath(provider.name)}`;
  let target: string;
  try {
    target = await provider.authorizationUrl(redirect, secrets);
  } catch (error) {
    request.log.warn("issuer.upstream_unavailable", { provider: provider.name, error });
    return failed(deps, provider.label, 503, `${provider.label} could not be reached.`);
  }
  const { secret } = browserOf(request);
  await insertSignIn(
    deps.sql,
    { ...secrets, browser: secret, provider: provider.name, interaction },
    deps.now(),
  );
  // Not a redirect: the policy of the page with the form forbids forms that end up elsewhere.
  return respond(deps.address, {
    title: `Continue with ${provider.label}`,
    cookies: [cookieFor(deps, secret, LIFE_SECONDS)],
    headers: { Refresh: `0; url=${target}` },
    body: html`<p><a rel="noreferrer" href="${target}">Continue to ${new URL(target).host}</a></p>`,
  });
}

async function comeBack(
  deps: IssuerDeps,
  provider: UpstreamProvider,
  request: IssuerRequest,
): Promise<Response> {
  const states = request.query.getAll("state");
  const browser = cookieOf(request, COOKIE);
  const signIn = states.length === 1 && browser !== null
    ? await takeSignIn(
      deps.sql,
      { state: states[0]!, browser, provider: provider.name },
      deps.now(),
    )
    : null;
  if (signIn === null || browser === null) {
    return failed(deps, provider.label, 400, "This sign-in was not started here or has expired.");
  }
  const redirect = `${deps.address.issuer}${callbackPath(provider.name)}`;
  try {
    const identity = await provider.identify(request.query, redirect, signIn);
    const { requestId } = request;
    const account = await accountOf({ ...deps, requestId }, provider, identity);
    await renewGroups(deps, account.accountId, identity.groups);
    if (account.how === "created") await offerAdministration(deps, account.accountId);
    request.log.info("issuer.upstream_sign_in", { provider: provider.name, how: account.how });
    const ticket = randomSecret();
    await keepOutcome(deps.sql, {
      ticket,
      browser,
      provider: provider.name,
      interaction: signIn.interaction,
      account: account.accountId,
    }, deps.now());
    const base = `${deps.address.path}/interaction/${signIn.interaction}`;
    return seeOther(`${base}/upstream/${provider.name}/done?ticket=${ticket}`);
  } catch (error) {
    // Also when its token does not pass the checks.
    const isRefusal = error instanceof UpstreamRefused ||
      error instanceof AppError && error.status < 500;
    request.log.warn("issuer.upstream_refused", { provider: provider.name, error });
    if (request.query.get("error") === "access_denied") {
      return failed(deps, provider.label, 400, `The sign-in was refused at ${provider.label}.`);
    }
    return failed(
      deps,
      provider.label,
      isRefusal ? 400 : 503,
      isRefusal
        ? `The response from ${provider.label} is not valid.`
        : `${provider.label} could not be reached.`,
    );
  }
}

export function upstreamRoutes(
  deps: IssuerDeps,
  current: CurrentProvider,
  providers: readonly UpstreamProvider[],
): IssuerRoute[] {
  async function go(request: IssuerRequest, uid: string, provider: UpstreamProvider) {
    const interaction = await findInteraction(deps, await current(), request, uid);
    if (interaction?.prompt.name !== "login") return unknownInteraction(deps.address);
    return await begin(deps, provider, request, uid);
  }

  async function done(request: IssuerRequest, uid: string, provider: UpstreamProvider) {
    const openId = await current();
    const interaction = await findInteraction(deps, openId, request, uid);
    const browser = cookieOf(request, COOKIE);
    if (interaction?.prompt.name !== "login" || browser === null) {
      return unknownInteraction(deps.address);
    }
    const ticket = request.query.get("ticket") ?? "";
    const accountId = await takeOutcome(
      deps.sql,
      { ticket, browser, provider: provider.name, interaction: uid },
      deps.now(),
    );
    if (accountId === null) return unknownInteraction(deps.address);
    await recordSignIn(deps, request, { accountId, provider: provider.name });
    const login = { accountId, amr: methodsOf(provider.name) };
    return await finishInteraction(deps, openId, request, { login });
  }

  return providers.flatMap((provider): IssuerRoute[] => [
    {
      method: "POST",
      path: `/interaction/:uid/upstream/${provider.name}`,
      async handle(request, { uid }) {
        if (await checkedForm(deps, request) === null) return staleForm(deps.address);
        return await go(request, uid!, provider);
      },
    },
    {
      method: "GET",
      path: callbackPath(provider.name),
      handle: (request) => comeBack(deps, provider, request),
    },
    {
      method: "GET",
      path: `/interaction/:uid/upstream/${provider.name}/done`,
      handle: (request, { uid }) => done(request, uid!, provider),
    },
  ]);
}
