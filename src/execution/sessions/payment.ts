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
export function isPaymentDue({ clock }: SessionsDeps, { paidAt }: Entry): boolean {
  return clock.now() - paidAt >= CHECK_MS;
}

/** What to answer where the session is no longer paid for; null where it is. */
export async function whyUnpaid(
  { admission, clock }: SessionsDeps,
  entry: Entry,
): Promise<AppError | null> {
  const refusal = entry.server && await unpaid(admission, entry.server, entry.client);
  if (refusal === null) entry.paidAt = clock.now();
  return refusal;
}
