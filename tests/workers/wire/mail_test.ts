import { assertEquals } from "@std/assert";
import { createMailSender, receiveMail } from "../../../workers/wire/mail.ts";
import { createRing, ringWriter } from "../../../workers/wire/ring.ts";

const LIMITS = { head: 1000, body: 10_000 };

/** Both ends of a mail; what is posted arrives when `deliver` is called. */
function ends() {
  const memory = createRing();
  const sender = createMailSender(memory);
  const heard: unknown[] = [];
  const broken: string[] = [];
  const posted: number[] = [];
  const receiver = receiveMail(memory, {
    limits: LIMITS,
    onFrame: ({ head }) => heard.push((head as { n: number }).n),
    onBroken: (error) => broken.push(String(error)),
  });
  return {
    memory,
    heard,
    broken,
    receiver,
    /** Sends a message; whether it went through the ring. */
    send(n: number, bytes = 0): boolean {
      if (sender.send({ n }, new Uint8Array(bytes))) return true;
      sender.posting();
      posted.push(n);
      return false;
    },
    deliver() {
      for (const n of posted.splice(0)) receiver.posted(() => heard.push(n));
    },
  };
}

/** Lets the other end hear what was written. */
function aMoment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

Deno.test("small messages go through the ring, large ones are posted, in the order of sending", async () => {
  const { send, deliver, heard, receiver } = ends();
  const ways = [send(1), send(2, 9000), send(3), send(4)];
  // Behind one that was posted, all are posted.
  assertEquals(ways, [true, false, false, false]);
  await aMoment();
  assertEquals(heard, [1]);
  deliver();
  assertEquals(heard, [1, 2, 3, 4]);
  assertEquals(send(5), true);
  await aMoment();
  assertEquals(heard, [1, 2, 3, 4, 5]);
  receiver.close();
});

Deno.test("what is in the ring comes before what was posted after it", () => {
  const { send, deliver, heard, receiver } = ends();
  send(1);
  send(2, 9000);
  // Before the ring's reader had its turn.
  deliver();
  assertEquals(heard, [1, 2]);
  receiver.close();
});

Deno.test("messages that the ring has no room for are posted", async () => {
  const { send, deliver, heard, receiver } = ends();
  const count = 20;
  const ways = Array.from({ length: count }, (_, n) => send(n, 5000));
  assertEquals(ways.includes(true) && ways.includes(false), true);
  deliver();
  await aMoment();
  assertEquals(heard, Array.from({ length: count }, (_, n) => n));
  receiver.close();
});

Deno.test("bytes that others can change, and what is no bytes, are posted", () => {
  const sender = createMailSender(createRing());
  const shared = new Uint8Array(new SharedArrayBuffer(8));
  const resizable = new Uint8Array(new ArrayBuffer(8, { maxByteLength: 16 }));
  for (const body of [shared, resizable, "text", { length: 8 }]) {
    assertEquals(sender.send({ n: 1 }, body as Uint8Array), false);
  }
});

Deno.test("a frame that breaks its limits ends the mail, once", async () => {
  const { memory, heard, broken } = ends();
  const write = ringWriter(memory);
  write(new Uint8Array(8).fill(255));
  await aMoment();
  write(new Uint8Array(8));
  await aMoment();
  assertEquals(broken.length, 1);
  assertEquals(heard, []);
});

Deno.test("nothing is heard after the end of the mail", async () => {
  const { send, heard, receiver } = ends();
  receiver.close();
  send(1);
  await aMoment();
  assertEquals(heard, []);
});

Deno.test("a writer that never stops leaves others their turn", async () => {
  const memory = createRing();
  const sender = createMailSender(memory);
  let heard = 0;
  const receiver = receiveMail(memory, {
    limits: LIMITS,
    onFrame() {
      heard++;
      sender.send({ n: 1 }, undefined);
    },
    onBroken: () => {},
  });
  sender.send({ n: 1 }, undefined);
  await aMoment();
  await aMoment();
  receiver.close();
  assertEquals(heard > 16, true);
});
