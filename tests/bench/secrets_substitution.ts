// deno-lint-ignore-file no-console -- A script whose output is its result.
/**
 * What substituting secrets costs a request of a sandbox: 1 KiB over TLS on loopback, with two sealed
 * secrets and with none, by turns. `deno task bench secrets_substitution [ROUNDS]`.
 *
 * @module
 */
import { createEgressBroker, type EgressChannel } from "../../src/egress/broker.ts";
import { parseEgressPolicy } from "../../src/egress/policy.ts";
import type { EgressRequest } from "../../src/egress/types.ts";
import { placeholderFor } from "../../src/keys/placeholder.ts";
import { silentLogger } from "../helpers/log.ts";

const ROUNDS = Number(Deno.args[0] ?? 60);
const REQUESTS = 20;
const BODY_BYTES = 1024;

const FIXTURES = new URL("../fixtures/tls/", import.meta.url);
const read = (name: string) => Deno.readTextFileSync(new URL(name, FIXTURES));

const server = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  cert: read("secure.pem"),
  key: read("secure.key"),
  onListen() {},
}, async (request) => new Response(await request.bytes()));
const { port } = server.addr as Deno.NetAddr;
const broker = createEgressBroker({
  policy: parseEgressPolicy(["127.0.0.1"], ["*"]),
  own: { endpoints: [], interfaces: [], resolve: () => Promise.resolve([]) },
  resolve: () => Promise.resolve(["127.0.0.1"]),
  ca: [read("ca.pem")],
  // A minute a request: no limit is in the way.
  now: (() => {
    let time = 0;
    return () => time += 60_000;
  })(),
  log: silentLogger(),
});
const secrets = ["ghp_7Hq2Lm9Zx4Vb1Nc8Ks3Wd6Tf5Rj0", "0123456789abcdef0123456789abcdef"].map(
  (value, at) => ({
    name: `KEY_${at}`,
    placeholder: placeholderFor(value),
    value,
    hosts: [`secure.test:${port}`],
  }),
);

function requestOf(key: string): EgressRequest {
  const body = new TextEncoder().encode(JSON.stringify({ key, text: "x".repeat(BODY_BYTES) }));
  return {
    method: "POST",
    url: `https://secure.test:${port}/v1/things?key=${key}`,
    headers: [["Authorization", `Bearer ${key}`], ["Content-Type", "application/json"]],
    body: body.slice(0, BODY_BYTES),
    connectTimeoutMs: null,
    readTimeoutMs: null,
    verify: true,
  };
}

const never = new AbortController().signal;
const variants: { name: string; channel: () => EgressChannel; request: EgressRequest }[] = [
  { name: "plain", channel: () => broker.open("weather"), request: requestOf("plain-text-key") },
  {
    name: "sealed",
    channel: () => broker.open("weather", { secrets }),
    request: requestOf(secrets[0]!.placeholder),
  },
];

async function measure({ channel, request }: (typeof variants)[number]): Promise<number> {
  const send = channel();
  const begun = performance.now();
  for (let n = 0; n < REQUESTS; n++) {
    const outcome = await send(request, never);
    if (outcome.kind !== "response") throw new Error(outcome.message);
    outcome.release?.();
  }
  return (performance.now() - begun) / REQUESTS;
}

const ratios: number[] = [];
const times: Record<string, number[]> = { plain: [], sealed: [] };
for (let round = 0; round < ROUNDS; round++) {
  // Who goes first changes: what the machine does otherwise hits both.
  const order = round % 2 === 0 ? variants : variants.toReversed();
  const took: Record<string, number> = {};
  for (const variant of order) took[variant.name] = await measure(variant);
  if (round < 5) continue;
  for (const { name } of variants) times[name]!.push(took[name]!);
  ratios.push(took["sealed"]! / took["plain"]!);
}
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
console.log(
  `plain ${median(times["plain"]!).toFixed(2)} ms, sealed ${
    median(times["sealed"]!).toFixed(2)
  } ms, ` +
    `ratio ${median(ratios).toFixed(3)} (median of ${ratios.length} rounds; bar 1.1)`,
);
await server.shutdown();
