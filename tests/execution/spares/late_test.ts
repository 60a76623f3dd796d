import { assertEquals } from "@std/assert";
import type { EgressRequest } from "../../../src/egress/types.ts";
import type { ClientQuestion } from "../../../src/execution/interpreters/types.ts";
import { createLateEvents, type SessionEvents } from "../../../src/execution/spares/late.ts";
import { RawJson } from "../../../src/protocol/raw_json.ts";

const SIGNAL = new AbortController().signal;
const QUESTION = {} as ClientQuestion;
const REQUEST = {} as EgressRequest;

/** A client that writes down what it is told. */
function listener() {
  const heard: unknown[] = [];
  const client: SessionEvents = {
    onLog: ({ text }) => heard.push(text),
    onNotification: ({ method }) => heard.push(method),
    onCloseStream: (id, ms) => heard.push([id, ms]),
    ask: () => Promise.resolve({ kind: "error", code: 1, message: "the client's" }),
    http: () => Promise.resolve({ kind: "error", error: "dns", message: "the broker's" }),
    onEnd: (reason) => heard.push(reason),
  };
  return { heard, client };
}

/** Events that have no client yet, and what was found against them. */
function late() {
  const faults: string[] = [];
  const { events, bind } = createLateEvents((why) => faults.push(why));
  const log = (text: string) =>
    events.onLog({ level: "info", logger: "stdout", text, requestId: null });
  const notify = (params: RawJson | null) =>
    events.onNotification({
      method: "notifications/tools/list_changed",
      params,
      requestId: null,
    });
  return { events, bind, log, notify, faults };
}

Deno.test("createLateEvents() keeps what is said for the client, in order, and passes on the rest", async () => {
  const { events, bind, log, notify, faults } = late();
  const { heard, client } = listener();
  log("one");
  notify(null);
  events.onCloseStream(null, 5);
  log("two");
  assertEquals(heard, []);
  bind(client);
  const before = ["one", "notifications/tools/list_changed", [null, 5], "two"];
  assertEquals(heard, before);
  log("three");
  events.onEnd("crashed");
  assertEquals(heard, [...before, "three", "crashed"]);
  const answers = [await events.ask(QUESTION, SIGNAL), await events.http(REQUEST, SIGNAL)];
  assertEquals(answers.map((one) => one.kind === "error" && one.message), [
    "the client's",
    "the broker's",
  ]);
  assertEquals(faults, []);
});

Deno.test("createLateEvents() finds fault with questions, requests and an end before there is a client", async () => {
  const { events, faults } = late();
  assertEquals((await events.ask(QUESTION, SIGNAL)).kind, "error");
  assertEquals((await events.http(REQUEST, SIGNAL)).kind, "error");
  events.onEnd("memory");
  assertEquals(faults, ["asked", "network", "ended"]);
});

Deno.test("createLateEvents() finds fault with more output than is kept: events or characters", () => {
  const many = late();
  for (let n = 0; n < 200; n++) many.log("");
  assertEquals(many.faults, []);
  many.log("");
  assertEquals(many.faults[0], "output");
  const long = late();
  long.log("x".repeat(200_000));
  assertEquals(long.faults, []);
  long.notify(RawJson.of({ text: "x".repeat(100_000) }));
  assertEquals(long.faults, ["output"]);
});
