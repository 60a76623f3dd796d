/**
 * Providers that sign as Standard Webhooks asks (HMAC-SHA256 over id, timestamp and body), with
 * Berth's own event as the body.
 *
 * @module
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { eventNotJson, invalidEvent, webhookRefused } from "./failures.ts";
import type { Notification, PaymentProvider } from "./provider.ts";
import { EVENT_TYPES, PaymentEvent } from "./schema.ts";

/** How far from now, in seconds and both ways, a notification's timestamp may be. */
const TOLERANCE_SECONDS = 300;

const MAX_SIGNATURES = 20;
const ID = /^[\x21-\x7e]{1,256}$/;
const TIMESTAMP = /^\d{1,12}$/;

function required(headers: Headers, name: string): string {
  const value = headers.get(name);
  if (value === null || value === "") throw webhookRefused(`the header ${name} is missing`);
  return value;
}

/** The version 1 signatures of the header; others are of schemes that are not known here. */
function signaturesIn(header: string): Uint8Array[] {
  const all = header.split(" ").filter((part) => part !== "");
  if (all.length > MAX_SIGNATURES) throw webhookRefused("it has too many signatures");
  return all.flatMap((part) => {
    if (!part.startsWith("v1,")) return [];
    try {
      return [Uint8Array.fromBase64(part.slice(3))];
    } catch {
      return [];
    }
  });
}

/** Whether one of `given` is one of `expected`; takes as long whichever it is. */
function anyEqual(given: Uint8Array[], expected: Uint8Array[]): boolean {
  const equal = given.flatMap((one) =>
    expected.map((other) => one.length === other.length && timingSafeEqual(one, other))
  );
  return equal.includes(true);
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw eventNotJson(cause);
  }
}

const AnyEvent = z.object({ type: z.string().min(1).max(200) });

/** The event in a body; null when its type means nothing here. */
function eventIn(bytes: Uint8Array): PaymentEvent | null {
  const value = readJson(bytes);
  const any = AnyEvent.safeParse(value);
  if (!any.success) throw invalidEvent(any.error);
  if (!(EVENT_TYPES as readonly string[]).includes(any.data.type)) return null;
  const event = PaymentEvent.safeParse(value);
  if (!event.success) throw invalidEvent(event.error);
  return event.data;
}

/** The provider whose notifications are signed with one of `secrets`; several while one rotates. */
export function standardWebhooks(
  options: { secrets: readonly Uint8Array[]; now: () => Date },
): PaymentProvider {
  function checkTime(timestamp: string): void {
    const seconds = TIMESTAMP.test(timestamp) ? Number(timestamp) : NaN;
    const ahead = seconds - options.now().getTime() / 1000;
    if (Math.abs(ahead) <= TOLERANCE_SECONDS) return;
    if (Number.isNaN(ahead)) throw webhookRefused("its timestamp is not in Unix seconds");
    throw webhookRefused(`its timestamp is ${ahead > 0 ? "too far in the future" : "too old"}`);
  }

  return {
    name: "standard-webhooks",

    async verify({ headers, body }): Promise<Notification> {
      const id = required(headers, "webhook-id");
      const timestamp = required(headers, "webhook-timestamp");
      const given = signaturesIn(required(headers, "webhook-signature"));
      if (!ID.test(id)) throw webhookRefused("its id is not 1 to 256 printable ASCII characters");
      checkTime(timestamp);
      const bytes = await body();
      const expected = options.secrets.map((secret) =>
        createHmac("sha256", secret).update(`${id}.${timestamp}.`).update(bytes).digest()
      );
      if (!anyEqual(given, expected)) throw webhookRefused("it has no valid signature");
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      return { id, sha256, event: eventIn(bytes) };
    },
  };
}
