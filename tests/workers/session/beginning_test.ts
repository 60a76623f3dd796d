import { assertEquals } from "@std/assert";
import { createBeginning } from "../../../workers/session/beginning.ts";

function setUp(reboots = true) {
  const done: unknown[] = [];
  const ready = Promise.withResolvers<void>();
  const beginning = createBeginning({
    ready: () => ready.promise,
    images: () =>
      Promise.resolve({
        lend(name: string | null) {
          if (name === "damaged") return Promise.reject(new Error("cut short"));
          return Promise.resolve(
            name === null ? null : { pages: name, libraries: [], files: [] },
          );
        },
      }),
    reboot(slot) {
      done.push(["reboot", slot]);
      if (reboots) queueMicrotask(() => beginning.booted(slot));
      return Promise.resolve();
    },
    begin: (slot, image) => done.push([slot, image?.pages ?? null]),
  });
  return { beginning, done, ready: ready.resolve };
}

Deno.test("an interpreter goes on with the likely image, and boots anew for another", async () => {
  const { beginning, done, ready } = setUp();
  ready();
  assertEquals(beginning.booted(1), false);
  await beginning.begin(1, "pydantic");
  assertEquals(done.splice(0), [[1, "pydantic"]]);
  await beginning.begin(1, "pydantic");
  await beginning.fit(1, "pydantic");
  assertEquals(done, []);
  await beginning.begin(1, null);
  assertEquals(done.splice(0), [["reboot", 1], [1, null]]);
  await beginning.fit(1, "httpx");
  // What was parked goes on with nothing but its own.
  await beginning.fit(1);
  assertEquals(done, [["reboot", 1]]);
});

Deno.test("nothing goes on by guess once the server is known", async () => {
  const { beginning, done, ready } = setUp();
  const begun = beginning.begin(1, "pydantic");
  beginning.settle();
  ready();
  await begun;
  await beginning.fit(1, null);
  assertEquals(done, []);
});

Deno.test("an interpreter waits on where the likely image cannot be read", async () => {
  const { beginning, done, ready } = setUp();
  ready();
  await beginning.begin(1, "damaged");
  await beginning.fit(1, null);
  assertEquals(done, []);
});

Deno.test("a server that comes while its interpreter boots anew waits for that", async () => {
  const { beginning, done, ready } = setUp(false);
  ready();
  await beginning.begin(1, "pydantic");
  const begun = beginning.begin(1, null);
  const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
  await turn();
  beginning.settle();
  const fit = beginning.fit(1, "httpx").then(() => done.push("fit"));
  await turn();
  assertEquals(done.splice(0), [[1, "pydantic"], ["reboot", 1]]);
  assertEquals(beginning.booted(1), true);
  await Promise.all([begun, fit]);
  assertEquals(done, ["fit"]);
});
