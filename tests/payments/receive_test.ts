import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Outcome } from "../../src/payments/schema.ts";
import { removeServer } from "../../src/registry/servers/remove.ts";
import { describeDatabases } from "../helpers/database.ts";
import {
  type EventParts,
  openPayments,
  paymentEvent,
  type Price,
  type TestPayments,
} from "../helpers/payments.ts";
import { callerOf, refusal } from "../helpers/registry.ts";

const REFUND = { type: "payment.refunded" };
const DAY_MS = 86_400_000;

type Step = [parts: EventParts, outcome: Outcome];

/** What the events come to, in this order, and whether bob may run the server in the end. */
const ORDERS: [name: string, steps: Step[], mayRun: boolean][] = [
  ["a payment", [[{}, "granted"]], true],
  ["more than the price", [[{ amount: 12 }, "granted"]], true],
  ["a refund", [[{}, "granted"], [REFUND, "refunded"]], false],
  ["part of it refunded", [[{}, "granted"], [{ ...REFUND, amount: 1 }, "refunded"]], false],
  [
    "a refund by the reference alone",
    [[{}, "granted"], [{ ...REFUND, user_id: "user-x", server: "other" }, "refunded"]],
    false,
  ],
  ["the refund first", [[REFUND, "refunded"], [{}, "refunded"]], false],
  ["the refund first, twice", [[REFUND, "refunded"], [REFUND, "duplicate"]], false],
  [
    "paid again after the refund, under another reference",
    [[{}, "granted"], [REFUND, "refunded"], [{ reference: "pay_2" }, "granted"]],
    true,
  ],
  [
    "told of again after the refund",
    [[{}, "granted"], [REFUND, "refunded"], [{}, "duplicate"]],
    false,
  ],
  ["one of two refunded", [
    [{}, "granted"],
    [{ reference: "pay_2" }, "granted"],
    [REFUND, "refunded"],
  ], true],
  ["both refunded", [
    [{}, "granted"],
    [{ reference: "pay_2" }, "granted"],
    [REFUND, "refunded"],
    [{ ...REFUND, reference: "pay_2" }, "refunded"],
  ], false],
  ["the reference twice", [[{}, "granted"], [{}, "duplicate"]], true],
  ["as another spelling of the amount", [[{}, "granted"], [{ amount: "5.0" }, "duplicate"]], true],
  ["the reference with another amount", [[{}, "granted"], [{ amount: 9 }, "conflicting"]], true],
  [
    "the reference of another user",
    [[{ user_id: "user-alice" }, "granted"], [{}, "conflicting"]],
    false,
  ],
  ["too little", [[{ amount: "4.99" }, "amount_too_low"]], false],
  ["nothing", [[{ amount: 0 }, "amount_too_low"]], false],
  [
    "too little, twice",
    [[{ amount: 3 }, "amount_too_low"], [{ amount: 3, reference: "pay_2" }, "amount_too_low"]],
    false,
  ],
  ["another currency", [[{ currency: "EUR", amount: 500 }, "wrong_currency"]], false],
  ["a currency that is none", [[{ currency: "QQQ", amount: 500 }, "wrong_currency"]], false],
  ["an unknown server", [[{ server: "Nothing/../" }, "unknown_server"]], false],
  ["an unknown user", [[{ user_id: "user-' or 1=1" }, "unknown_user"]], false],
  ["a refund of too little", [[{ amount: 1 }, "amount_too_low"], [REFUND, "refunded"]], false],
];

