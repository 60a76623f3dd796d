/**
 * Providers that sign as Standard Webhooks asks (HMAC-SHA256 over id, timestamp and body), with
 * Berth's own event as the body.
 *
 * @module
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { AppError } from "../errors.ts";
import { issueText } from "../issues.ts";
import type { Notification, PaymentProvider } from "./provider.ts";
import { EVENT_TYPES, PaymentEvent } from "./schema.ts";

/** How far from now, in seconds and both ways, a notification's timestamp may be. */
export const TOLERANCE_SECONDS = 300;

const MAX_SIGNATURES = 20;
const ID = /^[\x21-\x7e]{1,256}$/;
const TIMESTAMP = /^\d{1,12}$/;

function refused(reason: string): AppError {
  return new AppError("invalid_request", `The webhook is refused: ${reason}`);
}

function required(headers: Headers, name: string): string {
  const value = headers.get(name);
  if (value === null || value === "") throw refused(`the header ${name} is missing`);
  return value;
}

/** The version 1 signatures of the header; others are of schemes that are not known here. */
function signaturesIn(header: string): Uint8Array[] {
  const all = header.split(" ").filter((part) => part !== "");
  if (all.length > MAX_SIGNATURES) throw refused("it has too many signatures");
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
    throw new AppError("invalid_request", "The event is not valid JSON in UTF-8", { cause });
  }
}

function unreadable(error: z.ZodError): AppError {
  const errors = error.issues.slice(0, 20).map((issue) => ({
    path: issue.path.map(String).join("."),
    message: issueText(issue),
  }));
  const [first] = errors;
  return new AppError("invalid_request", `Invalid event: ${first?.path} ${first?.message}`, {
    errors,
  });
}

const AnyEvent = z.object({ type: z.string().min(1).max(200) });

/** The event in a body; null when its type means nothing here. */
function eventIn(bytes: Uint8Array): PaymentEvent | null {
  const value = readJson(bytes);
  const any = AnyEvent.safeParse(value);
  if (!any.success) throw unreadable(any.error);
  if (!(EVENT_TYPES as readonly string[]).includes(any.data.type)) return null;
  const event = PaymentEvent.safeParse(value);
  if (!event.success) throw unreadable(event.error);
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
    if (Number.isNaN(ahead)) throw refused("its timestamp is not in seconds since 1970");
    throw refused(`its timestamp is too ${ahead > 0 ? "far ahead" : "old"}`);
  }

  return {
    name: "standard-webhooks",

    async verify({ headers, body }): Promise<Notification> {
      const id = required(headers, "webhook-id");
      const timestamp = required(headers, "webhook-timestamp");
      const given = signaturesIn(required(headers, "webhook-signature"));
      if (!ID.test(id)) throw refused("its id is not 1 to 256 printable ASCII characters");
      checkTime(timestamp);
      const bytes = await body();
      const expected = options.secrets.map((secret) =>
        createHmac("sha256", secret).update(`${id}.${timestamp}.`).update(bytes).digest()
      );
      if (!anyEqual(given, expected)) throw refused("no signature in it is valid");
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      return { id, sha256, event: eventIn(bytes) };
    },
  };
}
