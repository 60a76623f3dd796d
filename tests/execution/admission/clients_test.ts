import { assertEquals, assertThrows } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { callLimit, clientOf } from "../../../src/execution/admission/clients.ts";
import { defaultMaxSessions } from "../../../src/execution/limits.ts";
import { countCall, createMetrics } from "../../../src/execution/metrics.ts";

Deno.test("clientOf() counts users by name, IPv4 by address, IPv6 by /64", () => {
  assertEquals(clientOf("ann", "192.0.2.1").key, "user ann");
  const cases: [address: string, key: string][] = [
    ["192.0.2.1", "address 192.0.2.1"],
    ["::ffff:192.0.2.1", "address 192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "address 2001:db8:1:2::"],
    ["fe80::1%eth0", "address fe80::"],
    ["unknown", "address unknown"],
  ];
  for (const [address, key] of cases) {
    assertEquals(clientOf(null, address), { userId: null, isAdmin: false, key });
  }
  // A user id that looks like an address must not share its allowance.
  assertEquals(clientOf("192.0.2.1", "x").key === clientOf(null, "192.0.2.1").key, false);
});

Deno.test("callLimit() slides, and says when to come back", () => {
  let time = 0;
  const limit = callLimit(60, () => time);
  const client = clientOf(null, "192.0.2.1");
  limit.take(client, 60);
  const error = assertThrows(() => limit.take(client, 1), AppError, "60 per minute");
  assertEquals([error.code, error.headers["Retry-After"]], ["rate_limited", "60"]);
  time = 60_000;
  assertThrows(() => limit.take(client, 1), AppError);
  time = 90_000;
  limit.take(client, 30);
  assertThrows(() => limit.take(client, 1), AppError);
  time = 240_000;
  limit.sweep();
  limit.take(client, 60);
});

Deno.test("callLimit() does not count refused calls, nor one client's to another", () => {
  const limit = callLimit(10, () => 0);
  const [a, b] = [clientOf("a", ""), clientOf("b", "")];
  for (let i = 0; i < 5; i++) assertThrows(() => limit.take(a, 11), AppError);
  limit.take(a, 10);
  limit.take(b, 10);
});

Deno.test("defaultMaxSessions() fits the machine, from 4 to 200", () => {
  const gibibytes = [0.5, 1, 8, 16, 64, 512];
  assertEquals(gibibytes.map((size) => defaultMaxSessions(size * 2 ** 30)), [
    4,
    4,
    27,
    55,
    200,
    200,
  ]);
});

Deno.test("defaultMaxSessions() fits a container that has less memory than the machine", () => {
  const gibibyte = 2 ** 30;
  assertEquals(defaultMaxSessions(64 * gibibyte, 8 * gibibyte), 27);
  assertEquals(defaultMaxSessions(8 * gibibyte, 64 * gibibyte), 27);
  assertEquals(defaultMaxSessions(8 * gibibyte, 0), 27);
  // What version 1 of control groups says where there is no limit.
  assertEquals(defaultMaxSessions(8 * gibibyte, 9_223_372_036_854_772_000), 27);
});

Deno.test("countCall() counts calls, failed ones and what they took", () => {
  const metrics = createMetrics();
  countCall(metrics, 0.2, "ok");
  countCall(metrics, 3, "timeout");
  countCall(metrics, 1000, "tool_error");
  const { count, sum } = metrics.callSeconds;
  assertEquals([metrics.calls, metrics.callErrors, count, sum], [3, 1, 3, 1003.2]);
});
