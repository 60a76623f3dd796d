/**
 * Sign-in through GitHub, which speaks OAuth 2.0 but not OpenID Connect: who the user is comes from
 * its API.
 *
 * @module
 */
import { z } from "zod";
import type { UpstreamSettings } from "../../provider_settings.ts";
import type { Fetch } from "../../identity/fetch_document.ts";
import { readEmail } from "../accounts/email.ts";
import {
  challengeOf,
  codeOf,
  type UpstreamIdentity,
  type UpstreamProvider,
  UpstreamRefused,
} from "./provider.ts";
import { requestJson } from "./request.ts";

const PUBLIC_URL = "https://github.com";
const PUBLIC_API_URL = "https://api.github.com";

// Failures come with status 200.
const TokenAnswer = z.object({
  access_token: z.string().min(1).max(1000).regex(/^[\x21-\x7e]+$/),
  token_type: z.string().regex(/^bearer$/i),
});

const User = z.object({ id: z.number().int().positive() });

const Addresses = z.array(z.object({
  email: z.string().max(1000),
  primary: z.boolean(),
  verified: z.boolean(),
})).max(1000);

function trimmed(url: string): string {
  return url.replace(/\/+$/, "");
}

async function ask<T>(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  schema: z.ZodType<T>,
): Promise<T> {
  const { status, body } = await requestJson(fetch, url, init);
  const parsed = schema.safeParse(body);
  if (status !== 200 || !parsed.success) {
    throw new UpstreamRefused(`Unexpected response from ${url}: status ${status}`);
  }
  return parsed.data;
}

/** GitHub, or a code host that speaks like it, as `settings` describe it. */
export function gitHubUpstream(fetch: Fetch, settings: UpstreamSettings): UpstreamProvider {
  const url = trimmed(settings.url ?? PUBLIC_URL);
  const api = trimmed(settings.api_url ?? PUBLIC_API_URL);

  async function identity(token: string): Promise<UpstreamIdentity> {
    const init = {
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/vnd.github+json",
        "x-github-api-version": "2022-11-28",
      },
    };
    const user = await ask(fetch, `${api}/user`, init, User);
    // The profile's own address may be anything; this list says which one is proven.
    const addresses = await ask(fetch, `${api}/user/emails?per_page=100`, init, Addresses);
    const primary = addresses.find((address) => address.primary && address.verified);
    const email = readEmail(primary?.email);
    return { subject: String(user.id), email, emailVerified: email !== null, groups: [] };
  }

  return {
    name: settings.name,
    label: settings.label ?? "GitHub",
    linkByEmail: settings.link_by_email,
    async authorizationUrl(redirectUri, { state, verifier }) {
      const address = new URL(`${url}/login/oauth/authorize`);
      address.search = new URLSearchParams({
        client_id: settings.client_id,
        redirect_uri: redirectUri,
        scope: "read:user user:email",
        state,
        code_challenge: await challengeOf(verifier),
        code_challenge_method: "S256",
      }).toString();
      return address.href;
    },
    async identify(parameters, redirectUri, { verifier }) {
      const form = new URLSearchParams({
        client_id: settings.client_id,
        client_secret: settings.client_secret,
        code: codeOf(parameters),
        redirect_uri: redirectUri,
        code_verifier: verifier,
      });
      const answer = await ask(fetch, `${url}/login/oauth/access_token`, {
        method: "POST",
        body: form,
      }, TokenAnswer);
      return await identity(answer.access_token);
    },
  };
}
