/**
 * Whether clients may still do what their sessions do: read their server, and have it paid for.
 *
 * @module
 */
import type { AppError } from "../../errors.ts";
import { serverNotFound } from "../../registry/failures.ts";
import { maySee, unpaid } from "../admission/admission.ts";
import type { Client } from "../admission/clients.ts";
import type { Entry } from "./entry.ts";
import type { SessionsDeps } from "./types.ts";

/** How long a payment is taken to be there without asking. */
const CHECK_MS = 60_000;

/** Whether it is time to ask again. */
function isPaymentDue({ clock }: SessionsDeps, { paidAt }: Entry): boolean {
  return clock.now() - paidAt >= CHECK_MS;
}

/** How a session is ended. */
type Finish = (entry: Entry, reason: string) => Promise<void>;

/** Ends a session that is no longer paid for. @returns What to answer then. */
export async function endUnpaid(
  deps: SessionsDeps,
  entry: Entry,
  finish: Finish,
): Promise<AppError | null> {
  const refusal = await whyUnpaid(deps, entry);
  if (refusal !== null) await finish(entry, "not_paid");
  return refusal;
}

/** A session that an administrator began goes on as any user's once their token says no more. */
async function checkAdministrator(
  { admission }: SessionsDeps,
  entry: Entry,
  client: Client,
  finish: Finish,
): Promise<void> {
  if (!entry.client.isAdmin || client.isAdmin) return;
  const { server } = entry.row;
  if (!await maySee(admission, server, client)) {
    await finish(entry, "not_readable");
    throw serverNotFound(server);
  }
  entry.client = client;
  // So far nobody asked.
  entry.paidAt = -Infinity;
}

/**
 * Checks what may have changed since the session began, as of who asks now.
 *
 * @throws {AppError} `not_found` or `payment_required` when the session has ended for it.
 */
export async function checkRights(
  deps: SessionsDeps,
  entry: Entry,
  client: Client,
  finish: Finish,
): Promise<void> {
  await checkAdministrator(deps, entry, client, finish);
  const refusal = isPaymentDue(deps, entry) ? await endUnpaid(deps, entry, finish) : null;
  if (refusal !== null) throw refusal;
}

/** What to answer where the session is no longer paid for; null where it is. */
async function whyUnpaid(
  { admission, clock }: SessionsDeps,
  entry: Entry,
): Promise<AppError | null> {
  const refusal = entry.server && await unpaid(admission, entry.server, entry.client);
  if (refusal === null) entry.paidAt = clock.now();
  return refusal;
}
