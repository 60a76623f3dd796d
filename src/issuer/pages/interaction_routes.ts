/**
 * The pages of a running sign-in: who are you, and may this client act for you.
 *
 * @module
 */
import { findAccount, PASSWORD_PROVIDER } from "../accounts/accounts.ts";
import { readEmail } from "../accounts/email.ts";
import { signIn } from "../accounts/sign_in.ts";
import { methodsOf } from "../claims.ts";
import { checkedForm, formToken } from "../csrf.ts";
import type { IssuerDeps } from "../deps.ts";
import { CLI_CLIENT, WEB_CLIENT } from "../first_party.ts";
import {
  findInteraction,
  finishInteraction,
  type Interaction,
  parameterOf,
  targetOf,
} from "../interactions.ts";
import type { CurrentProvider, OpenIdProvider } from "../library.ts";
import type { IssuerRequest } from "../request.ts";
import { isForRunningOnly } from "../resources.ts";
import type { IssuerRoute } from "../route.ts";
import { consentBody } from "./consent_page.ts";
import { staleForm, tooMany, unknownInteraction } from "./messages.ts";
import { respond } from "./respond.ts";
import { signInBody } from "./sign_in_page.ts";

const WRONG = "Incorrect e-mail address or password";
const READY = "Your password is set. Sign in with it";
const MAX_EMAIL = 254;

/** What every page of a running sign-in works with. */
interface Running {
  request: IssuerRequest;
  provider: OpenIdProvider;
  interaction: Interaction;
}

async function clientName(provider: OpenIdProvider, interaction: Interaction): Promise<string> {
  const id = parameterOf(interaction, "client_id") ?? "";
  const client = await provider.Client.find(id);
  return client?.clientName ?? id;
}

async function signInPage(
  deps: IssuerDeps,
  { request, provider, interaction }: Running,
  attempt: { email?: string; failure: string | null } = { failure: null },
): Promise<Response> {
  const { token, cookies } = await formToken(deps, request);
  const email = attempt.email ?? parameterOf(interaction, "login_hint") ?? "";
  const target = targetOf(interaction);
  return respond(deps.address, {
    title: "Sign in",
    status: attempt.failure === null ? 200 : 400,
    cookies,
    formTargets: target === null ? [] : [target.source],
    body: signInBody(deps.address, {
      uid: interaction.uid,
      client: await clientName(provider, interaction),
      token,
      email: email.slice(0, MAX_EMAIL),
      failure: attempt.failure,
      notice: request.query.get("notice") === "ready" ? READY : null,
      upstream: deps.extensions.upstream ?? [],
    }),
  });
}

async function consentPage(
  deps: IssuerDeps,
  { request, provider, interaction }: Running,
): Promise<Response> {
  const { token, cookies } = await formToken(deps, request);
  const accountId = interaction.session?.accountId;
  const account = accountId ? await findAccount(deps.sql, accountId) : null;
  const clientId = parameterOf(interaction, "client_id") ?? "";
  const target = targetOf(interaction);
  return respond(deps.address, {
    title: "Allow access?",
    cookies,
    formTargets: target === null ? [] : [target.source],
    body: consentBody(deps.address, {
      uid: interaction.uid,
      token,
      client: await clientName(provider, interaction),
      clientId,
      trusted: clientId === WEB_CLIENT || clientId === CLI_CLIENT,
      host: target?.host ?? null,
      runsOnly: isForRunningOnly(
        { ...deps, publicUrl: deps.address.publicUrl },
        interaction.params["resource"],
      ),
      email: account?.email ?? null,
    }),
  });
}

/** Makes or extends the grant by what the client asked for; returns its id. */
async function grantAll({ provider, interaction }: Running): Promise<string> {
  const known = interaction.grantId ? await provider.Grant.find(interaction.grantId) : undefined;
  const grant = known ?? new provider.Grant({
    accountId: interaction.session!.accountId,
    clientId: parameterOf(interaction, "client_id")!,
  });
  const missing = interaction.prompt.details as {
    missingOIDCScope?: string[];
    missingResourceScopes?: Record<string, string[]>;
  };
  if (missing.missingOIDCScope) grant.addOIDCScope(missing.missingOIDCScope.join(" "));
  for (const [resource, scopes] of Object.entries(missing.missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, scopes.join(" "));
  }
  return await grant.save();
}

async function submitSignIn(
  deps: IssuerDeps,
  running: Running,
  form: ReadonlyMap<string, string>,
): Promise<Response> {
  const given = (form.get("email") ?? "").slice(0, MAX_EMAIL);
  const email = readEmail(given);
  const password = form.get("password") ?? "";
  if (email === null || password === "") {
    const failure = "Enter your e-mail address and password";
    return await signInPage(deps, running, { email: given, failure });
  }
  const outcome = await signIn(deps, running.request, { email, password });
  if (outcome.kind === "limited") return tooMany(deps.address, outcome.retryAfterSeconds);
  if (outcome.kind === "refused") {
    return await signInPage(deps, running, { email: given, failure: WRONG });
  }
  const login = { accountId: outcome.accountId, amr: methodsOf(PASSWORD_PROVIDER) };
  return await finishInteraction(deps, running.provider, running.request, { login });
}

/** Whether the provider waits for `prompt`; a page of another one is out of date. */
function waitsFor({ interaction }: Running, prompt: string): boolean {
  return interaction.prompt.name === prompt;
}

type Submit = (running: Running, form: ReadonlyMap<string, string>) => Promise<Response>;

/** The routes below `/interaction/:uid`. */
export function interactionRoutes(deps: IssuerDeps, current: CurrentProvider): IssuerRoute[] {
  async function run(
    request: IssuerRequest,
    uid: string,
    work: (running: Running) => Promise<Response>,
  ): Promise<Response> {
    const provider = await current();
    const interaction = await findInteraction(deps, provider, request, uid);
    if (interaction === null) return unknownInteraction(deps.address);
    return await work({ request, provider, interaction });
  }

  function show(running: Running): Promise<Response> {
    return waitsFor(running, "login") ? signInPage(deps, running) : consentPage(deps, running);
  }

  function post(name: string, submit: Submit): IssuerRoute {
    return {
      method: "POST",
      path: `/interaction/:uid/${name}`,
      async handle(request, { uid }) {
        const form = await checkedForm(deps, request);
        if (form === null) return staleForm(deps.address);
        return await run(request, uid!, (running) => submit(running, form));
      },
    };
  }

  return [
    {
      method: "GET",
      path: "/interaction/:uid",
      handle: (request, { uid }) => run(request, uid!, show),
    },
    post(
      "sign-in",
      (running, form) =>
        waitsFor(running, "login") ? submitSignIn(deps, running, form) : show(running),
    ),
    post("consent", async (running) => {
      if (!waitsFor(running, "consent")) return await show(running);
      const consent = { grantId: await grantAll(running) };
      return await finishInteraction(deps, running.provider, running.request, { consent });
    }),
    post("abort", ({ provider, request }) =>
      finishInteraction(deps, provider, request, {
        error: "access_denied",
        error_description: "The user denied access",
      })),
  ];
}
