import { assertEquals } from "@std/assert";
import { paymentEvent } from "../helpers/payments.ts";
import { signWebhook } from "../helpers/webhooks.ts";
import { openRealApp, WEBHOOK_SECRET } from "./real_services.ts";

const WEBHOOK = "/api/v1/webhooks/payments";
const SERVER = {
  name: "weather",
  version: "1.0.0",
  description: "Weather by city",
  lang: "python",
  license: "MIT",
  entrypoint: "server.py",
  repository: { url: "https://github.com/acme/weather" },
  pricing: { currency: "JPY", amount: 500 },
};

Deno.test("payments: register, pay, see purchase and sales, refund; over HTTP", async () => {
  const real = await openRealApp();
  const { app, send, registry, lines } = real;
  const get = async (path: string, as: string) => await (await send("GET", path, { as })).json();
  async function tell(type: string, id: string, more = {}, secret = WEBHOOK_SECRET) {
    const { data } = paymentEvent({ user_id: "buyer", currency: "JPY", amount: 500, ...more });
    const webhook = await signWebhook({ type, data }, {
      secrets: [secret],
      id,
      at: registry.now(),
    });
    const response = await app.request(WEBHOOK, { method: "POST", ...webhook });
    assertEquals(response.headers.has("ratelimit"), false);
    return { status: response.status, ...await response.json() };
  }
  try {
    assertEquals(
      (await send("POST", "/api/v1/servers", { as: "owner", body: SERVER })).status,
      201,
    );
    await send("GET", "/api/v1/auth/me", { as: "buyer" });

    const wrong = await tell("payment.confirmed", "msg_1", {}, new Uint8Array(32));
    assertEquals([wrong.status, wrong.detail], [
      "error",
      "The webhook was rejected: it has no valid signature",
    ]);
    const refused = lines.filter(({ event }) => event === "payments.refused");
    assertEquals(refused.map(({ reason }) => reason), [wrong.detail]);
    assertEquals((await tell("payment.confirmed", "msg_1")).result, "granted");
    assertEquals((await tell("payment.confirmed", "msg_1")).result, "replayed");
    assertEquals((await tell("payment.confirmed", "msg_2")).result, "duplicate");
    assertEquals((await tell("payment.confirmed", "msg_1", { amount: 900 })).status, "error");
    assertEquals((await tell("payment.opened", "msg_3")).result, "ignored");

    const { purchases } = await get("/api/v1/auth/me/purchases", "buyer");
    assertEquals(purchases.length, 1);
    assertEquals([purchases[0].amount, purchases[0].gives_right], ["500", true]);
    const sold = await get("/api/v1/servers/weather/sales", "owner");
    assertEquals([sold.total, sold.sales[0].buyer, sold.totals[0].net], [1, "buyer", "500"]);
    assertEquals(JSON.stringify(sold).includes("user_id"), false);

    assertEquals((await tell("payment.refunded", "msg_4")).result, "refunded");
    const after = await get("/api/v1/servers/weather/sales", "root");
    assertEquals([after.totals[0].received, after.totals[0].net], ["500", "0"]);
    assertEquals(after.sales[0].gives_right, false);
    assertEquals((await get("/api/v1/auth/me/purchases", "owner")).purchases, []);
    assertEquals(JSON.stringify(lines).includes("v1,"), false);
  } finally {
    await real.close();
  }
});

Deno.test("payments: a record that is sent back as it came is accepted", async () => {
  const real = await openRealApp();
  try {
    await real.send("POST", "/api/v1/servers", { as: "owner", body: SERVER });
    const { server } = await (await real.send("GET", "/api/v1/servers/weather")).json();
    assertEquals(server.payment_required, false);
    const back = await real.send("PUT", "/api/v1/servers/weather", {
      as: "owner",
      body: { ...server, payment_required: true, description: "Changed" },
    });
    assertEquals(back.status, 200, await back.clone().text());
    assertEquals((await back.json()).server.payment_required, false);
  } finally {
    await real.close();
  }
});
