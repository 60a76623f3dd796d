/** Kept values that are removed while sessions have them. */
import { assertEquals } from "@std/assert";
import type { EgressBroker } from "../../../src/egress/broker.ts";
import type { SealedSecret } from "../../../src/egress/types.ts";
import { variablesOf } from "../../../src/keys/variables.ts";
import { harness, INITIALIZE, json, post, rpc } from "../harness.ts";

const VALUE = "sk-live-9d8c7b6a5f4e3d2c1b0a";

/** A server that gets `SEALED_KEY` as a placeholder and `PLAIN_KEY` as it is, both kept for users. */
async function setUp(names: string[]) {
  const origins = new Set(names.map((name) => `me ${name} 1`));
  const given: SealedSecret[][] = [];
  const made = await harness({
    servers: {
      weather: {
        variables: variablesOf([{ name: "SEALED_KEY", hosts: ["api.example.com"] }, {
          name: "PLAIN_KEY",
        }], []),
      },
    },
    keptValues: () =>
      Promise.resolve(names.map((name) => ({
        state: "ready" as const,
        name,
        value: VALUE,
        hosts: name === "SEALED_KEY" ? ["api.example.com"] : null,
        origin: `me ${name} 1`,
      }))),
    keptOrigins: () => Promise.resolve(origins),
    onEgress: (_server, options) => given.push([...options!.secrets!]),
  });
  const begin = async (session: string, token: string) =>
    await json(await made.send(post(INITIALIZE, { session, token })), 200);
  const status = async (session: string, token: string) =>
    (await made.send(post(rpc("ping"), { session, token }))).status;
  return { ...made, origins, given, begin, status };
}

Deno.test("a value that only the broker has is withdrawn from live sessions of its user", async () => {
  const { sessions, origins, given, begin, status } = await setUp(["SEALED_KEY"]);
  await begin("s1", "ann");
  await begin("s2", "bob");
  origins.delete("me SEALED_KEY 1");
  await sessions.recheckKept("weather", "ann");
  assertEquals(given.map(([secret]) => secret!.isWithdrawn === true), [true, false]);
  assertEquals([await status("s1", "ann"), await status("s2", "bob")], [200, 200]);
  // One that was kept for everyone is gone for everyone.
  await sessions.recheckKept("weather", null);
  assertEquals(given.map(([secret]) => secret!.isWithdrawn), [true, true]);
});

Deno.test("a session whose code has the value ends", async () => {
  const { sessions, origins, store, begin, status } = await setUp(["PLAIN_KEY", "SEALED_KEY"]);
  await begin("s1", "ann");
  origins.delete("me PLAIN_KEY 1");
  await sessions.recheckKept("weather", "ann");
  assertEquals(store.rows.get("s1")!.reason, "key_removed");
  assertEquals(await status("s1", "ann"), 404);
});

Deno.test("a value that is replaced is another one", async () => {
  const { sessions, origins, given, begin } = await setUp(["SEALED_KEY"]);
  await begin("s1", "ann");
  origins.delete("me SEALED_KEY 1");
  origins.add("me SEALED_KEY 2");
  await sessions.recheckKept("weather", "ann");
  assertEquals(given[0]![0]!.isWithdrawn, true);
});

Deno.test("nothing happens to sessions of other servers, of nobody, and of those who keep it", async () => {
  const { sessions, given, begin, status } = await setUp(["SEALED_KEY"]);
  await begin("s1", "ann");
  await sessions.recheckKept("other", "ann");
  await sessions.recheckKept("weather", "ann");
  assertEquals(given[0]![0]!.isWithdrawn, undefined);
  assertEquals(await status("s1", "ann"), 200);
});

Deno.test("where nobody can say what is kept, nothing is taken to be", async () => {
  const given: SealedSecret[][] = [];
  const { send, sessions, lines } = await harness({
    servers: {
      weather: { variables: variablesOf([{ name: "A_KEY", hosts: ["api.example.com"] }], []) },
    },
    keptValues: () => {
      const hosts = ["api.example.com"];
      return Promise.resolve([{ state: "ready", name: "A_KEY", value: VALUE, hosts, origin: "1" }]);
    },
    keptOrigins: () => Promise.reject(new Error("the database is away")),
    onEgress: (_server, options) => given.push([...options!.secrets!]),
  });
  await json(await send(post(INITIALIZE, { token: "ann" })), 200);
  await sessions.recheckKept("weather", "ann");
  assertEquals(given[0]![0]!.isWithdrawn, true);
  assertEquals(lines.some(({ event }) => event === "session.kept_values_unknown"), true);
});

Deno.test("a user's sessions end with the account", async () => {
  const { sessions, store, begin, status } = await setUp(["SEALED_KEY"]);
  await begin("s1", "ann");
  await begin("s2", "bob");
  await sessions.endAll(({ userId }) => userId === "ann", "user_left");
  assertEquals(store.rows.get("s1")!.reason, "user_left");
  assertEquals(await status("s2", "bob"), 200);
});

Deno.test("of a token that its service replaces again and again, the last ones are masked", async () => {
  const token = (round: number) => `tok_${String(round).padStart(4, "0")}_0123456789`;
  let round = 0;
  let given: Parameters<EgressBroker["open"]>[1];
  const { send } = await harness({
    servers: {
      weather: { variables: variablesOf([{ name: "TOKEN", hosts: ["api.example.com"] }], []) },
    },
    keptValues: () =>
      Promise.resolve([{
        state: "ready" as const,
        name: "TOKEN",
        value: token(0),
        hosts: ["api.example.com"],
        isConnection: true as const,
        origin: "me TOKEN 1",
      }]),
    currentValue: () => Promise.resolve({ kind: "value" as const, value: token(round) }),
    onEgress: (_server, options) => given = options,
  });
  await json(await send(post(INITIALIZE, { session: "s1", token: "ann" })), 200);
  for (round = 1; round <= 1000; round++) await given!.current!("TOKEN");
  const { mask } = given!;
  assertEquals([0, 996, 1000].map((one) => mask!(token(one))), ["[TOKEN]", "[TOKEN]", "[TOKEN]"]);
  // It would be the service that decides how much there is to look for.
  assertEquals(mask!(token(995)), token(995));
});
