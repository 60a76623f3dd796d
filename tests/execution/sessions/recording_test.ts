import { assertEquals, assertRejects } from "@std/assert";
import { record } from "../../../src/execution/sessions/recording.ts";
import { recordingLogger } from "../../helpers/log.ts";
import { memoryStore } from "../harness.ts";

const ROW = { id: "s1", instance: "i1", server: "weather", userId: null };

function deps(change = {}) {
  const store = { ...memoryStore(), ...change };
  const { log, lines } = recordingLogger();
  return { store, log, lines, clock: { date: () => new Date(0) } };
}

Deno.test("record() writes the row at once, and undo() leaves nothing of it", async () => {
  const given = deps();
  const recording = record(given, ROW, false);
  await recording.written;
  assertEquals([...given.store.rows.keys()], ["s1"]);
  await recording.undo();
  assertEquals(given.store.rows.size, 0);
});

Deno.test("record() leaves an id whose session had ended an id that has ended", async () => {
  const given = deps();
  given.store.rows.set("s1", { ...ROW, instance: "i0", reason: "idle" });
  await record(given, ROW, true).undo();
  assertEquals(given.store.rows.get("s1")?.reason, "not_started");
});

Deno.test("undo() waits for the row that it removes", async () => {
  const writing = Promise.withResolvers<void>();
  const given = deps();
  const { begin } = given.store;
  given.store.begin = async (row, now) => {
    await writing.promise;
    await begin(row, now);
  };
  const undone = record(given, ROW, false).undo();
  writing.resolve();
  await undone;
  assertEquals(given.store.rows.size, 0);
});

Deno.test("record() tells of a database that fails to who waits, and undo() does not fail", async () => {
  const refusing = () => Promise.reject(new Error("no database"));
  const recording = record(deps({ begin: refusing }), ROW, false);
  await assertRejects(() => recording.written, Error, "no database");
  await recording.undo();
  const given = deps({ forget: refusing });
  await record(given, ROW, false).undo();
  assertEquals(given.lines.map(({ event }) => event), ["session.undo_failed"]);
});
