/**
 * `berth logout`.
 *
 * @module
 */
import type { Cli } from "../cli.ts";
import { send } from "../client/http.ts";
import { changeCredential, type Credential, readCredential } from "../sign_in/credentials.ts";
import { describeIssuer } from "../sign_in/service.ts";

export interface LogoutOptions {
  everywhere?: true | undefined;
}

/** Ends the refresh token at the issuer (RFC 7009). */
async function revokeRefreshToken(cli: Cli, credential: Credential): Promise<void> {
  const { issuer, client_id, refresh_token } = credential;
  if (issuer === null || client_id === null || refresh_token === null) return;
  const { revocation_endpoint } = await describeIssuer(cli.context, issuer);
  if (revocation_endpoint === undefined) return;
  const response = await send(cli.context, revocation_endpoint, {
    what: "The identity provider",
    method: "POST",
    body: new URLSearchParams({
      token: refresh_token,
      token_type_hint: "refresh_token",
      client_id,
    }),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The identity provider returned status ${response.status}`);
}

async function revokeAccessToken(cli: Cli, path: string, token: string): Promise<void> {
  const response = await send(cli.context, `${await cli.registry()}/api/v1${path}`, {
    what: "The registry",
    method: "DELETE",
    headers: { authorization: `Bearer ${token}` },
  });
  await response.body?.cancel();
  // An expired or revoked token is what was wanted.
  if (!response.ok && response.status !== 401) {
    throw new Error(`The registry returned status ${response.status}`);
  }
}

/** Ends the sign-in at the registry: there, at the issuer, and here, whatever the others say. */
export async function logout(cli: Cli, options: LogoutOptions): Promise<void> {
  const registry = await cli.registry();
  if (options.everywhere) {
    const api = await cli.api();
    await (await api.send("/auth/tokens", { method: "DELETE", auth: "required" })).body?.cancel();
  }
  const credential = await readCredential(cli.context, registry);
  if (credential === null) {
    cli.output.note(`Not signed in at ${registry}`);
    return;
  }
  const ended = await Promise.allSettled([
    revokeRefreshToken(cli, credential),
    revokeAccessToken(cli, "/auth/tokens/current", credential.access_token),
  ]);
  await changeCredential(cli.context, registry, () => Promise.resolve(null));
  if (ended.some(({ status }) => status === "rejected")) {
    cli.output.warn(
      "The sign-in was removed here but could not be revoked at the registry: its token stays valid " +
        "for up to an hour",
    );
  }
  const where = options.everywhere ? "everywhere" : `at ${registry}`;
  cli.output.done(`Signed out ${where}`);
}
