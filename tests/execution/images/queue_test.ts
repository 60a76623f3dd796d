import { assert, assertEquals } from "@std/assert";
import { type MakingLimits, OutOfTime } from "../../../src/execution/images/making.ts";
import type { Importing, NeededImage } from "../../../src/execution/images/needed.ts";
import { ImageQueue, type Turn } from "../../../src/execution/images/queue.ts";
import type { GivenPackages } from "../../../src/packages/session_packages.ts";
import { until } from "../../helpers/interpreter.ts";
import { linkedInterpreter, testImages } from "../../helpers/made_images.ts";

const OWN: GivenPackages = {
  set: "a".repeat(64),
  files: {},
  told: { installed: [], own: {}, sdks: {} },
};

const serverOf = (name: string, packages?: GivenPackages, author = name): Importing => ({
  imports: [name],
  modules: [],
  paths: [],
  packages,
  author,
});

function takeAll(queue: ImageQueue): Turn[] {
  const turns: Turn[] = [];
  for (let turn = queue.take(); turn !== null; turn = queue.take()) turns.push(turn);
  return turns;
}

Deno.test("servers wait once each: first those without packages of strangers, last what takes long", () => {
  const queue = new ImageQueue();
  assertEquals(queue.take(), null);
  assertEquals(queue.add("slow", serverOf("slow", OWN)), true);
  const slow = queue.take()!;
  // It has its turn.
  assertEquals(queue.add("slow", serverOf("slow", OWN)), false);
  queue.postpone(slow);
  assertEquals(queue.add("own", serverOf("own", OWN)), true);
  assertEquals(queue.add("common", serverOf("common")), true);
  for (const key of ["slow", "own", "common"]) {
    assertEquals(queue.add(key, serverOf(key)), false);
  }
  const turns = takeAll(queue);
  assertEquals(turns.map(({ key, isLate, stops }) => [key, isLate, stops]), [
    ["common", false, 0],
    ["own", false, 0],
    ["slow", true, 0],
  ]);
  queue.postpone(turns.at(-1)!);
  assertEquals(queue.take()?.stops, 1);
});

Deno.test("authors take turns, and one with many servers leaves places to others", () => {
  const queue = new ImageQueue();
  const many = Array.from({ length: 20 }, (_, n) => queue.add(`m${n}`, serverOf("m", OWN, "many")));
  assertEquals(many.filter((isAdded) => isAdded).length, 8);
  assertEquals(queue.take()?.key, "m0");
  for (const key of ["one", "two"]) assert(queue.add(key, serverOf(key, OWN)));
  assertEquals(takeAll(queue).slice(0, 4).map(({ key }) => key), ["one", "two", "m1", "m2"]);
  for (let n = 0; n < 100; n++) queue.add(`a${n}`, serverOf("a", OWN, `author ${n}`));
  assertEquals(takeAll(queue).length, 64);
});

Deno.test("what takes long is bounded, and keeps nobody from waiting", () => {
  const queue = new ImageQueue();
  const server = serverOf("late", OWN);
  for (let n = 0; n < 100; n++) {
    queue.postpone({ key: `late ${n}`, server, isLate: false, stops: 0 });
  }
  assert(queue.add("first", serverOf("first")));
  assertEquals(takeAll(queue).filter(({ isLate }) => isLate).length, 32);
  queue.postpone({ key: "late", server, isLate: true, stops: 0 });
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
  // It is known to take long.
  time += 61 * 60_000;
  await want();
  assertEquals(tries, 3);
});

Deno.test("a late try is not stopped by servers that need no image of their own, nor for ever", async () => {
  await using interpreter = await linkedInterpreter();
  const tries: string[] = [];
  let stops = 0;
  let goOn = () => {};
  await using images = await testImages(interpreter, {
    making: {
      async make({ packages, modules }: NeededImage, _, { signal, isLate }: MakingLimits) {
        tries.push(`${modules[0]} ${isLate ? "late" : "first"}`);
        if (packages.includes("pyyaml")) {
          if (!isLate) throw new OutOfTime("not created within a minute");
          await new Promise<void>((resolve, reject) => {
            goOn = resolve;
            signal.addEventListener("abort", () => {
              stops++;
              reject(signal.reason);
            });
          });
        }
        return { pages: new Uint8Array(8), reads: [], refused: {}, packages };
      },
      attempt: () => Promise.resolve(),
    },
  });
  const want = (name: string, path = "main.py") =>
    images.made.wanted({ imports: [name], modules: [], paths: [path] });
  // Setup has made that image: remembered from the first look.
  want("pydantic");
  await images.made.idle();
  want("yaml");
  await until(() => tries.length === 2);
  for (let n = 0; n < 5; n++) want("pydantic");
  assertEquals(stops, 0);
  for (const [n, name] of ["tomli", "xmltodict", "jinja2"].entries()) {
    want(name);
    await until(() => tries.length === 4 + 2 * n);
  }
  assertEquals(stops, 3);
  want("markupsafe");
  assertEquals(stops, 3);
  goOn();
  await images.made.idle();
  assertEquals(tries.filter((each) => each === "yaml first").length, 1);
  assertEquals(tries.at(-1), "markupsafe first");
  assertEquals(images.made.figures().made, 5);
});

Deno.test("servers with the same packages have one first try of what takes long", async () => {
  await using interpreter = await linkedInterpreter();
  let firsts = 0;
  await using images = await testImages(interpreter, {
    making: {
      make(_needed, _packages, { isLate }) {
        if (!isLate) firsts++;
        return Promise.reject(new OutOfTime("not created in time"));
      },
    },
  });
  for (let n = 0; n < 8; n++) {
    images.made.wanted({ imports: ["yaml"], modules: [], paths: [`server${n}.py`] });
  }
  await images.made.idle();
  assertEquals([firsts, images.made.figures().failed], [1, 1]);
});
