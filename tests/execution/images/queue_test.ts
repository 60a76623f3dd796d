import { assertEquals } from "@std/assert";
import { type MakingLimits, OutOfTime } from "../../../src/execution/images/making.ts";
import type { Importing, NeededImage } from "../../../src/execution/images/needed.ts";
import { ImageQueue } from "../../../src/execution/images/queue.ts";
import type { GivenPackages } from "../../../src/packages/session_packages.ts";
import { until } from "../../helpers/interpreter.ts";
import { linkedInterpreter, testImages } from "../../helpers/made_images.ts";

const OWN: GivenPackages = {
  set: "a".repeat(64),
  files: {},
  told: { installed: [], own: {}, sdks: {} },
};

const serverOf = (name: string, packages?: GivenPackages): Importing => ({
  imports: [name],
  modules: [],
  paths: [],
  packages,
});

Deno.test("servers wait once each: first those without packages of strangers, last what takes long", () => {
  const queue = new ImageQueue();
  assertEquals(queue.take(), null);
  assertEquals(queue.add("slow", serverOf("slow", OWN)), true);
  assertEquals(queue.take()?.key, "slow");
  // It has its turn.
  assertEquals(queue.add("slow", serverOf("slow", OWN)), false);
  queue.postpone("slow", serverOf("slow", OWN));
  assertEquals(queue.add("own", serverOf("own", OWN)), true);
  assertEquals(queue.add("common", serverOf("common")), true);
  for (const key of ["slow", "own", "common"]) {
    assertEquals(queue.add(key, serverOf(key)), false);
  }
  const turns = [queue.take(), queue.take(), queue.take(), queue.take()];
  assertEquals(turns.map((turn) => turn && [turn.key, turn.isLate]), [
    ["common", false],
    ["own", false],
    ["slow", true],
    null,
  ]);
});

Deno.test("what takes long keeps nobody from waiting, and is bounded itself", () => {
  const queue = new ImageQueue();
  for (let n = 0; n < 100; n++) queue.postpone(`late ${n}`, serverOf("late", OWN));
  const added = Array.from({ length: 100 }, (_, n) => queue.add(`first ${n}`, serverOf("first")));
  assertEquals(added.filter((isAdded) => isAdded).length, 32);
  let late = 0;
  for (let turn = queue.take(); turn !== null; turn = queue.take()) if (turn.isLate) late++;
  assertEquals(late, 32);
  queue.postpone("late", serverOf("late"));
  queue.clear();
  assertEquals(queue.take(), null);
});

Deno.test("an image that takes long is tried again behind others, and stops when another comes", async () => {
  await using interpreter = await linkedInterpreter();
  const tries: [string, boolean][] = [];
  let isQuick = false;
  await using images = await testImages(interpreter, {
    making: {
      async make({ packages }: NeededImage, _, { signal, isLate }: MakingLimits) {
        const [name = ""] = packages;
        tries.push([name, isLate]);
        if (name === "pyyaml" && !isQuick) {
          if (!isLate) throw new OutOfTime("not created within a minute");
          await new Promise((_, reject) =>
            signal.addEventListener("abort", () => reject(signal.reason))
          );
        }
        return { pages: new Uint8Array(8), reads: [], refused: {}, packages };
      },
      attempt: () => Promise.resolve(),
    },
  });
  const { made, store } = images;
  const want = (name: string) => made.wanted({ imports: [name], modules: [], paths: [] });
  want("yaml");
  want("tomli");
  await until(() => tries.length === 3);
  assertEquals(tries, [["pyyaml", false], ["tomli", false], ["pyyaml", true]]);
  // It waits already.
  want("yaml");
  isQuick = true;
  want("xmltodict");
  await made.idle();
  assertEquals(tries.slice(3), [["xmltodict", false], ["pyyaml", true]]);
  assertEquals(
    Object.values(store.images()).map(({ packages }) => packages[0]).sort(),
    ["pyyaml", "tomli", "xmltodict"],
  );
  assertEquals(made.figures().failed, 0);
});

Deno.test("what is out of time again is left for an hour", async () => {
  await using interpreter = await linkedInterpreter();
  let tries = 0;
  let time = Date.now();
  await using images = await testImages(interpreter, {
    now: () => new Date(time),
    making: {
      make() {
        tries++;
        return Promise.reject(new OutOfTime("not created in time"));
      },
    },
  });
  const want = async () => {
    images.made.wanted({ imports: ["yaml"], modules: [], paths: [] });
    await images.made.idle();
  };
  await want();
  assertEquals(tries, 2);
  await want();
  assertEquals(tries, 2);
  assertEquals(images.made.figures().failed, 1);
  time += 61 * 60_000;
  await want();
  assertEquals(tries, 4);
});
