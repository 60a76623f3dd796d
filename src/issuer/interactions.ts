/**
 * The running sign-in behind a page: what the OpenID provider waits for, and how it is answered.
 *
 * @module
 */
import type { Interaction as ProviderInteraction, InteractionResults } from "oidc-provider";
import { viaNode } from "./node_handlers.ts";
import type { IssuerDeps } from "./deps.ts";
import { openIdErrors, type OpenIdProvider } from "./library.ts";
import type { IssuerRequest } from "./request.ts";

/** A running sign-in. */
export type Interaction = InstanceType<typeof ProviderInteraction>;

/** The running sign-in that `request` belongs to; null when this browser has no such one. */
export async function findInteraction(
  deps: IssuerDeps,
  provider: OpenIdProvider,
  request: IssuerRequest,
  uid: string,
): Promise<Interaction | null> {
  let found: Interaction | null = null;
  await viaNode(request, deps.address, async (incoming, outgoing) => {
    try {
      found = await provider.interactionDetails(incoming, outgoing) as Interaction;
    } catch (error) {
      if (!(error instanceof openIdErrors.SessionNotFound)) throw error;
    } finally {
      outgoing.end();
    }
  });
  const interaction = found as Interaction | null;
  return interaction?.uid === uid ? interaction : null;
}

/** Answers what the provider waits for; the response leads back to it. */
export async function finishInteraction(
  deps: IssuerDeps,
  provider: OpenIdProvider,
  request: IssuerRequest,
  result: InteractionResults,
): Promise<Response> {
  return await viaNode(request, deps.address, async (incoming, outgoing) => {
    await provider.interactionFinished(incoming, outgoing, result, {
      mergeWithLastSubmission: true,
    });
  });
}

/** Text parameters of the request that began the sign-in. */
export function parameterOf(interaction: Interaction, name: string): string | null {
  const value = interaction.params[name];
  return typeof value === "string" ? value : null;
}

/** Where the answer goes, as a source of a page's policy for forms, and for people. */
export function targetOf(interaction: Interaction): { source: string; host: string } | null {
  const redirect = parameterOf(interaction, "redirect_uri");
  if (redirect === null || !URL.canParse(redirect)) return null;
  const { protocol, origin, host } = new URL(redirect);
  const isWeb = protocol === "http:" || protocol === "https:";
  return isWeb ? { source: origin, host } : { source: protocol, host: `${protocol}//${host}` };
}