describeDatabases((kind, open) => {
  async function withPayments(body: (payments: TestPayments) => Promise<void>): Promise<void> {
    const payments = await openPayments(await open());
    try {
      await body(payments);
    } finally {
      await payments.close();
    }
  }

  Deno.test(`receiveNotification() comes to the same in any order (${kind})`, async (t) => {
    await withPayments(async ({ deps: { sql }, tell, mayRun }) => {
      for (const [name, steps, expected] of ORDERS) {
        await t.step(name, async () => {
          await sql`truncate payments, payment_events`;
          for (const [parts, outcome] of steps) assertEquals(await tell(parts), outcome);
          assertEquals(await mayRun("bob"), expected);
        });
      }
    });
  });

  Deno.test(`receiveNotification() takes a notification once (${kind})`, async () => {
    await withPayments(async ({ deps: { sql }, tell, mayRun }) => {
      assertEquals(await tell({ id: "msg_a" }), "granted");
      assertEquals(await tell({ id: "msg_a" }), "replayed");
      assertEquals(await tell({ ...REFUND, id: "msg_b" }), "refunded");
      assertEquals(await tell({ id: "msg_a" }), "replayed");
      assertEquals(await mayRun("bob"), false);
      const [{ count }] = await sql<[{ count: number }]>`
        select count(*)::int as count from audit_log where subject = 'weather'
          and action like 'payment.%'`;
      assertEquals(count, 2);
    });
  });

  Deno.test(`receiveNotification() refuses an id with other content (${kind})`, async () => {
    await withPayments(async ({ tell, mayRun }) => {
      await tell({ id: "msg_a", amount: 1 });
      await refusal(() => tell({ id: "msg_a", amount: 5, reference: "pay_2" }), "conflict");
      assertEquals(await mayRun("bob"), false);
    });
  });

  Deno.test(`receiveNotification() ignores events of other types (${kind})`, async () => {
    await withPayments(async ({ deps: { sql }, tell }) => {
      assertEquals(await tell({ type: "payment.disputed" }), "ignored");
      assertEquals((await sql`select 1 from payment_events`).length, 0);
    });
  });

  Deno.test(`receiveNotification() takes one of many at once (${kind})`, async () => {
    await withPayments(async ({ deps: { sql }, tell }) => {
      const same = await Promise.all(Array.from({ length: 8 }, () => tell({ id: "msg_a" })));
      assertEquals(same.toSorted(), ["granted", ...Array(7).fill("replayed")]);
      const others = await Promise.all(
        Array.from({ length: 8 }, (_, i) => tell({ id: `msg_${i}`, reference: "pay_2" })),
      );
      assertEquals(others.toSorted(), [...Array(7).fill("duplicate"), "granted"]);
      const refunds = await Promise.all(
        Array.from({ length: 8 }, (_, i) => tell({ ...REFUND, id: `refund_${i}` })),
      );
      assertEquals(refunds.toSorted(), [...Array(7).fill("duplicate"), "refunded"]);
      assertEquals((await sql`select 1 from payments`).length, 2);
    });
  });

  Deno.test(`receiveNotification() grants nothing when its refund races it (${kind})`, async () => {
    await withPayments(async ({ tell, mayRun }) => {
      for (let round = 0; round < 6; round++) {
        const reference = `race_${round}`;
        const parts = [{ reference }, { ...REFUND, reference }];
        await Promise.all((round % 2 ? parts : parts.toReversed()).map((one) => tell(one)));
        assertEquals(await mayRun("bob"), false, `round ${round}`);
      }
    });
  });

  Deno.test(`receiveNotification() compares amounts without rounding (${kind})`, async (t) => {
    const cases: [Price, string | number, boolean][] = [
      [{ currency: "USD", amount: 0.3 }, 0.3, true],
      [{ currency: "USD", amount: 0.3 }, "0.29", false],
      [{ currency: "USD", amount: 1.1 }, "1.10", true],
      [{ currency: "USD", amount: 999_999_999.99 }, "999999999.98", false],
      [{ currency: "USD", amount: 999_999_999.99 }, "999999999.99", true],
      [{ currency: "JPY", amount: 500 }, 500, true],
      [{ currency: "JPY", amount: 500 }, "500.00", true],
      [{ currency: "JPY", amount: 500 }, 499, false],
      [{ currency: "KWD", amount: 1.125 }, "1.125", true],
      [{ currency: "KWD", amount: 1.125 }, "1.124", false],
    ];
    await withPayments(async ({ add, tell, mayRun }) => {
      for (const [index, [pricing, amount, expected]] of cases.entries()) {
        await t.step(`${amount} for ${pricing.amount} ${pricing.currency}`, async () => {
          const server = `server-${index}`;
          await add(server, pricing);
          const { currency } = pricing;
          await tell({ server, amount, currency, reference: server });
          assertEquals(await mayRun("bob", server), expected);
        });
      }
    });
  });

  Deno.test(`a right stays when the price rises, and the old price counts an hour (${kind})`, async () => {
    await withPayments(async ({ registry: { clock }, addUser, tell, mayRun, reprice }) => {
      for (const name of ["carol", "dave", "erin"]) await addUser(name);
      function pay(user: string, more: EventParts = {}) {
        return tell({ user_id: `user-${user}`, reference: `pay_${user}`, ...more });
      }
      await tell();
      clock.time = new Date(clock.time.getTime() + DAY_MS);
      await reprice("weather", { currency: "EUR", amount: 8 });
      assertEquals(await mayRun("bob"), true);
      clock.time = new Date(clock.time.getTime() + 59 * 60_000);
      assertEquals(await pay("carol"), "granted");
      assertEquals(await pay("dave", { amount: "4.99" }), "amount_too_low");
      clock.time = new Date(clock.time.getTime() + 2 * 60_000);
      assertEquals(await pay("erin"), "wrong_currency");
      assertEquals(await mayRun("carol"), true);
      assertEquals(await mayRun("erin"), false);
      assertEquals(await pay("erin", { reference: "b", currency: "EUR", amount: 8 }), "granted");
    });
  });

  Deno.test(`paying for a free server gives no right for later (${kind})`, async () => {
    await withPayments(async ({ add, tell, mayRun, reprice }) => {
      await add("free", { currency: "USD", amount: 0 });
      assertEquals(await tell({ server: "free", amount: "0.01" }), "free_server");
      assertEquals(await mayRun("bob", "free"), true);
      await reprice("free", { currency: "USD", amount: 100 });
      assertEquals(await mayRun("bob", "free"), false);
    });
  });

  Deno.test(`a payment without user or server is looked at again when it is told again (${kind})`, async () => {
    await withPayments(async ({ add, addUser, tell, mayRun }) => {
      const carol = { id: "msg_carol", user_id: "user-carol" };
      assertEquals(await tell(carol), "unknown_user");
      assertEquals(await tell(carol), "replayed");
      await addUser("carol");
      assertEquals(await mayRun("carol"), false);
      assertEquals(await tell(carol), "granted");
      assertEquals(await tell(carol), "replayed");
      assertEquals(await mayRun("carol"), true);
      assertEquals(await tell({ user_id: "user-carol" }), "duplicate");
      assertEquals(await tell({ server: "later", reference: "pay_2" }), "unknown_server");
      await add("later", { currency: "USD", amount: 5 });
      const refunded = { ...REFUND, server: "later", reference: "pay_2" };
      assertEquals(await tell(refunded), "refunded");
      assertEquals(await tell({ server: "later", reference: "pay_2" }), "refunded");
      assertEquals(await mayRun("bob", "later"), false);
    });
  });

  Deno.test(`a right outlives the removal of its server, for its seller's next one alone (${kind})`, async () => {
    await withPayments(async ({ deps: { sql }, registry, add, tell, mayRun }) => {
      await tell();
      const price = { currency: "USD", amount: 5 };
      const context = { requestId: "request-2" };
      await removeServer(registry, callerOf("alice"), "weather", context);
      registry.clock.time = new Date(registry.clock.time.getTime() + DAY_MS);
      await add("weather", price);
      assertEquals(await mayRun("bob"), true);
      // Handed to another user, it is still the server that was paid for.
      await tell({ reference: "pay_2", user_id: "user-alice" });
      await sql`update servers set owner = 'user-bob' where name = 'weather'`;
      assertEquals(await mayRun("alice"), true);
      await sql`update servers set owner = 'user-alice' where name = 'weather'`;
      await removeServer(registry, callerOf("alice"), "weather", context);
      registry.clock.time = new Date(registry.clock.time.getTime() + 31 * DAY_MS);
      await add("weather", price, "mallory");
      assertEquals(await mayRun("bob"), false);
    });
  });

  Deno.test(`payments outlive their user (${kind})`, async () => {
    await withPayments(async ({ deps: { sql }, tell, mayRun }) => {
      await tell();
      await sql`delete from users where subject = 'user-bob'`;
      assertEquals(await tell(REFUND), "refunded");
      assertEquals(await mayRun("bob"), false);
    });
  });

  Deno.test(`receiveNotification() leaves nothing behind when it fails (${kind})`, async () => {
    await withPayments(async ({ deps, tell, mayRun }) => {
      const { sql } = deps;
      await sql`alter table audit_log add constraint refuse check (action not like 'payment.%')`;
      await tell({ id: "msg_a" }).then(() => {
        throw new Error("It must fail");
      }, () => {});
      assertEquals((await sql`select 1 from payment_events`).length, 0);
      assertEquals((await sql`select 1 from payments`).length, 0);
      await sql`alter table audit_log drop constraint refuse`;
      assertEquals(await tell({ id: "msg_a" }), "granted");
      assertEquals(await mayRun("bob"), true);
    });
  });

  Deno.test(`payments are in the audit log with the buyer's name, not their subject (${kind})`, async () => {
    await withPayments(async ({ deps: { sql }, lines, tell }) => {
      await tell();
      await tell({ ...REFUND });
      await tell({ user_id: "user-nobody", reference: "pay_2" });
      const rows = await sql`
        select actor, action, subject, details from audit_log
        where action like 'payment.%' order by id`;
      const details = { amount: "5.00", currency: "USD", reference: "pay_1" };
      assertEquals(rows.map((row) => ({ ...row })), [
        {
          actor: "system",
          action: "payment.confirm",
          subject: "weather",
          details: { ...details, buyer: "bob", outcome: "granted" },
        },
        {
          actor: "system",
          action: "payment.refund",
          subject: "weather",
          details: { ...details, buyer: "bob", outcome: "refunded" },
        },
        {
          actor: "system",
          action: "payment.confirm",
          subject: "weather",
          details: { ...details, reference: "pay_2", buyer: null, outcome: "unknown_user" },
        },
      ]);
      const logged = JSON.stringify(lines);
      assertStringIncludes(logged, "payments.without_right");
      assertEquals(logged.includes("user-bob") || logged.includes("v1,"), false);
    });
  });
});

Deno.test("receiveNotification() is not found while payments are off", async () => {
  const { receiveNotification } = await import("../../src/payments/receive.ts");
  const deps = { sql: null as never, log: null as never, now: () => new Date(), provider: null };
  const body = () => Promise.reject(new Error("The body must not be read"));
  const request = { headers: new Headers(), body };
  await refusal(() => receiveNotification(deps, request, { requestId: "r" }), "not_found");
  assertEquals(paymentEvent().type, "payment.confirmed");
});
