import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { createSealer } from "../../../src/execution/parked/sealer.ts";
import { testSealer } from "./memory_depot.ts";

const PLAIN = new TextEncoder().encode("KEY=secret".repeat(1000));

Deno.test("what is sealed is opened with its context alone", async () => {
  const sealer = await testSealer(1);
  const sealed = await sealer.seal(PLAIN, "session a");
  assertEquals(await sealer.open(sealed, "session a", sealer.keyId), PLAIN);
  assertEquals(await sealer.open(sealed, "session b", sealer.keyId), null);
  assertNotEquals(await sealer.seal(PLAIN, "session a"), sealed);
  assert(!new TextDecoder().decode(sealed).includes("secret"));
});

Deno.test("changed, shortened and lengthened bytes are not opened", async () => {
  const sealer = await testSealer(1);
  const sealed = await sealer.seal(PLAIN, "x");
  for (const at of [0, 11, 12, 5000, sealed.length - 1]) {
    const changed = sealed.slice();
    changed[at]! ^= 1;
    assertEquals(await sealer.open(changed, "x", sealer.keyId), null, String(at));
  }
  for (const length of [0, 5, 12, 20, sealed.length - 1]) {
    assertEquals(await sealer.open(sealed.subarray(0, length), "x", sealer.keyId), null);
  }
  const longer = new Uint8Array(sealed.length + 1);
  longer.set(sealed);
  assertEquals(await sealer.open(longer, "x", sealer.keyId), null);
});

Deno.test("after a rotation the newest key seals, and those before it open", async () => {
  const [old, next] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const before = await createSealer([old]);
  const after = await createSealer([next, old]);
  const sealed = await before.seal(PLAIN, "x");
  assert(after.has(before.keyId) && !before.has(after.keyId));
  assertEquals(await after.open(sealed, "x", before.keyId), PLAIN);
  const newer = await after.seal(PLAIN, "x");
  assertEquals(await before.open(newer, "x", after.keyId), null);
  assertEquals(await after.open(newer, "x", before.keyId), null);
});

Deno.test("the id of a key says nothing of it", async () => {
  const { keyId } = await testSealer(7);
  assertEquals(keyId.length, 16);
  assert(!keyId.includes("0707"));
});
