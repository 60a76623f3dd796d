import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Sql } from "../../src/database/client.ts";
import { createRequestLimits, type RequestQuota } from "../../src/limits/requests.ts";
import { takeHit } from "../../src/limits/window.ts";
import { describeNodes, openServerNodes, type TestNodes } from "../helpers/nodes.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);

/** Requests that are sent at once, `later` milliseconds after those before. */
interface Burst {
  later: number;
  requests: { node: 0 | 1; who: "ada" | "bob" | "address" }[];
}

const bursts: fc.Arbitrary<Burst[]> = fc.array(
  fc.record({
    later: fc.oneof(
      fc.constantFrom(0, 1, 9_999, 10_000, HOUR / 2, HOUR - 1, HOUR, HOUR + 1),
      fc.nat(HOUR / 4),
      fc.nat(2 * HOUR),
    ),
    requests: fc.array(
      fc.record({
        node: fc.constantFrom(0 as const, 1 as const),
        who: fc.constantFrom("ada" as const, "bob" as const, "address" as const),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  }),
  { minLength: 1, maxLength: 20 },
);
const rules = fc.record({ public: fc.integer({ min: 1, max: 6 }), authenticated: fc.nat(5) })
  .map((rule) => ({ ...rule, authenticated: rule.authenticated + 1 }));

/** What an exact log of times says of requests that are sent at once. */
function model(log: number[], max: number, now: number, count: number) {
  const live = log.filter((at) => at > now - HOUR);
  const allowed = Math.min(count, Math.max(0, max - live.length));
  log.push(...new Array<number>(allowed).fill(now));
  const oldest = live[0] ?? now;
  return {
    allowed,
    remaining: max - live.length - allowed,
    wait: Math.ceil((oldest + HOUR - now) / 1000),
  };
}

/** Sends `steps` over the nodes and holds every answer against the model. */
async function walk(
  { nodes }: TestNodes,
  limits: { public: number; authenticated: number },
  steps: Burst[],
): Promise<void> {
  let time = START;
  const now = () => new Date(time);
  // Keys of its own for each walk, on a database that all share.
  const walkId = crypto.randomUUID();
  const sides = nodes.map((sql) => createRequestLimits({ sql, now }, limits));
  const logs = { ada: [] as number[], bob: [] as number[], address: [] as number[] };
  async function send(node: 0 | 1, who: keyof typeof logs): Promise<RequestQuota> {
    if (who === "address") return (await sides[node]!.takeAddress(walkId)).quota;
    return (await sides[node]!.takeUser(`${who} ${walkId}`)).quota;
  }
  for (const { later, requests } of steps) {
    time += later;
    const answers = await Promise.all(
      requests.map(async ({ node, who }) => ({ who, quota: await send(node, who) })),
    );
    for (const who of ["ada", "bob", "address"] as const) {
      const own = answers.filter((answer) => answer.who === who).map(({ quota }) => quota);
      if (own.length === 0) continue;
      const max = who === "address" ? limits.public : limits.authenticated;
      const expected = model(logs[who], max, time, own.length);
      assertEquals(own.filter(({ allowed }) => allowed).length, expected.allowed);
      assertEquals(Math.min(...own.map(({ remaining }) => remaining)), expected.remaining);
      for (const quota of own) {
        assertEquals(quota.waitSeconds, expected.wait);
        assertEquals([quota.max, quota.windowSeconds], [max, 3600]);
      }
    }
  }
  for (const [who, log] of Object.entries(logs)) {
    const max = who === "address" ? limits.public : limits.authenticated;
    for (const end of log) {
      assert(log.filter((at) => at > end - HOUR && at <= end).length <= max);
    }
  }
}

describeNodes((kind, open) => {
  Deno.test(`no interleaving over two nodes gets past the limit, nor less than it (${kind})`, async () => {
    const nodes = await open();
    try {
      await fc.assert(
        fc.asyncProperty(rules, bursts, (limits, steps) => walk(nodes, limits, steps)),
        { numRuns: 60, seed: 20260501 },
      );
    } finally {
      await nodes.close();
    }
  });

  Deno.test(`takeUser() brings the user along (${kind})`, async () => {
    const { nodes: [sql], close } = await open();
    const limits = createRequestLimits({ sql }, { public: 1, authenticated: 1 });
    try {
      assertEquals((await limits.takeUser("ada")).user, null);
      await sql`insert into users (subject, username, created_at) values ('ada', 'a', now())`;
      const { quota, user } = await limits.takeUser("ada");
      assertEquals([quota.allowed, user?.username], [false, "a"]);
    } finally {
      await close();
    }
  });

  Deno.test(`a limit that was lowered, and a clock that was set back, are kept to (${kind})`, async () => {
    const { nodes: [sql], close } = await open();
    let time = START;
    const take = async (max: number, seconds: number) => {
      time = START + seconds * 1000;
      const deps = { sql, now: () => new Date(time) };
      const { allowed, waitMs } = await takeHit(deps, "key", { max, windowSeconds: 60 });
      return [allowed, waitMs / 1000];
    };
    try {
      for (const second of [0, 10, 20, 30]) assertEquals((await take(4, second))[0], true);
      // Of the four only one may be left.
      assertEquals(await take(2, 40), [false, 40]);
      assertEquals(await take(2, 79), [false, 1]);
      assertEquals(await take(2, 80), [true, 10]);
      assertEquals(await take(2, 20), [false, 70]);
      assertEquals(await take(2, 90), [true, 50]);
    } finally {
      await close();
    }
  });
});

const url = Deno.env.get("TEST_DATABASE_URL");

/** Keeps the times of all hits, also of those that have left their window. */
async function recordHits(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create table hit_log (window_id bigint, at timestamptz);
    create function log_hit() returns trigger language plpgsql as $$
    begin insert into hit_log values (new.window_id, new.at); return new; end $$;
    create trigger log_hit after insert on rate_hits for each row execute function log_hit();`);
}

Deno.test({
  name: "connections that hit windows at the same time are counted exactly (PostgreSQL)",
  ignore: !url,
  async fn() {
    const { nodes, close } = await openServerNodes(url!);
    // So few that a slow machine fills the window too.
    const rule = { max: 5, windowSeconds: 1 };
    const keys = ["a", "b", "c"];
    const allowed = new Map<string, number>();
    try {
      await recordHits(nodes[0]);
      const refused = new Set<string>();
      const enough = () =>
        keys.every((key) => refused.has(key) && (allowed.get(key) ?? 0) >= 2 * rule.max);
      const start = performance.now();
      // Each asks again as soon as it is answered, by the server's clock.
      await Promise.all(Array.from({ length: 24 }, async (_, n) => {
        const key = keys[n % keys.length]!;
        while (!enough() && performance.now() - start < 300_000) {
          const taken = await takeHit({ sql: nodes[n % 2]! }, key, rule);
          if (taken.allowed) allowed.set(key, (allowed.get(key) ?? 0) + 1);
          else refused.add(key);
        }
      }));
      const [logged] = await nodes[0]<[{ worst: number; seconds: number }]>`
        select max(count)::int as worst,
          floor(extract(epoch from max(at) - min(at)))::int as seconds
        from (
          select at, count(*) over (partition by window_id order by at
            range between interval '1 second' - interval '1 microsecond' preceding
              and current row)
          from hit_log) as counts`;
      assertEquals(logged.worst, rule.max);
      for (const key of keys) {
        const count = allowed.get(key) ?? 0;
        assert(
          count >= 2 * rule.max && count <= (logged.seconds + 1) * rule.max,
          `${key}: ${count}`,
        );
      }
    } finally {
      await close();
    }
  },
});
