/**
 * Sign-in through an OpenID provider: discovery, code with PKCE, state and nonce, an identity token
 * that is checked (OpenID Connect Core 1.0, section 3.1).
 *
 * @module
 */
import { z } from "zod";
import type { UpstreamSettings } from "../../provider_settings.ts";
import { type Fetch, fetchDocument } from "../../identity/fetch_document.ts";
import { groupsIn } from "../../identity/groups.ts";
import { checkIdToken } from "../../identity/id_token.ts";
import { createKeySet, type FindKey } from "../../identity/key_set.ts";
import { verifySignature } from "../../identity/signature.ts";
import type { Logger } from "../../log.ts";
import { readEmail } from "../accounts/email.ts";
import {
  challengeOf,
  codeOf,
  type UpstreamIdentity,
  type UpstreamProvider,
  UpstreamRefused,
} from "./provider.ts";
import { requestJson } from "./request.ts";

const DISCOVERY_MS = 3_600_000;

const endpoint = z.url({ protocol: /^https?$/ }).max(2048);

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});
type Discovery = z.infer<typeof Discovery>;

const TokenAnswer = z.object({ id_token: z.string().min(1).max(16_384) });

const Described = z.object({
  email: z.string().transform((text) => readEmail(text)).nullable().catch(null).default(null),
  // Some send it as a text.
  email_verified: z.union([
    z.boolean(),
    z.literal(["true", "false"]).transform((x) => x === "true"),
  ])
    .catch(false).default(false),
});

/** What the provider needs of its surroundings. */
export interface UpstreamDeps {
  fetch: Fetch;
  now: () => Date;
  log: Logger;
}

async function discover({ fetch }: UpstreamDeps, issuer: string): Promise<Discovery> {
  const url = `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`;
  const found = Discovery.parse(await fetchDocument(fetch, url));
  // Else a provider could send users and their codes to another one.
  if (found.issuer !== issuer) throw new UpstreamRefused(`${url} names another issuer`);
  const endpoints = [found.authorization_endpoint, found.token_endpoint, found.jwks_uri];
  if (issuer.startsWith("https:") && !endpoints.every((one) => one.startsWith("https:"))) {
    throw new UpstreamRefused(`${url} has addresses that are not https`);
  }
  return found;
}

/** The discovery document, kept for an hour; a failure is not kept. */
function keptDiscovery(deps: UpstreamDeps, issuer: string): () => Promise<Discovery> {
  let kept: { found: Promise<Discovery>; at: number } | undefined;
  return async () => {
    const at = performance.now();
    if (kept === undefined || at - kept.at >= DISCOVERY_MS) {
      kept = { found: discover(deps, issuer), at };
      kept.found.catch(() => {
        kept = undefined;
      });
    }
    return await kept.found;
  };
}

/** How the client proves itself, of what the provider takes (RFC 6749, 2.3.1). */
function authentication(found: Discovery, settings: UpstreamSettings, form: URLSearchParams) {
  const methods = found.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  if (!methods.includes("client_secret_basic") && methods.includes("client_secret_post")) {
    form.set("client_id", settings.client_id);
    form.set("client_secret", settings.client_secret);
    return {};
  }
  const encode = (text: string) => encodeURIComponent(text).replaceAll("%20", "+");
  return {
    authorization: `Basic ${
      btoa(`${encode(settings.client_id)}:${encode(settings.client_secret)}`)
    }`,
  };
}

async function exchangeCode(
  deps: UpstreamDeps,
  found: Discovery,
  settings: UpstreamSettings,
  form: URLSearchParams,
): Promise<string> {
  const headers = authentication(found, settings, form);
  const { status, body } = await requestJson(deps.fetch, found.token_endpoint, {
    method: "POST",
    headers,
    body: form,
  });
  const answer = TokenAnswer.safeParse(body);
  if (status !== 200 || !answer.success) {
    throw new UpstreamRefused(`The provider returned no identity token: status ${status}`);
  }
  return answer.data.id_token;
}

/** Who the identity token names, once its claims are checked. */
function identityOf(
  claims: Record<string, unknown>,
  settings: UpstreamSettings,
  nonce: string,
  now: Date,
): UpstreamIdentity {
  const { issuer, client_id: clientId } = settings;
  const checked = checkIdToken(claims, { issuer, clientId, nonce, now });
  if (checked.kind === "refused") {
    throw new UpstreamRefused(`The identity token ${checked.reason}`);
  }
  const { email, email_verified } = Described.parse(claims);
  const { groups_claim: claim } = settings;
  return {
    subject: checked.subject,
    email,
    emailVerified: email !== null && email_verified,
    groups: claim === undefined ? [] : groupsIn(claims, claim) ?? [],
  };
}

/**
 * The answer must name the provider that was asked, where it says that its answers do (RFC 9207):
 * two providers cannot be mixed up.
 */
function checkAnswerIssuer(found: Discovery, parameters: URLSearchParams): void {
  const named = parameters.getAll("iss");
  const isExpected = found.authorization_response_iss_parameter_supported === true;
  if (named.length === 0 && !isExpected) return;
  if (named.length !== 1 || named[0] !== found.issuer) {
    throw new UpstreamRefused("The response does not name the provider that was asked");
  }
}

/** The OpenID provider that `settings` describe. */
export function openIdUpstream(deps: UpstreamDeps, settings: UpstreamSettings): UpstreamProvider {
  const { issuer } = settings;
  const discovery = keptDiscovery(deps, issuer);
  let keys: { url: string; find: FindKey } | undefined;

  function findKeyOf(url: string): FindKey {
    if (keys?.url !== url) {
      keys = {
        url,
        find: createKeySet({ fetch: deps.fetch, log: deps.log, issuer, jwksUrl: url }),
      };
    }
    return keys.find;
  }

  return {
    name: settings.name,
    label: settings.label ??
      (issuer === "https://accounts.google.com" ? "Google" : settings.name),
    linkByEmail: settings.link_by_email,
    async authorizationUrl(redirectUri, { state, nonce, verifier }) {
      const url = new URL((await discovery()).authorization_endpoint);
      const parameters = {
        response_type: "code",
        client_id: settings.client_id,
        redirect_uri: redirectUri,
        scope: ["openid", "email", ...settings.scopes].join(" "),
        state,
        nonce,
        code_challenge: await challengeOf(verifier),
        code_challenge_method: "S256",
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },
    async identify(parameters, redirectUri, { nonce, verifier }) {
      const found = await discovery();
      checkAnswerIssuer(found, parameters);
      const token = await exchangeCode(
        deps,
        found,
        settings,
        new URLSearchParams({
          grant_type: "authorization_code",
          code: codeOf(parameters),
          redirect_uri: redirectUri,
          code_verifier: verifier,
        }),
      );
      const claims = await verifySignature(token, findKeyOf(found.jwks_uri));
      return identityOf(claims, settings, nonce, deps.now());
    },
  };
}
