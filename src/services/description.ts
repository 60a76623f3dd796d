/**
 * What this Berth tells its clients of itself.
 *
 * @module
 */
import project from "../../deno.json" with { type: "json" };
import { type Config, workerUrl } from "../config.ts";
import { API } from "../http/links.ts";
import { resourceOf } from "../http/routes/protected_resource.ts";
import type { ServiceDescription } from "../http/service_description.ts";
import { issuerAddress } from "../issuer/address.ts";
import { CLI_CLIENT } from "../issuer/first_party.ts";
import { API_SCOPE } from "../issuer/provider.ts";
import { EMBEDDED_AUDIENCE } from "./issuer.ts";

const SCOPE = "openid email offline_access";

function signInOf(config: Config, publicUrl: string): ServiceDescription["sign_in"] {
  if (config.OIDC_ISSUER === undefined) {
    return {
      issuer: issuerAddress(publicUrl).issuer,
      client_id: CLI_CLIENT,
      audience: EMBEDDED_AUDIENCE,
      scope: `${SCOPE} ${API_SCOPE}`,
    };
  }
  return {
    issuer: config.OIDC_ISSUER,
    client_id: config.OIDC_CLI_CLIENT_ID ?? config.OIDC_CLIENT_ID ?? null,
    audience: config.OIDC_AUDIENCE?.[0] ?? null,
    scope: SCOPE,
  };
}

/**
 * The description of this service.
 *
 * @param addresses The configuration, with the ports that the listeners have.
 * @param publicUrl Public address of the registry listener, without a trailing slash.
 */
export function describeService(addresses: Config, publicUrl: string): ServiceDescription {
  return {
    name: "Berth",
    version: project.version,
    api_url: `${publicUrl}${API}`,
    mcp_url: resourceOf(workerUrl(addresses)),
    sign_in: signInOf(addresses, publicUrl),
    execution: {
      policy: addresses.EXECUTION_POLICY,
      profile: addresses.INTERPRETER_PROFILE,
      capabilities: addresses.CAPABILITY_POLICY,
    },
  };
}
