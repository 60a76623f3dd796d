/**
 * The official TypeScript client, signing in by itself: all that an ordinary MCP client does when
 * it is answered 401, with redirects followed by the test in place of a person's browser.
 *
 * @module
 */
import {
  type OAuthClientProvider,
  UnauthorizedError,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type Browser, createBrowser } from "./browser.ts";
import { patient } from "./clients.ts";

/** Where the issuer sends the browser back to; nothing listens there. */
export const REDIRECT = "http://127.0.0.1:1/callback";

/** Takes the browser from the authorization endpoint to the redirect with the code. */
export type Visit = (browser: Browser, authorization: URL) => Promise<URL>;

/** For issuers that ask nothing. */
export async function followRedirects(browser: Browser, authorization: URL): Promise<URL> {
  const { url, response } = await browser.open(authorization, {}, REDIRECT);
  if (!url.href.startsWith(REDIRECT)) {
    throw new Error(`Sign-in ended at ${url}: ${response.status} ${await response.text()}`);
  }
  return url;
}

/** What a client remembers, and what it was sent. */
export interface SignInState {
  client: OAuthClientInformationMixed | undefined;
  tokens: OAuthTokens | undefined;
  verifier: string;
  /** Addresses that the client opened in the browser. */
  visited: URL[];
  /** Addresses that the browser was sent back to. */
  returned: URL[];
}

/** An empty memory. */
export function freshState(): SignInState {
  return { client: undefined, tokens: undefined, verifier: "", visited: [], returned: [] };
}

/** What is special about a client. */
export interface SignInOptions {
  /** Id of a client that publishes its own metadata. */
  clientMetadataUrl?: string;
  /** The client's network; the real one by default. */
  fetch?: typeof fetch;
  browser?: Browser;
}

function authProvider(
  state: SignInState,
  visit: Visit,
  { clientMetadataUrl, browser = createBrowser() }: SignInOptions,
): OAuthClientProvider {
  return {
    redirectUrl: REDIRECT,
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    clientMetadata: {
      client_name: "A test's client",
      redirect_uris: [REDIRECT],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => state.client,
    saveClientInformation(client: OAuthClientInformationMixed) {
      state.client = client;
    },
    tokens: () => state.tokens,
    saveTokens(tokens: OAuthTokens) {
      state.tokens = tokens;
    },
    saveCodeVerifier(verifier: string) {
      state.verifier = verifier;
    },
    codeVerifier: () => state.verifier,
    async redirectToAuthorization(url: URL) {
      state.visited.push(url);
      state.returned.push(await visit(browser, url));
    },
  };
}

/** Connects to `mcp`, signing in when asked to. */
export async function connectSigningIn(
  mcp: URL,
  state: SignInState = freshState(),
  visit: Visit = followRedirects,
  options: SignInOptions = {},
): Promise<Client> {
  const provider = authProvider(state, visit, options);
  const client = patient(new Client({ name: "sign-in", version: "1.0.0" }));
  const transportOptions = {
    authProvider: provider,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  };
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(mcp, transportOptions);
    // The SDK's own class does not satisfy its interface under exactOptionalPropertyTypes.
    await client.connect(transport as Transport);
  };
  try {
    await connect();
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    const back = state.returned.at(-1)!;
    const code = back.searchParams.get("code");
    if (code === null) throw new Error(`No code: ${back.search}`);
    const transport = new StreamableHTTPClientTransport(mcp, transportOptions);
    await transport.finishAuth(code);
    await connect();
  }
  return client;
}
