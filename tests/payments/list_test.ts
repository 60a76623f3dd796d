import { assertEquals, assertNotEquals } from "@std/assert";
import { listPurchases, listSales } from "../../src/payments/list.ts";
import { PageQuery } from "../../src/payments/schema.ts";
import { removeServer } from "../../src/registry/servers/remove.ts";
import { describeDatabases } from "../helpers/database.ts";
import { openPayments, type TestPayments } from "../helpers/payments.ts";
import { callerOf, refusal } from "../helpers/registry.ts";

const REFUND = { type: "payment.refunded" };
const ALL = PageQuery.parse({});
const AT = "2026-01-01T00:00:00.000Z";

describeDatabases((kind, open) => {
  async function withPayments(body: (payments: TestPayments) => Promise<void>): Promise<void> {
    const payments = await openPayments(await open());
    try {
      await body(payments);
    } finally {
      await payments.close();
    }
  }

  Deno.test(`listPurchases() shows the caller's payments, newest first (${kind})`, async () => {
    await withPayments(async ({ deps, registry: { clock }, tell }) => {
      await tell({ reference: "pay_0", amount: 1 });
      await tell({ reference: "other", user_id: "user-alice" });
      clock.time = new Date(clock.time.getTime() + 1000);
      await tell({ reference: "pay_1", server: "nothing" });
      await tell({ ...REFUND, reference: "pay_2" });
      await tell({ reference: "pay_3" });
      const { purchases, nextCursor } = await listPurchases(deps, callerOf("bob"), ALL);
      assertEquals(nextCursor, null);
      assertEquals(
        purchases.map(({ reference, state, result, gives_right }) => [
          reference,
          state,
          result,
          gives_right,
        ]),
        [
          ["pay_1", "paid", "unknown_server", false],
          ["pay_2", "refunded", "granted", false],
          ["pay_3", "paid", "granted", true],
          ["pay_0", "paid", "amount_too_low", false],
        ],
      );
      assertEquals(purchases[3], {
        server: "weather",
        amount: "1.00",
        currency: "USD",
        state: "paid",
        result: "amount_too_low",
        gives_right: false,
        reference: "pay_0",
        paid_at: AT,
        refunded_at: null,
      });
      assertEquals(purchases[1]!.paid_at, null);
      assertEquals((await listPurchases(deps, callerOf("carol"), ALL)).purchases, []);
    });
  });

  Deno.test(`listPurchases() shows no right to a server that is gone (${kind})`, async () => {
    await withPayments(async ({ deps, registry, tell }) => {
      await tell();
      await removeServer(registry, callerOf("alice"), "weather", { requestId: "r" });
      const [purchase] = (await listPurchases(deps, callerOf("bob"), ALL)).purchases;
      assertEquals([purchase?.result, purchase?.gives_right], ["granted", false]);
    });
  });

  Deno.test(`both lists page without losing or repeating a payment (${kind})`, async () => {
    await withPayments(async ({ deps, registry: { clock }, tell }) => {
      for (let i = 0; i < 7; i++) {
        // Some at the same millisecond, with references that need quoting.
        if (i % 3 === 0) clock.time = new Date(clock.time.getTime() + 1);
        await tell({ reference: `pay '"\\${i}é😀` });
      }
      const lists = {
        purchases: async (query: PageQuery) => {
          const { purchases, nextCursor } = await listPurchases(deps, callerOf("bob"), query);
          return { page: purchases, nextCursor };
        },
        sales: async (query: PageQuery) => {
          const { sales, nextCursor, totals } = await listSales(
            deps,
            callerOf("alice"),
            "weather",
            query,
          );
          assertEquals(totals[0]?.payments, 7);
          return { page: sales, nextCursor };
        },
      };
      for (const list of Object.values(lists)) {
        const whole = (await list(ALL)).page.map(({ reference }) => reference);
        assertEquals(whole.length, 7);
        const paged: string[] = [];
        let cursor: string | null | undefined;
        while (cursor !== null) {
          const { page, nextCursor } = await list({ limit: 2, ...(cursor ? { cursor } : {}) });
          paged.push(...page.map(({ reference }) => reference));
          assertNotEquals(page.length, 0);
          cursor = nextCursor;
        }
        assertEquals(paged, whole);
      }
    });
  });

  Deno.test(`broken cursors are refused (${kind})`, async () => {
    await withPayments(async ({ deps }) => {
      function encode(value: unknown): string {
        return new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: "base64url" });
      }
      const place = { at: AT, provider: "p", reference: "r" };
      const cursors = [
        "%",
        "e30",
        encode(null),
        encode({ ...place, at: "yesterday" }),
        encode({ ...place, reference: "a\0" }),
        encode({ ...place, provider: "'; --" }),
        encode({ ...place, more: 1 }),
      ];
      for (const cursor of cursors) {
        const query = { limit: 1, cursor };
        await refusal(() => listPurchases(deps, callerOf("bob"), query), "invalid_request");
      }
    });
  });

  Deno.test(`listSales() shows totals and buyers' names, and no subjects (${kind})`, async () => {
    await withPayments(async ({ deps, add, tell }) => {
      await add("other", { currency: "JPY", amount: 100 });
      await tell({ amount: "5.10" });
      await tell({ reference: "pay_2", amount: "0.20" });
      await tell({ reference: "pay_3", amount: "7", user_id: "user-nobody" });
      await tell({ reference: "pay_4", amount: 900, currency: "JPY" });
      await tell({ reference: "pay_5", amount: 100, currency: "JPY", server: "other" });
      await tell({ ...REFUND, reference: "pay_3" });
      await tell({ ...REFUND, reference: "early" });
      const { totals, sales } = await listSales(deps, callerOf("alice"), "weather", ALL);
      assertEquals(totals, [
        { currency: "JPY", payments: 1, received: "900", refunded: "0", net: "900" },
        { currency: "USD", payments: 3, received: "12.30", refunded: "7.00", net: "5.30" },
      ]);
      assertEquals(
        sales.map(({ reference, buyer, result }) => [reference, buyer, result]),
        [
          ["early", "bob", "granted"],
          ["pay_1", "bob", "granted"],
          ["pay_2", "bob", "amount_too_low"],
          ["pay_3", null, "unknown_user"],
          ["pay_4", "bob", "wrong_currency"],
        ],
      );
      assertEquals(JSON.stringify(sales).includes("user-"), false);
      const admin = callerOf("root", { isAdmin: true });
      assertEquals((await listSales(deps, admin, "other", ALL)).sales.length, 1);
    });
  });

  Deno.test(`listSales() is for the owner and administrators (${kind})`, async () => {
    await withPayments(async ({ deps, registry, add, tell }) => {
      await tell();
      await refusal(() => listSales(deps, callerOf("bob"), "weather", ALL), "forbidden");
      await refusal(() => listSales(deps, callerOf("bob"), "nothing", ALL), "not_found");
      await refusal(() => listSales(deps, callerOf("bob"), "no\0name", ALL), "not_found");
      // Whoever gets the name later does not see the sales of the owner before.
      await removeServer(registry, callerOf("alice"), "weather", { requestId: "r" });
      registry.clock.time = new Date(registry.clock.time.getTime() + 31 * 86_400_000);
      await add("weather", { currency: "USD", amount: 1 }, "mallory");
      const { sales, totals } = await listSales(deps, callerOf("mallory"), "weather", ALL);
      assertEquals([sales, totals], [[], []]);
    });
  });
});
