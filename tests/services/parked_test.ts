import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { parseConfig } from "../../src/config.ts";
import type { Sql } from "../../src/database/client.ts";
import { createSealer } from "../../src/execution/parked/sealer.ts";
import { depotOf, runtimeOf } from "../../src/services/parked.ts";
import { testInterpreter } from "../helpers/interpreter.ts";
import { silentLogger } from "../helpers/log.ts";

Deno.test("runtimeOf() tells interpreters, profiles and images apart", async () => {
  const { folder } = await testInterpreter();
  const made = {
    digest: (name: string) => name === "mine" ? "d".repeat(64) : null,
    use: () => Promise.resolve(true),
    content: () => Promise.resolve(null),
    receive: () => Promise.resolve(),
    named: (digest: string) => digest === "d".repeat(64) ? "mine" : null,
  };
  const [full, restricted] = await Promise.all(
    (["full", "restricted"] as const).map((INTERPRETER_PROFILE) =>
      runtimeOf({ INTERPRETER_PROFILE }, folder, made)
    ),
  );
  assertNotEquals(full!.id, restricted!.id);
  assertEquals(full!.id, (await runtimeOf({ INTERPRETER_PROFILE: "full" }, folder, null)).id);
  const digest = full!.digestOf("pydantic")!;
  assertMatch(digest, /^[0-9a-f]{64}$/);
  assertEquals(full!.imageWith(digest), "pydantic");
  assertEquals(full!.imageWith("d".repeat(64)), "mine");
  assertEquals([full!.digestOf("absent"), full!.digestOf("constructor")], [null, null]);
  assertEquals(full!.imageWith("e".repeat(64)), null);
  assertEquals([full!.isMade("pydantic"), full!.isMade("mine")], [false, true]);
});

Deno.test("without SECRETS_KEY or with PARKED_STORE_MB=0 nothing is stored", async () => {
  const { folder } = await testInterpreter();
  const runtime = await runtimeOf({ INTERPRETER_PROFILE: "full" }, folder, null);
  const given = { sql: (() => {}) as unknown as Sql, runtime, log: silentLogger() };
  const SECRETS_KEY = new Uint8Array(32).fill(1).toBase64();
  const isThere = async (variables: Record<string, string>) =>
    await depotOf(parseConfig(variables), given) !== undefined;
  assertEquals(await isThere({}), false);
  assertEquals(await isThere({ SECRETS_KEY }), true);
  assertEquals(await isThere({ SECRETS_KEY, PARKED_STORE_MB: "0" }), false);
});

Deno.test("nodes that share a database share images, one with an embedded database does not", async () => {
  const { folder } = await testInterpreter();
  const made = {
    digest: () => null,
    named: () => null,
    use: () => Promise.resolve(true),
    content: () => Promise.resolve(null),
    receive: () => Promise.resolve(),
  };
  const SECRETS_KEY = new Uint8Array(32).fill(1).toBase64();
  for (
    const [variables, own, isAsked] of [
      [{ DATABASE_URL: "postgres://u:p@127.0.0.1/berth" }, made, true],
      [{ DATABASE_URL: "postgres://u:p@127.0.0.1/berth" }, null, false],
      [{}, made, false],
    ] as const
  ) {
    const runtime = await runtimeOf({ INTERPRETER_PROFILE: "full" }, folder, own);
    let asked = 0;
    const sql = (() => {
      asked++;
      return Promise.resolve([]);
    }) as unknown as Sql;
    const config = parseConfig({ SECRETS_KEY, ...variables });
    const depot = (await depotOf(config, { sql, runtime, log: silentLogger() }))!;
    const { keyId } = await createSealer([config.SECRETS_KEY!.keys[0]!]);
    const row = {
      ...{ id: "s", instance: "i", server: "weather", archiveSha256: "a", userId: null },
      ...{ client: "c", runtime: runtime.id, image: "d".repeat(64), keyId },
      expiresAt: new Date(),
    };
    assertEquals([await depot.whyNot(row), asked > 0], ["image", isAsked]);
  }
});
