/**
 * Health of this node, for load balancers and supervisors.
 *
 * @module
 */
import { type Operation, operation } from "../operation.ts";
import { z } from "zod";
import type { Logger } from "../../log.ts";
import { notReady } from "../failures.ts";
import { failures, json } from "../openapi/responses.ts";

/** What must work, by name; a check throws when it does not. */
export type Checks = Readonly<Record<string, () => Promise<void>>>;

const CHECK_TIMEOUT_MS = 2_000;
const TAG = ["Health"];

const Alive = z.object({ status: z.literal("success") }).meta({ id: "Alive" });
const Ready = z.object({
  status: z.literal("success"),
  checks: z.record(z.string(), z.literal("ok")),
}).meta({ id: "Ready" });

async function withDeadline(check: () => Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("The check timed out")), CHECK_TIMEOUT_MS);
  try {
    await Promise.race([check(), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs all checks at once; a probe asks every few seconds, so the log has a reason only when it is
 * another than before.
 *
 * @param reasons Why checks failed when they ran last, by name.
 * @returns The names of those that failed.
 */
async function failing(
  checks: Checks,
  log: Logger,
  reasons: Map<string, string>,
): Promise<string[]> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await withDeadline(check);
        if (reasons.delete(name)) log.info("health.check_works", { check: name });
        return null;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (reasons.get(name) !== reason) log.warn("health.check_failed", { check: name, reason });
        reasons.set(name, reason);
        return name;
      }
    }),
  );
  return results.filter((name) => name !== null);
}

/** The names of the checks that fail now. */
export async function failingChecks(checks: Checks): Promise<Set<string>> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await withDeadline(check);
        return null;
      } catch {
        return name;
      }
    }),
  );
  return new Set(results.filter((name) => name !== null));
}

/** Check that the process is running. */
export function alive(): Operation {
  return operation({
    operationId: "healthz",
    summary: "Check that the process is running",
    tags: TAG,
    responses: {
      200: json(Alive, "The process is running", { example: { status: "success" } }),
      ...failures(400),
    },
  }, (c) => c.json({ status: "success" as const }, 200));
}

/** Check that requests can be served. */
export function ready(checks: Checks): Operation {
  const reasons = new Map<string, string>();
  return operation({
    operationId: "readyz",
    summary: "Check that requests can be served",
    tags: TAG,
    responses: {
      200: json(Ready, "All checks passed", {
        example: { status: "success", checks: { database: "ok" } },
      }),
      ...failures(400, 503),
    },
  }, async (c) => {
    const failed = await failing(checks, c.get("log"), reasons);
    if (failed.length > 0) throw notReady(failed);
    const ok = Object.fromEntries(Object.keys(checks).map((name) => [name, "ok" as const]));
    return c.json({ status: "success" as const, checks: ok }, 200);
  });
}
