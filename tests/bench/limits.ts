/**
 * What authentication and the limits cost a request: the same route, asked over loopback, with and
 * without them. `deno run -A tests/bench/limits.ts`; set `TEST_DATABASE_URL` to measure a PostgreSQL
 * server too. The variants take turns, so that what else the machine does hits all of them.
 *
 * @module
 */
import { createApp } from "../../src/http/app.ts";
import type { LimitServices } from "../../src/http/services.ts";
import type { CountedRequest } from "../../src/limits/requests.ts";
import { authenticate } from "../../src/identity/caller.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { describeDatabases } from "../helpers/database.ts";
import { callerOf, serverInput } from "../helpers/registry.ts";
import { openRealApp, type RealApp } from "../http/real_services.ts";

const ROUNDS = Number(Deno.args[0] ?? 20);
const REQUESTS = 40;
const AT_ONCE = 16;

// Without a mark, so that no response is kept: what is measured is what comes before it.
const COUNTED: CountedRequest = {
  quota: {
    policy: "public",
    max: 100,
    windowSeconds: 3600,
    allowed: true,
    remaining: 99,
    waitSeconds: 3600,
  },
  mark: null,
};

interface Variant {
  name: string;
  limits: LimitServices;
  token: boolean;
}

function variantsOf({ services, identity }: RealApp): Variant[] {
  const none: LimitServices = {
    countCaller: () => Promise.resolve({ caller: callerOf("ada"), counted: COUNTED }),
    countAddress: () => Promise.resolve(COUNTED),
  };
  const authentication: LimitServices = {
    ...none,
    countCaller: async (header) => ({
      caller: await authenticate(identity, header),
      counted: COUNTED,
    }),
  };
  return [
    { name: "neither", limits: none, token: true },
    { name: "limit by address", limits: services.limits, token: false },
    { name: "authentication alone", limits: authentication, token: true },
    { name: "authentication and limit", limits: services.limits, token: true },
  ];
}

function print(columns: string[]): void {
  const [name, ...figures] = columns;
  const line = name!.padEnd(28) + figures.map((figure) => figure.padStart(14)).join("");
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

interface Measured {
  name: string;
  ask: () => Promise<void>;
  one: number[];
  many: number[];
  stop: () => Promise<void>;
}

function start(real: RealApp, variant: Variant, path: string, token: string): Measured {
  const app = createApp({ ...real.services, limits: variant.limits });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request, info) => app.fetch(request, info),
  );
  const headers: HeadersInit = variant.token ? { authorization: `Bearer ${token}` } : {};
  const url = `http://127.0.0.1:${server.addr.port}${path}`;
  return {
    name: variant.name,
    one: [],
    many: [],
    async ask() {
      const response = await fetch(url, { headers });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${variant.name}: ${response.status}`);
    },
    stop: () => server.shutdown(),
  };
}

/** Adds the milliseconds of a request: one after the other, and its share when many come at once. */
async function round({ ask, one, many }: Measured): Promise<void> {
  for (let n = 0; n < REQUESTS; n++) {
    const before = performance.now();
    await ask();
    one.push(performance.now() - before);
  }
  const before = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let n = 0; n < REQUESTS / 4; n++) await ask();
  }));
  many.push((performance.now() - before) / (AT_ONCE * REQUESTS / 4));
}

async function measure(real: RealApp, path: string): Promise<void> {
  const token = await real.issuer.mint({ sub: "ada", email: "ada@example.com" });
  const variants = variantsOf(real).map((variant) => start(real, variant, path, token));
  for (let n = 0; n <= ROUNDS; n++) {
    for (const variant of variants) {
      await round(variant);
      // The first round warms up.
      if (n === 0) variant.one.length = variant.many.length = 0;
    }
  }
  const [base] = variants;
  for (const { name, one, many } of variants) {
    const [single, crowd] = [median(one), median(many)];
    const ratios = [single / median(base!.one), crowd / median(base!.many)];
    print([
      name,
      single.toFixed(2),
      ratios[0]!.toFixed(2),
      (1000 / crowd).toFixed(0),
      ratios[1]!.toFixed(2),
    ]);
  }
  await Promise.all(variants.map(({ stop }) => stop()));
}

const kinds: [string, Parameters<typeof openRealApp>[2]][] = [];
describeDatabases((kind, open) => kinds.push([kind, open]));
for (const [kind, open] of kinds) {
  const real = await openRealApp({}, undefined, open);
  try {
    await createServer(real.registry, callerOf("bob"), serverInput("weather"), { requestId: "r" });
    for (const path of ["/api/v1/servers/weather", "/api/v1/servers?limit=50"]) {
      print([`${kind}, ${path}`]);
      print(["", "ms", "ratio", `a second, ${AT_ONCE}`, "cost ratio"]);
      await measure(real, path);
    }
  } finally {
    await real.close();
  }
}
