/**
 * Payments over a test's database: a registry with paid servers, a provider that signs, users.
 *
 * @module
 */
import type { Database } from "../../src/database/open.ts";
import { checkPayment } from "../../src/payments/access.ts";
import type { PaymentsDeps } from "../../src/payments/deps.ts";
import { receiveNotification } from "../../src/payments/receive.ts";
import type { Outcome } from "../../src/payments/schema.ts";
import { standardWebhooks } from "../../src/payments/standard_webhooks.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { updateServer } from "../../src/registry/servers/update.ts";
import { recordingLogger } from "./log.ts";
import { callerOf, serverInput, type TestRegistry, testRegistry } from "./registry.ts";
import { signWebhook } from "./webhooks.ts";

/** Key of the provider's signatures. */
export const SECRET = new Uint8Array(32).fill(9);

/** A price. */
export interface Price {
  currency: string;
  amount: number;
}

/** Parts of an event that tests turn; `type` and `id` are those of the notification. */
export interface EventParts {
  type?: string;
  id?: string;
  user_id?: string;
  server?: string;
  amount?: string | number;
  currency?: string;
  reference?: string;
}

/** An event: bob has paid 5 dollars for the server `weather`. */
export function paymentEvent({ type = "payment.confirmed", id: _id, ...data }: EventParts = {}) {
  return {
    type,
    data: {
      user_id: "user-bob",
      server: "weather",
      amount: "5.00",
      currency: "USD",
      reference: "pay_1",
      ...data,
    },
  };
}

/** Payments with a server `weather` for 5 dollars of alice, and the users alice and bob. */
export interface TestPayments {
  deps: PaymentsDeps;
  registry: TestRegistry;
  /** What was logged. */
  lines: Record<string, unknown>[];
  /** Sends an event, signed now. */
  tell(parts?: EventParts): Promise<Outcome>;
  /** Whether the user may run the server at its present price. */
  mayRun(name: string, server?: string): Promise<boolean>;
  /** Registers a server. */
  add(name: string, pricing: Price, owner?: string): Promise<void>;
  reprice(name: string, pricing: Price, owner?: string): Promise<void>;
  addUser(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens payments over `database`, which it closes in the end. */
export async function openPayments(database: Database): Promise<TestPayments> {
  const { sql } = database;
  const registry = testRegistry(database);
  const { log, lines } = recordingLogger();
  const { now } = registry;
  const provider = standardWebhooks({ secrets: [SECRET], now });
  const deps: PaymentsDeps = { sql, log, now, provider };
  const context = { requestId: "request-1" };
  const payments: TestPayments = {
    deps,
    registry,
    lines,
    async tell(parts = {}) {
      const { id } = parts;
      const { headers, body } = await signWebhook(paymentEvent(parts), {
        secrets: [SECRET],
        at: now(),
        ...(id === undefined ? {} : { id }),
      });
      const bytes = new TextEncoder().encode(body);
      const request = { headers: new Headers(headers), body: () => Promise.resolve(bytes) };
      return await receiveNotification(deps, request, context);
    },
    async mayRun(name, server = "weather") {
      const [row] = await sql<{ amount: number; currency: string }[]>`
        select price_amount::float8 as amount, price_currency as currency
        from servers where name = ${server}`;
      if (row === undefined) return false;
      const payer = { userId: `user-${name}`, isAdmin: false };
      return await checkPayment(deps, { name: server, pricing: { ...row } }, payer)
        .then(() => true, () => false);
    },
    async add(name, pricing, owner = "alice") {
      await createServer(registry, callerOf(owner), serverInput(name, { pricing }), context);
    },
    async reprice(name, pricing, owner = "alice") {
      await updateServer(registry, callerOf(owner), name, { pricing }, context);
    },
    async addUser(name) {
      await sql`
        insert into users (subject, username, created_at)
        values (${`user-${name}`}, ${name}, ${now()})`;
    },
    async close() {
      await registry.jobs.close();
      await database.close();
    },
  };
  await payments.addUser("alice");
  await payments.addUser("bob");
  await payments.add("weather", { currency: "USD", amount: 5 });
  return payments;
}
