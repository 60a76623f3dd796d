/**
 * Whether clients may still do what their sessions do.
 *
 * @module
 */
import { serverNotFound } from "../../registry/failures.ts";
import { maySee } from "../admission/admission.ts";
import type { Client } from "../admission/clients.ts";
import type { Entry } from "./entry.ts";
import { checkPaid, type Finish } from "./payment.ts";
import type { SessionsDeps } from "./types.ts";

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
  await checkPaid(deps, entry, finish);
}
