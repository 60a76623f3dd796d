/**
 * Other providers through which users may sign in.
 *
 * @module
 */
import { z } from "zod";

/** Who signed in at the other provider. */
export interface UpstreamIdentity {
  /** Never changes there and is never given to another. */
  subject: string;
  email: string | null;
  /** Whether the provider says that the address is this user's. */
  emailVerified: boolean;
  /** The user's groups there, where the operator believes what it says of them. */
  groups: readonly string[];
}

/** A provider's id of a user: it is stored and compared. */
export const Subject = z.string().min(1).max(255).regex(/^[^\p{Cc}\p{Cs}]+$/u);

/** What binds an answer to the request that it answers. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** PKCE verifier. */
  verifier: string;
}

export interface UpstreamProvider {
  /** As in `UPSTREAM_PROVIDERS`. */
  name: string;
  label: string;
  linkByEmail: boolean;
  /** Where the user's browser goes. Rejects when the provider is out of reach. */
  authorizationUrl(redirectUri: string, secrets: SignInSecrets): Promise<string>;
  /**
   * Who it was, from the parameters that the browser came back with, whose `state` was checked.
   *
   * @throws {UpstreamRefused} When the answer is not what it must be.
   */
  identify(
    parameters: URLSearchParams,
    redirectUri: string,
    secrets: Pick<SignInSecrets, "nonce" | "verifier">,
  ): Promise<UpstreamIdentity>;
}

/** An answer that does not count. The message is for the operator's log. */
export class UpstreamRefused extends Error {
  /** @param reason What is wrong; holds no secret. */
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "UpstreamRefused";
  }
}

/** The PKCE challenge of `verifier` (RFC 7636, S256). */
export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return new Uint8Array(digest).toBase64({ alphabet: "base64url", omitPadding: true });
}

/**
 * The code that the browser brought.
 *
 * @throws {UpstreamRefused} When it brought an error, or several codes.
 */
export function codeOf(parameters: URLSearchParams): string {
  const error = parameters.get("error");
  if (error !== null) {
    throw new UpstreamRefused(
      `The provider returned ${error.replace(/[^\w.-]/g, "?").slice(0, 60)}`,
    );
  }
  const codes = parameters.getAll("code");
  if (codes.length !== 1 || codes[0] === "") {
    throw new UpstreamRefused("The response does not have exactly one code");
  }
  return codes[0]!;
}
