/**
 * Sign-in through an OpenID provider: discovery, code with PKCE, state and nonce, an identity token
 * that is checked (OpenID Connect Core 1.0, section 3.1).
 *
 * @module
 */
import { z } from "zod";
import type { UpstreamSettings } from "../../config.ts";
import { type Fetch, fetchDocument } from "../../identity/fetch_document.ts";
import { createKeySet, type FindKey } from "../../identity/key_set.ts";
import { verifySignature } from "../../identity/signature.ts";
import type { Logger } from "../../log.ts";
import { readEmail } from "../accounts/email.ts";
import {
  challengeOf,
  codeOf,
  Subject,
  type UpstreamIdentity,
  type UpstreamProvider,
  UpstreamRefused,
} from "./provider.ts";
import { requestJson } from "./request.ts";

const DISCOVERY_MS = 3_600_000;
const LEEWAY_SECONDS = 30;
/** An identity token is made for this very sign-in: an old one is not. */
const MAX_AGE_SECONDS = 600;

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

const IdToken = z.object({
  iss: z.string(),
  sub: Subject,
  aud: z.union([z.string(), z.array(z.string())]).transform((aud) => [aud].flat()),
  azp: z.string().optional(),
  exp: z.number(),
  iat: z.number(),
  nonce: z.string(),
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
  if (found.issuer !== issuer) throw new UpstreamRefused(`${url} is of another issuer`);
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
    const at = deps.now().getTime();
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
    throw new UpstreamRefused(`The provider gives no identity token: status ${status}`);
  }
  return answer.data.id_token;
}

/** Checks the claims of an identity token (OpenID Connect Core 1.0, section 3.1.3.7). */
function checkIdToken(
  claims: Record<string, unknown>,
  settings: UpstreamSettings,
  nonce: string,
  now: Date,
): UpstreamIdentity {
  const parsed = IdToken.safeParse(claims);
  if (!parsed.success) {
    const path = String(parsed.error.issues[0]?.path[0]);
    throw new UpstreamRefused(`The identity token's claim ${path} is missing or not of its type`);
  }
  const { iss, sub, aud, azp, exp, iat, email, email_verified } = parsed.data;
  const seconds = now.getTime() / 1000;
  const faults: [boolean, string][] = [
    [iss !== settings.issuer, "is of another issuer"],
    [!aud.includes(settings.client_id), "is for another client"],
    [aud.length > 1 && azp !== settings.client_id, "is for several clients"],
    [azp !== undefined && azp !== settings.client_id, "was given to another client"],
    [seconds >= exp + LEEWAY_SECONDS, "has expired"],
    [iat > seconds + LEEWAY_SECONDS, "is from the future"],
    [iat < seconds - MAX_AGE_SECONDS, "is old"],
    [parsed.data.nonce !== nonce, "is of another sign-in"],
  ];
  const fault = faults.find(([isFault]) => isFault);
  if (fault !== undefined) throw new UpstreamRefused(`The identity token ${fault[1]}`);
  return { subject: sub, email, emailVerified: email !== null && email_verified };
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
    throw new UpstreamRefused("The answer does not name the provider that was asked");
  }
}

/** The OpenID provider that `settings` describe. */
export function openIdUpstream(deps: UpstreamDeps, settings: UpstreamSettings): UpstreamProvider {
  const { issuer } = settings;
  const discovery = keptDiscovery(deps, issuer);
  let keys: { url: string; find: FindKey } | undefined;

  function findKeyOf(url: string): FindKey {
    if (keys?.url !== url) keys = { url, find: createKeySet({ ...deps, issuer, jwksUrl: url }) };
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
        scope: "openid email",
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
      return checkIdToken(claims, settings, nonce, deps.now());
    },
  };
}
