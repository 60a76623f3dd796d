/**
 * Whether sessions of paid servers are still paid for.
 *
 * @module
 */
import type { AppError } from "../../errors.ts";
import { unpaid } from "../admission/admission.ts";
import type { Entry } from "./entry.ts";
import type { SessionsDeps } from "./types.ts";

/** How long a payment is taken to be there without asking. */
const CHECK_MS = 60_000;

/** Whether it is time to ask again. */
function isPaymentDue({ clock }: SessionsDeps, { paidAt }: Entry): boolean {
  return clock.now() - paidAt >= CHECK_MS;
}

/** How a session is ended. */
export type Finish = (entry: Entry, reason: string) => Promise<void>;

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

/** @throws {AppError} `payment_required` when the session has ended for want of payment. */
export async function checkPaid(deps: SessionsDeps, entry: Entry, finish: Finish): Promise<void> {
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
