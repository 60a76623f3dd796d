/**
 * What a client says of itself (RFC 7591, section 2), whether it registers or publishes it.
 *
 * @module
 */
import type { ClientMetadata } from "oidc-provider";
import { z } from "zod";
import { nameText } from "../../text/characters.ts";
import { isFirstPartyName } from "../first_party.ts";
import { redirectFault } from "./redirects.ts";

const MAX_REDIRECTS = 10;
const GRANTS = ["authorization_code", "refresh_token"] as const;

// Shown to people who decide about the client.
const Name = nameText(z.string().trim().min(1).max(100)).refine(
  (name) => !isFirstPartyName(name),
  "could be mistaken for a program of this registry",
);

const Document = z.object({
  client_name: Name.optional(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECTS),
  grant_types: z.array(z.string().max(100)).max(20).default(["authorization_code"]),
  response_types: z.array(z.string().max(100)).max(20).default(["code"]),
  application_type: z.enum(["native", "web"]).optional(),
});

/** A client's own words, checked, or the first fault in the form of RFC 7591, section 3.2.2. */
export type CheckedMetadata =
  | { kind: "accepted"; metadata: ClientMetadata }
  | { kind: "refused"; error: "invalid_redirect_uri" | "invalid_client_metadata"; fault: string };

function refused(fault: string): CheckedMetadata {
  return { kind: "refused", error: "invalid_client_metadata", fault };
}

/**
 * The client `id` as `document` describes it; what is not known here is left out.
 *
 * Every such client is public and uses PKCE: a secret that is handed to anyone who asks proves
 * nothing. It is also taken for a program on a user's machine, so that loopback addresses match
 * with any port (RFC 8252, 7.3) and people are asked each time.
 */
export function checkMetadata(id: string, document: unknown): CheckedMetadata {
  const parsed = Document.safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refused(`${issue!.path.join(".") || "metadata"}: ${issue!.message}`.slice(0, 200));
  }
  const { client_name, redirect_uris, grant_types, response_types } = parsed.data;
  for (const redirect of redirect_uris) {
    const fault = redirectFault(redirect);
    if (fault !== null) return { kind: "refused", error: "invalid_redirect_uri", fault };
  }
  const grants = GRANTS.filter((grant) => grant_types.includes(grant));
  if (!grants.includes("authorization_code")) {
    return refused("grant_types must include authorization_code");
  }
  if (!response_types.includes("code")) return refused("response_types must include code");
  return {
    kind: "accepted",
    metadata: {
      client_id: id,
      ...(client_name === undefined ? {} : { client_name }),
      application_type: "native",
      redirect_uris: [...new Set(redirect_uris)],
      grant_types: grants,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
  };
}
