/**
 * An OpenID provider of another maker, at which the pages of a site have a client.
 *
 * @module
 */
import { type OpenIdProvider, startOpenIdProvider } from "../helpers/openid_provider.ts";
import { CLIENT } from "./forger.ts";

/** Starts it, and says how the site at `url` is to be configured; tokens are for `audience`. */
export async function providerFor(
  url: string,
  audience = "berth",
): Promise<{ provider: OpenIdProvider; environment: Record<string, string> }> {
  const provider = await startOpenIdProvider({
    audience,
    clients: [{
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      redirect_uris: [`${url}/login/callback`],
    }],
  });
  const environment = {
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: "berth",
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
  };
  return { provider, environment };
}
