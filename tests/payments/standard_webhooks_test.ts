import { assert, assertEquals } from "@std/assert";
import { standardWebhooks } from "../../src/payments/standard_webhooks.ts";
import { paymentEvent, SECRET } from "../helpers/payments.ts";
import { refusal } from "../helpers/registry.ts";
import { type SignedWebhook, type SignOptions, signWebhook } from "../helpers/webhooks.ts";

const NOW = new Date("2026-05-01T12:00:00Z");
const OTHER = new Uint8Array(24).fill(1);
const provider = standardWebhooks({ secrets: [SECRET], now: () => NOW });

function after(seconds: number): Date {
  return new Date(NOW.getTime() + seconds * 1000);
}

function sign(content: unknown, options: Partial<SignOptions> = {}): Promise<SignedWebhook> {
  return signWebhook(content, { secrets: [SECRET], at: NOW, ...options });
}

function verify({ headers, body }: SignedWebhook, by = provider) {
  const bytes = new TextEncoder().encode(body);
  return by.verify({ headers: new Headers(headers), body: () => Promise.resolve(bytes) });
}

Deno.test("verify() takes what the provider signed", async () => {
  const { id, event, sha256 } = await verify(await sign(paymentEvent(), { id: "msg_a" }));
  assertEquals(id, "msg_a");
  assertEquals(event?.data.amount, "5.00");
  assertEquals(sha256.length, 64);
});

Deno.test("verify() takes the published example of Standard Webhooks", async () => {
  const secret = Uint8Array.fromBase64("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  const at = new Date(1614265330 * 1000);
  const notification = await verify(
    {
      body: '{"test": 2432232314}',
      headers: {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      },
    },
    standardWebhooks({ secrets: [secret], now: () => at }),
  ).catch((error: Error) => error);
  // The signature holds: what is refused is the body, which is no event.
  assert(notification instanceof Error);
  assertEquals(notification.message.startsWith("Invalid event: type"), true, notification.message);
});

Deno.test("verify() takes timestamps up to five minutes away, both ways", async () => {
  for (const seconds of [-300, -1, 0, 1, 300]) {
    await verify(await sign(paymentEvent(), { at: after(seconds) }));
  }
  for (const seconds of [-301, -86_400, 301, 86_400]) {
    const webhook = await sign(paymentEvent(), { at: after(seconds) });
    const { message } = await refusal(() => verify(webhook), "invalid_request");
    assertEquals(
      message.includes(seconds < 0 ? "too old" : "too far in the future"),
      true,
      message,
    );
  }
});

Deno.test("verify() takes any of several signatures, by any of several secrets", async () => {
  const both = standardWebhooks({ secrets: [OTHER, SECRET], now: () => NOW });
  await verify(await sign(paymentEvent()), both);
  await verify(await sign(paymentEvent(), { secrets: [OTHER] }), both);
  await verify(await sign(paymentEvent(), { secrets: [OTHER, SECRET] }));
  const webhook = await sign(paymentEvent());
  const signature = webhook.headers["webhook-signature"];
  for (const others of ["v1a,AAAA", "v2,AAAA", "v1,", "v1,%%%", "nonsense", "v1,AAAA"]) {
    webhook.headers["webhook-signature"] = `${others} ${signature}`;
    await verify(webhook);
  }
});

Deno.test("verify() refuses what the provider did not sign", async () => {
  const good = await sign(paymentEvent(), { id: "msg_a" });
  const { headers } = good;
  const signature = headers["webhook-signature"]!;
  const wrong: Record<string, SignedWebhook> = {
    "another secret": await sign(paymentEvent(), { secrets: [OTHER] }),
    "a changed body": { headers, body: good.body.replace("5.00", "500") },
    "a longer body": { headers, body: `${good.body} ` },
    "an empty body": { headers, body: "" },
    "another id": { ...good, headers: { ...headers, "webhook-id": "msg_b" } },
    "another time": {
      ...good,
      headers: { ...headers, "webhook-timestamp": String(NOW.getTime() / 1000 + 1) },
    },
  };
  const changed = {
    "no signature of version 1": signature.replace("v1,", "v2,"),
    "a signature without its version": signature.slice(3),
    "half a signature": signature.slice(0, 20),
    "a longer signature": `v1,${"A".repeat(88)}`,
    "an empty one": "v1,",
    "one in hexadecimal": `v1,${Uint8Array.fromBase64(signature.slice(3)).toHex()}`,
    "one without a blank between": `${signature},${signature}`,
    "too many": `${"v1,AAAA ".repeat(20)}${signature}`,
  };
  for (const [name, value] of Object.entries(changed)) {
    wrong[name] = { ...good, headers: { ...headers, "webhook-signature": value } };
  }
  for (const [name, webhook] of Object.entries(wrong)) {
    const error = await refusal(() => verify(webhook), "invalid_request").catch(() => null);
    assert(error, name);
    assert(!error.message.includes(signature.slice(3)), name);
  }
});

Deno.test("verify() names the header that is missing, before it reads the body", async () => {
  const webhook = await sign(paymentEvent());
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
    for (const value of [undefined, ""]) {
      const headers = new Headers(webhook.headers);
      if (value === undefined) headers.delete(name);
      else headers.set(name, value);
      const body = () => Promise.reject(new Error("The body must not be read"));
      const error = await refusal(() => provider.verify({ headers, body }), "invalid_request");
      assert(error.message.includes(name));
    }
  }
});

