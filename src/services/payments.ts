/**
 * Wiring of payments.
 *
 * @module
 */
import { bound } from "../bound.ts";
import { now } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Sql } from "../database/client.ts";
import type { AdmissionDeps } from "../execution/admission/admission.ts";
import type { PaymentsServices } from "../http/services.ts";
import type { Logger } from "../log.ts";
import { checkPayment } from "../payments/access.ts";
import type { PaymentsDeps } from "../payments/deps.ts";
import { listPurchases, listSales } from "../payments/list.ts";
import { receiveNotification } from "../payments/receive.ts";
import { standardWebhooks } from "../payments/standard_webhooks.ts";
import { authorizeOwner } from "../registry/ownership/access.ts";

export function paymentsDeps(config: Config, sql: Sql, log: Logger): PaymentsDeps {
  const secrets = config.PAYMENTS_WEBHOOK_SECRET;
  return {
    sql,
    log,
    now,
    provider: secrets === undefined ? null : standardWebhooks({ secrets, now }),
  };
}

export function paymentsServices(deps: PaymentsDeps): PaymentsServices {
  return bound(deps, {
    receive: receiveNotification,
    purchases: listPurchases,
    authorizeSales: authorizeOwner,
    sales: listSales,
  });
}

/** The check of the execution side; undefined while payments are off and every server is free. */
export function executionPayment(deps: PaymentsDeps): AdmissionDeps["checkPayment"] {
  if (deps.provider === null) return undefined;
  return (server, client) => checkPayment(deps, server, client);
}
