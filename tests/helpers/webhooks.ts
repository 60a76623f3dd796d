/**
 * A payment provider's notifications, signed as Standard Webhooks asks. Signed by Web Crypto, so
 * that tests do not share code with what they test.
 *
 * @module
 */

/** What is signed, and how it is made wrong. */
export interface SignOptions {
  /** Key bytes; one signature each. */
  secrets: readonly Uint8Array[];
  id?: string;
  at: Date;
}

/** A notification on its way. */
export interface SignedWebhook {
  headers: Record<string, string>;
  body: string;
}

async function signature(secret: Uint8Array, content: string): Promise<string> {
  const key = await crypto.subtle.importKey(
    "raw",
    secret as Uint8Array<ArrayBuffer>,
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const bytes = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(content));
  return `v1,${new Uint8Array(bytes).toBase64()}`;
}

let made = 0;

/** A signed notification with `content` as the body: as it is when a text, else as JSON. */
export async function signWebhook(content: unknown, options: SignOptions): Promise<SignedWebhook> {
  const { secrets, id = `msg_${++made}`, at } = options;
  const body = typeof content === "string" ? content : JSON.stringify(content);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = await Promise.all(
    secrets.map((secret) => signature(secret, `${id}.${timestamp}.${body}`)),
  );
  return {
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signatures.join(" "),
    },
  };
}
