/**
 * `berth login`.
 *
 * @module
 */
import type { Cli } from "../cli.ts";
import { readAll } from "../context.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import { changeCredential, type Credential, readCredential } from "../sign_in/credentials.ts";
import { type DeviceCode, signInByDevice } from "../sign_in/device.ts";
import { expiryOf, type Tokens } from "../sign_in/grant.ts";
import { fetchProfile, type Profile } from "../sign_in/profile.ts";
import { describeIssuer, mayCarrySecrets } from "../sign_in/service.ts";
import { openInBrowser } from "./open.ts";

export interface LoginOptions {
  tokenStdin?: true | undefined;
  clientId?: string | undefined;
  /** The identity provider that the user expects. */
  issuer?: string | undefined;
  /** False with `--no-browser`. */
  browser: boolean;
}

/** Stores a token that was handed over. It lasts for its hour: nothing refreshes it. */
async function storeToken(cli: Cli, registry: string): Promise<Profile> {
  if (cli.context.terminals.in && cli.asks) cli.output.note("Paste the token, then press Ctrl-D:");
  const token = (await readAll(cli.context)).trim();
  if (token === "") throw usageError("No token on standard input");
  const profile = await fetchProfile(cli.context, registry, token);
  if (profile === null) {
    throw new CliError(EXIT.signedOut, `The registry at ${registry} did not accept this token`);
  }
  await changeCredential(cli.context, registry, () =>
    Promise.resolve({
      access_token: token,
      expires_at: expiryOf(token, undefined, cli.context.now()),
      refresh_token: null,
      issuer: null,
      client_id: null,
      token: "access_token" as const,
      username: profile.username,
    }));
  return profile;
}

async function show(cli: Cli, code: DeviceCode, browser: boolean): Promise<void> {
  const { output } = cli;
  const { bold } = output.errStyle;
  // Whatever was asked for: without this nobody can go on.
  cli.context.err(`Open ${bold(code.verification_uri)}\nand enter ${bold(code.user_code)}\n`);
  const complete = code.verification_uri_complete;
  if (browser && cli.asks && await openInBrowser(cli, complete ?? code.verification_uri)) {
    output.note("Your browser will open that page. Check that the code matches, then confirm.");
  }
  output.note("Waiting for confirmation…");
}

/** Which of the issuer's tokens the registry takes: some providers' access tokens are not JWTs. */
async function usableToken(
  cli: Cli,
  registry: string,
  tokens: Tokens,
): Promise<{ token: Credential["token"]; profile: Profile }> {
  for (const token of ["access_token", "id_token"] as const) {
    const text = tokens[token];
    if (text === undefined) continue;
    const profile = await fetchProfile(cli.context, registry, text);
    if (profile !== null) return { token, profile };
  }
  throw new CliError(EXIT.signedOut, `The registry at ${registry} did not accept these tokens`, {
    hint:
      "Its operator should check that OIDC_AUDIENCE matches the audience of the provider's tokens",
  });
}

const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/;

/** Scheme, host and port; names of this machine are one. */
function partyOf(address: string): string {
  const { protocol, hostname, port } = new URL(address);
  return `${protocol}//${LOOPBACK.test(hostname) ? "loopback" : hostname}:${port}`;
}

/**
 * Makes sure that the user means to sign in at `issuer`: whoever runs the registry gets the token,
 * and could name another's provider to get at what it is good for elsewhere.
 */
async function agreeToIssuer(
  cli: Cli,
  { registry, issuer, expected }: { registry: string; issuer: string; expected?: string },
): Promise<void> {
  if (expected !== undefined) {
    if (expected === issuer) return;
    throw new CliError(EXIT.failure, `${registry} signs users in at ${issuer}`, {
      hint: `--issuer is ${expected}. Check that this is the right registry`,
    });
  }
  if (partyOf(registry) === partyOf(issuer)) return;
  if ((await readCredential(cli.context, registry))?.issuer === issuer) return;
  if (!cli.asks) {
    throw usageError(
      `${registry} signs users in at ${issuer}`,
      `If you trust this registry with your token, pass --issuer ${issuer}`,
    );
  }
  cli.output.warn(
    `${registry} signs users in at ${issuer} and will receive your token from there`,
  );
  if (!await cli.confirm("Do you trust this registry?")) {
    throw new CliError(EXIT.failure, "Not signed in");
  }
}

async function signIn(cli: Cli, registry: string, options: LoginOptions): Promise<Profile> {
  const { context } = cli;
  const { sign_in } = await cli.service();
  if (sign_in === null) {
    throw new CliError(EXIT.failure, `Sign-in is not configured at ${registry}`);
  }
  const clientId = options.clientId ?? sign_in.client_id;
  const byToken = "Sign in with an existing token: berth login --token-stdin";
  if (clientId === null) {
    throw new CliError(
      EXIT.failure,
      `${registry} has no client for the command line at ${sign_in.issuer}`,
      {
        hint: `Its operator can set OIDC_CLI_CLIENT_ID, or you can pass --client-id. ${byToken}`,
      },
    );
  }
  const { issuer } = sign_in;
  const expected = options.issuer;
  await agreeToIssuer(cli, {
    registry,
    issuer,
    ...(expected === undefined ? {} : { expected }),
  });
  const metadata = await describeIssuer(context, issuer);
  const { device_authorization_endpoint: deviceEndpoint, token_endpoint: tokenEndpoint } = metadata;
  if (deviceEndpoint === undefined) {
    throw new CliError(EXIT.failure, `${sign_in.issuer} does not support sign-in from a terminal`, {
      hint: byToken,
    });
  }
  const tokens = await signInByDevice(
    context,
    {
      deviceEndpoint,
      tokenEndpoint,
      clientId,
      scope: sign_in.scope,
      audience: sign_in.audience,
    },
    (code) => show(cli, code, options.browser),
  );
  const { token, profile } = await usableToken(cli, registry, tokens);
  const text = tokens[token]!;
  await changeCredential(context, registry, () =>
    Promise.resolve({
      access_token: text,
      expires_at: expiryOf(text, tokens.expires_in, context.now()),
      refresh_token: tokens.refresh_token ?? null,
      issuer: sign_in.issuer,
      client_id: clientId,
      token,
      username: profile.username,
    }));
  return profile;
}

/** Signs in at the registry and keeps the sign-in. */
export async function login(cli: Cli, options: LoginOptions): Promise<void> {
  const registry = await cli.registry();
  if (!mayCarrySecrets(registry)) {
    cli.output.warn(
      `The connection to ${registry} is not encrypted: others on the network can read your token`,
    );
  }
  if (cli.context.env("BERTH_TOKEN") !== undefined) {
    cli.output.warn("BERTH_TOKEN is set and takes precedence over this sign-in");
  }
  const profile = options.tokenStdin
    ? await storeToken(cli, registry)
    : await signIn(cli, registry, options);
  if (cli.output.json) cli.output.data({ status: "success", user: profile }, () => "");
  cli.output.done(`Signed in at ${registry} as ${profile.username}`);
}
