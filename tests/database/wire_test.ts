import { assertEquals } from "@std/assert";
import { concat } from "../../src/bytes.ts";
import {
  copiesFromClient,
  createSplitter,
  errorResponse,
  readAnswer,
  readyForQuery,
  simpleQuery,
} from "../../src/database/wire.ts";

function isCopy(sql: string): boolean {
  return copiesFromClient({ type: "Q", bytes: simpleQuery(sql) });
}

Deno.test("copiesFromClient() sees COPY FROM STDIN in any spelling, and nothing else", () => {
  for (
    const sql of [
      "copy t from stdin",
      "COPY t (a, b)\nFROM\tSTDIN WITH (FORMAT csv)",
      "select 1; Copy t from /* ' */ stdin",
      "copy t -- from\n from stdin",
      'copy "from" from stdin',
    ]
  ) assertEquals(isCopy(sql), true, sql);
  for (
    const sql of [
      "copy t to stdout",
      "select 'copy t from stdin'",
      "select $$copy t from stdin$$",
      'select "copy" from stdin',
      "-- copy t from stdin\nselect 1",
      "/* copy t from stdin */ select 1",
      "select copy_name from stdin",
    ]
  ) assertEquals(isCopy(sql), false, sql);
  assertEquals(copiesFromClient({ type: "B", bytes: simpleQuery("copy t from stdin") }), false);
});

Deno.test("readAnswer() finds the last status and the notifications", () => {
  const notification = new Uint8Array([0x41, 0, 0, 0, 10, 0, 0, 0, 1, 0x63, 0]);
  const answer = concat([
    readyForQuery("T"),
    errorResponse("22012", "division by zero"),
    notification,
    readyForQuery("I"),
  ]);
  assertEquals(readAnswer(answer), { status: "I", notifications: [notification] });
  assertEquals(readAnswer(new Uint8Array(0)), { status: null, notifications: [] });
});

Deno.test("createSplitter() keeps a message until it is whole", () => {
  const splitter = createSplitter();
  splitter.push(new Uint8Array([0, 0, 0, 8, 0, 3, 0, 0]));
  const query = simpleQuery("select 1");
  assertEquals(splitter.push(query.subarray(0, 7)), []);
  const rest = splitter.push(concat([query.subarray(7), query.subarray(0, 3)]));
  assertEquals(rest.map(({ type, bytes }) => [type, bytes.length]), [["Q", query.length]]);
});
