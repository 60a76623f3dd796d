/**
 * Clients whose id is the https address of a document about them (OAuth Client ID Metadata
 * Document, draft-ietf-oauth-client-id-metadata-document), so that they need not register.
 *
 * @module
 */
import type { ClientMetadata } from "oidc-provider";
import { z } from "zod";
import type { FetchClientDocument } from "./fetch_document.ts";
import { checkMetadata } from "./metadata.ts";

const MAX_ID_LENGTH = 500;
const MAX_KEPT = 500;
const MAX_AT_ONCE = 8;
/** A document that cannot be used is not asked for again so soon. */
const FAILED_MS = 30_000;
/** How long a document goes on serving when it cannot be fetched again. */
const STALE_MS = 3_600_000;
/** Shortest time that a document is kept: one sign-in asks for it several times. */
const SHORTEST_MS = 60_000;

const BUSY = "Too many client lookups. Try again in a moment";

const Document = z.looseObject({
  client_id: z.string(),
  token_endpoint_auth_method: z.string().optional(),
});

/** A client, or why there is none: shown to the user whom the client sent here. */
export type DocumentClient =
  | { kind: "found"; client: ClientMetadata }
  | { kind: "unusable"; fault: string };

export interface DocumentClientsDeps {
  fetch: FetchClientDocument;
  /** Milliseconds of a clock that never goes back. */
  now?: (() => number) | undefined;
  /** Asked before a fetch for whoever makes the request; false: not now. */
  allowFetch: () => Promise<boolean>;
}

/**
 * Whether `id` can be the address of a document: https, a path, no fragment, no credentials, no dot
 * segments, and spelled as a URL parser would, so that one client has one id.
 */
export function isDocumentId(id: string): boolean {
  if (!id.startsWith("https://") || id.length > MAX_ID_LENGTH || !URL.canParse(id)) return false;
  const url = new URL(id);
  return url.href === id && url.pathname !== "/" && url.hash === "" && !id.includes("#") &&
    url.username === "" && url.password === "" && !/%2e/i.test(url.pathname);
}

function unusable(fault: string): DocumentClient {
  return { kind: "unusable", fault };
}

/** The client that `document`, found at `id`, describes. */
export function clientOfDocument(id: string, document: unknown): DocumentClient {
  const parsed = Document.safeParse(document);
  if (!parsed.success) return unusable("The client's metadata document is not valid");
  if (parsed.data.client_id !== id) {
    return unusable("The client_id in the client's metadata document does not match its URL");
  }
  if ("client_secret" in parsed.data || "client_secret_expires_at" in parsed.data) {
    return unusable("The client's metadata document has a secret");
  }
  if ((parsed.data.token_endpoint_auth_method ?? "none") !== "none") {
    return unusable('The client\'s token_endpoint_auth_method must be "none"');
  }
  const checked = checkMetadata(id, document);
  if (checked.kind === "refused") return unusable(`The client's document: ${checked.fault}`);
  return { kind: "found", client: checked.metadata };
}

interface Kept {
  client: DocumentClient;
  until: number;
  /** When the document was had. */
  at: number;
}

/** A finder of such clients, with a memory of this node. */
export function createDocumentClients(
  deps: DocumentClientsDeps,
): (id: string) => Promise<DocumentClient> {
  const now = deps.now ?? (() => performance.now());
  const kept = new Map<string, Kept>();
  const pending = new Map<string, Promise<DocumentClient>>();

  function keep(
    id: string,
    client: DocumentClient,
    ms: number,
    at: number = now(),
  ): DocumentClient {
    kept.delete(id);
    kept.set(id, { client, until: now() + ms, at });
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
    return client;
  }

  async function load(id: string): Promise<DocumentClient> {
    const fetched = await deps.fetch(id);
    if (fetched.kind === "failed") {
      const earlier = kept.get(id);
      const isFresh = earlier?.client.kind === "found" &&
        now() - earlier.at < STALE_MS;
      return isFresh
        ? keep(id, earlier.client, FAILED_MS, earlier.at)
        : keep(id, unusable(fetched.fault), FAILED_MS);
    }
    const client = clientOfDocument(id, fetched.document);
    if (client.kind === "unusable") return keep(id, client, FAILED_MS);
    return keep(id, client, Math.max(SHORTEST_MS, fetched.cacheSeconds * 1000));
  }

  async function loadAllowed(id: string): Promise<DocumentClient> {
    return await deps.allowFetch() ? await load(id) : unusable(BUSY);
  }

  return async (id) => {
    const known = kept.get(id);
    if (known !== undefined && now() < known.until) return known.client;
    const running = pending.get(id);
    if (running !== undefined) return await running;
    if (pending.size >= MAX_AT_ONCE) return unusable(BUSY);
    // In the map before anything is waited for, so that many at once are counted.
    const loading = loadAllowed(id).finally(() => pending.delete(id));
    pending.set(id, loading);
    return await loading;
  };
}
