import { assert, assertEquals } from "@std/assert";
import { Bridge } from "../../src/database/backend_sharing.ts";
import { concat } from "../../src/bytes.ts";
import { readyForQuery, simpleQuery, SYNC } from "../../src/database/wire.ts";

const ENCODER = new TextEncoder();
const STARTUP = concat([new Uint8Array([0, 0, 0, 9, 0, 3, 0, 0]), new Uint8Array(1)]);
const CANCEL = new Uint8Array([0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 1]);
const SSL = new Uint8Array([0, 0, 0, 8, 4, 210, 22, 47]);

/** A backend that understands begin, commit, rollback and die, and records what it ran. */
function fakeBackend() {
  const ran: string[] = [];
  let status: "I" | "T" = "I";
  return {
    ran,
    run(messages: Uint8Array) {
      const text = new TextDecoder().decode(messages);
      ran.push(text.replace(/[^a-zA-Z0-9 /]/g, ""));
      if (text.includes("die")) throw new Error("gone");
      if (text.includes("begin")) status = "T";
      if (/commit|rollback/.test(text)) status = "I";
      return Promise.resolve(readyForQuery(status));
    },
  };
}

function fakePort() {
  const received: Uint8Array[] = [];
  let closed = false;
  return {
    received,
    isClosed: () => closed,
    postMessage: (bytes: Uint8Array) => void received.push(bytes),
    close() {
      closed = true;
    },
  };
}

const settle = () => new Promise((done) => setTimeout(done, 5));

Deno.test("Bridge rolls back for a client that leaves inside a transaction", async () => {
  const backend = fakeBackend();
  const bridge = new Bridge(backend.run, () => {});
  const [first, second] = [fakePort(), fakePort()];
  const [leaving, staying] = [bridge.connect(first), bridge.connect(second)];
  leaving.receive(STARTUP);
  leaving.receive(simpleQuery("begin"));
  staying.receive(STARTUP);
  staying.receive(simpleQuery("select 1"));
  await settle();
  assertEquals(second.received.length, 0);
  leaving.disconnect();
  await settle();
  assertEquals(second.received.length, 2);
  assertEquals(backend.ran.slice(-4).filter((text) => text.includes("rollback")).length, 1);
});

Deno.test("Bridge joins messages that come in pieces and keeps batches whole", async () => {
  const backend = fakeBackend();
  const port = fakePort();
  const connection = new Bridge(backend.run, () => {}).connect(port);
  const bytes = concat([SSL, STARTUP, simpleQuery("select 1"), SYNC]);
  for (const byte of bytes) connection.receive(new Uint8Array([byte]));
  await settle();
  assertEquals(port.received[0], ENCODER.encode("N"));
  assertEquals(port.received.length, 4);
  assertEquals(backend.ran.length, 3);
});

Deno.test("Bridge closes a request to cancel, and everything when the backend is lost", async () => {
  const backend = fakeBackend();
  const failures: unknown[] = [];
  const bridge = new Bridge(backend.run, (error) => failures.push(error));
  const [cancelling, first, second] = [fakePort(), fakePort(), fakePort()];
  bridge.connect(cancelling).receive(CANCEL);
  assert(cancelling.isClosed());
  bridge.connect(second);
  const connection = bridge.connect(first);
  connection.receive(concat([STARTUP, simpleQuery("die"), simpleQuery("select 1")]));
  await settle();
  assertEquals(failures.length, 1);
  assert(first.isClosed() && second.isClosed());
});
