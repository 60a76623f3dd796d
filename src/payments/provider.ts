/**
 * Where payments come from. Berth takes no money: a provider does, and tells of it by webhook.
 *
 * @module
 */
import type { PaymentEvent } from "./schema.ts";

/** A notification as it arrived. */
export interface WebhookRequest {
  headers: Headers;
  /**
   * The exact bytes of the body, bounded.
   *
   * @throws {AppError} `too_large`.
   */
  body(): Promise<Uint8Array>;
}

/** A webhook call whose signature was verified. */
export interface Notification {
  /** The same whenever the provider sends this notification again. */
  id: string;
  /** SHA-256 of what was sent, in hexadecimal. */
  sha256: string;
  /** Null for a type of event that means nothing here. */
  event: PaymentEvent | null;
}

export interface PaymentProvider {
  /** Part of what payments are kept by: do not change it later. */
  readonly name: string;
  /**
   * Makes sure that the provider sent the request, and reads it.
   *
   * @throws {AppError} `invalid_request` when it did not, or when the event cannot be read;
   * `too_large`.
   */
  verify(request: WebhookRequest): Promise<Notification>;
}
