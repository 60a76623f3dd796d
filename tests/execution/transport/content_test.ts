import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import {
  acceptedAnswers,
  type Accepts,
  bodyRoom,
  checkContentType,
  checkTakesStream,
  readBody,
} from "../../../src/execution/transport/content.ts";

const ROOM = bodyRoom(1e9);

const JSON_ONLY = { json: true, stream: false };
const STREAM_ONLY = { json: false, stream: true };
const BOTH = { json: true, stream: true };
const ACCEPTED: [accept: string | null, expected: Accepts][] = [
  [null, JSON_ONLY],
  ["", JSON_ONLY],
  ["*/*", JSON_ONLY],
  ["application/json", JSON_ONLY],
  ["APPLICATION/JSON", JSON_ONLY],
  ["application/json, text/event-stream", BOTH],
  ["application/json;q=0.1, text/event-stream", BOTH],
  ["text/html, */*;q=0.1", JSON_ONLY],
  ["text/event-stream", STREAM_ONLY],
  ["text/*", STREAM_ONLY],
  ["text/event-stream;q=0, application/json", JSON_ONLY],
  ["application/json;q=0, text/event-stream", STREAM_ONLY],
  ["application/json; q=0.0, */*", STREAM_ONLY],
];

for (const [accept, expected] of ACCEPTED) {
  Deno.test(`acceptedAnswers() takes "${accept}" as ${JSON.stringify(expected)}`, () => {
    assertEquals(acceptedAnswers(accept), expected);
  });
}

Deno.test("checkTakesStream() refuses what names no event stream", () => {
  for (const accept of [null, "", "*/*", "text/event-stream", "application/json, text/*"]) {
    checkTakesStream(accept);
  }
  for (const accept of ["application/json", "text/event-stream;q=0", "image/*"]) {
    assertThrows(() => checkTakesStream(accept), AppError, "text/event-stream");
  }
});

for (const accept of ["text/html", "image/*", "application/json;q=0", "json", ";", ","]) {
  Deno.test(`acceptedAnswers() refuses "${accept}"`, () => {
    assertThrows(() => acceptedAnswers(accept), AppError, "Accept must allow");
  });
}

Deno.test("checkContentType() takes uncompressed JSON only", () => {
  for (const type of ["application/json", "application/json;charset=utf-8", " Application/JSON "]) {
    checkContentType(new Headers({ "content-type": type }));
  }
  for (const type of ["text/plain", "application/jsonp", "application/x-json", "text/json"]) {
    assertThrows(() => checkContentType(new Headers({ "content-type": type })), AppError);
  }
  assertThrows(() => checkContentType(new Headers()), AppError);
});

function stream(
  pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void,
  headers: Record<string, string> = {},
) {
  const body = new ReadableStream({ pull });
  return new Request("http://localhost/", { method: "POST", headers, body });
}

Deno.test("readBody() stops at the limit, whatever Content-Length says", async () => {
  let pulled = 0;
  const endless = stream((controller) => {
    pulled += 1;
    controller.enqueue(new Uint8Array(1024 * 1024));
  });
  const error = await assertRejects(
    () => readBody(endless, ROOM),
    AppError,
    "the limit of 4194304 bytes",
  );
  assertEquals([error.code, pulled < 8], ["too_large", true]);
});

Deno.test("readBody() gives up on a body that does not arrive", async () => {
  const error = await assertRejects(
    () => readBody(stream(() => {}), ROOM, 20),
    AppError,
    "within the limit of 0.02 s",
  );
  assertEquals(error.code, "invalid_request");
});

Deno.test("readBody() reads what was sent, and nothing for no body", async () => {
  const body = "x".repeat(100_000);
  const request = new Request("http://localhost/", { method: "POST", body });
  assertEquals(new TextDecoder().decode((await readBody(request, ROOM)).bytes), body);
  assertEquals((await readBody(new Request("http://localhost/"), ROOM)).bytes.byteLength, 0);
});

Deno.test("readBody() keeps to time and room also where the length is announced", async () => {
  const headers = { "Content-Length": "60" };
  const body = "x".repeat(60);
  const request = new Request("http://localhost/", { method: "POST", headers, body });
  const room = bodyRoom(100);
  const read = await readBody(request, room);
  assertEquals(new TextDecoder().decode(read.bytes), body);
  const silent = () => stream(() => {}, headers);
  await assertRejects(() => readBody(silent(), room, 20), AppError, "Try again");
  read.release();
  await assertRejects(() => readBody(silent(), room, 20), AppError, "within the limit of 0.02 s");
  // It may go on coming: its room is taken until the connection ends.
  assertThrows(() => room.take(60), AppError);
  room.take(40);
});

Deno.test("readBody() holds room until released, and gives it back on failure", async () => {
  const room = bodyRoom(100);
  const request = (size: number) =>
    new Request("http://localhost/", { method: "POST", body: "x".repeat(size) });
  const first = await readBody(request(60), room);
  const error = await assertRejects(() => readBody(request(60), room), AppError, "Try again");
  assertEquals([error.code, error.headers["Retry-After"]], ["unavailable", "5"]);
  first.release();
  await assertRejects(() => readBody(request(101), room), AppError);
  (await readBody(request(100), room)).release();
});