Deno.test("verify() refuses invalid ids and timestamps", async () => {
  const cases = [
    ["webhook-id", "x".repeat(257)],
    ["webhook-id", "a b"],
    ["webhook-id", "msg_é"],
    ["webhook-timestamp", "soon"],
    ["webhook-timestamp", "1777636800.5"],
    ["webhook-timestamp", "-1"],
    ["webhook-timestamp", "0x69f4a000"],
    ["webhook-timestamp", "1777636800, 1777636800"],
    ["webhook-timestamp", "9".repeat(30)],
    ["webhook-timestamp", "NaN"],
  ] as const;
  for (const [name, value] of cases) {
    const webhook = await sign(paymentEvent());
    webhook.headers[name] = value;
    await refusal(() => verify(webhook), "invalid_request");
  }
});

Deno.test("verify() refuses signed bodies that are no events, naming the field", async () => {
  const { data } = paymentEvent();
  function event(more: Record<string, unknown>) {
    return { type: "payment.confirmed", data: { ...data, ...more } };
  }
  const cases: [string, unknown][] = [
    ["", "{oops"],
    ["", ""],
    ["", "[".repeat(30_000)],
    ["", null],
    ["", []],
    ["", '"text"'],
    ["type", {}],
    ["type", { type: 5 }],
    ["type", { type: "" }],
    ["data", { type: "payment.confirmed" }],
    ["data", { type: "payment.refunded", data: [] }],
    ["data.user_id", event({ user_id: null })],
    ["data.user_id", event({ user_id: "" })],
    ["data.user_id", event({ user_id: "a\0b" })],
    ["data.user_id", event({ user_id: "x".repeat(1025) })],
    ["data.user_id", event({ user_id: { $ne: null } })],
    ["data.server", event({ server: ["weather"] })],
    ["data.server", event({ server: "\ud800" })],
    ["data.amount", event({ amount: -5 })],
    ["data.amount", event({ amount: "5e3" })],
    ["data.amount", event({ amount: "5.001" })],
    ["data.amount", event({ amount: 0.1 + 0.2 })],
    ["data.amount", event({ amount: true })],
    ["data.amount", event({ amount: "1'; drop table payments; --" })],
    ["data.amount", event({ amount: 500.5, currency: "JPY" })],
    ["data.currency", event({ currency: "dollars" })],
    ["data.currency", event({ currency: "US" })],
    ["data.reference", event({ reference: "" })],
    ["data.reference", event({ reference: "x".repeat(201) })],
  ];
  for (const [path, content] of cases) {
    const webhook = await sign(content);
    const error = await refusal(() => verify(webhook), "invalid_request");
    if (path !== "") assertEquals(error.errors[0]?.path, path, JSON.stringify(content));
  }
});

Deno.test("verify() lets further fields pass, and takes nothing from a prototype", async () => {
  const { data } = paymentEvent();
  const more = { ...data, note: "x", currency: "usd" };
  const { event } = await verify(
    await sign({ type: "payment.refunded", timestamp: "2026", data: more }),
  );
  assertEquals(event, { type: "payment.refunded", data: { ...data, currency: "USD" } });
  const polluted = `{"type":"payment.confirmed","__proto__":{"data":${JSON.stringify(data)}}}`;
  const webhook = await sign(polluted);
  await refusal(() => verify(webhook), "invalid_request");
});

Deno.test("verify() tells events of other types apart, whatever they hold", async () => {
  for (const type of ["payment.created", "PAYMENT.CONFIRMED", "toString", "__proto__"]) {
    assertEquals((await verify(await sign({ type, data: null }))).event, null);
  }
});
