/**
 * Whether a server may be run, and by this client.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import { capabilityRefused, languageNotRun, scanNotPassed } from "../failures.ts";
import { serverNotFound } from "../../registry/failures.ts";
import type { CapabilityPolicy } from "../../scan/capabilities_schema.ts";
import type { Client } from "./clients.ts";
import { type ExecutionPolicy, whyNotAdmitted, whyNotCapable } from "./runnable.ts";
import type { RunnableServer } from "../types.ts";

export interface AdmissionDeps {
  /** The registered server of a name, null when there is none. */
  findRunnable: (name: string) => Promise<RunnableServer | null>;
  /** Whether the client may read the server of this name; absent where everybody reads all. */
  mayRead?: (name: string, client: Client) => Promise<boolean>;
  /** Whether a user who was an administrator is still one; absent where that is not known. */
  isAdministrator?: (userId: string) => Promise<boolean>;
  policy: ExecutionPolicy;
  /** What becomes of servers that run what their callers write; without it they run. */
  capabilities?: CapabilityPolicy;
  /**
   * Whether the client has paid what the server costs; absent while payments are off.
   *
   * @throws {AppError} `missing_token` without a user, `payment_required` without a payment.
   */
  checkPayment?: (server: RunnableServer, client: Client) => Promise<void>;
}

/** Whether the server may run at all, by its scan, its language and what it can do. */
export function mayRun(
  { policy, capabilities = "show" }: Pick<AdmissionDeps, "policy" | "capabilities">,
  server: RunnableServer,
): boolean {
  return whyNotAdmitted(server, policy) === null && whyNotCapable(server, capabilities) === null;
}

/** Whether the client may read the server of this name. */
export async function maySee(
  deps: Pick<AdmissionDeps, "mayRead">,
  name: string,
  client: Client,
): Promise<boolean> {
  return deps.mayRead === undefined || await deps.mayRead(name, client);
}

/** The same for a client whose token was looked at a while ago. */
export async function mayStillSee(
  deps: Pick<AdmissionDeps, "mayRead" | "isAdministrator">,
  name: string,
  client: Client,
): Promise<boolean> {
  const { userId } = client;
  const isAdmin = client.isAdmin && userId !== null &&
    (await deps.isAdministrator?.(userId) ?? true);
  return await maySee(deps, name, { ...client, isAdmin });
}

const NAME = /^[a-z0-9-]{1,64}$/;

/**
 * The server of this name, when it may run.
 *
 * @throws {AppError} `not_found`, also where the client may not read it, `forbidden` (its scan or its capabilities), `invalid_request` (its
 * language), or what the payment check throws.
 */
export async function admit(
  deps: AdmissionDeps,
  name: string,
  client: Client,
): Promise<RunnableServer> {
  // First, so that a server which is hidden from the client takes the way of one that is not there.
  const isThere = NAME.test(name) && await maySee(deps, name, client);
  const server = isThere ? await deps.findRunnable(name) : null;
  if (server === null) throw serverNotFound(name);
  const refusal = whyNotAdmitted(server, deps.policy);
  if (refusal?.kind === "scan") throw scanNotPassed(refusal.message, server.scanStatus);
  if (refusal !== null) throw languageNotRun(refusal.message);
  const incapable = whyNotCapable(server, deps.capabilities ?? "show");
  if (incapable !== null) throw capabilityRefused(incapable);
  await deps.checkPayment?.(server, client);
  return server;
}

/** Why `client` may not go on running a server that it began to run; null when it may. */
export async function unpaid(
  deps: Pick<AdmissionDeps, "checkPayment">,
  server: RunnableServer,
  client: Client,
): Promise<AppError | null> {
  try {
    await deps.checkPayment?.(server, client);
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === "payment_required") return error;
    throw error;
  }
}
