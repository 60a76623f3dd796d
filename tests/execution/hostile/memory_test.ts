import { assert, assertEquals, assertGreater, assertLess, assertMatch } from "@std/assert";
import { callTool } from "../../helpers/interpreter.ts";
import { ANYTHING, openArena } from "./arena.ts";

/** Python that fills linear memory; each must meet MemoryError, and the session goes on. */
const PYTHON: [name: string, code: string][] = [
  ["byte arrays", "held = []\nwhile True: held.append(bytearray(1 << 20))"],
  ["one huge allocation", "bytearray(1 << 31)"],
  ["a string that doubles", "s = 'x'\nwhile True: s += s"],
  ["a list of everything", "list(range(10 ** 9))"],
  ["a dictionary of dictionaries", "d = {}\nwhile True: d[len(d)] = {}"],
  ["a shift", "1 << (1 << 33)"],
  ["a product of lists", "[0] * (1 << 30)"],
  ["a format width", "'%1000000000d' % 1"],
  [
    "a decompression bomb",
    "import zlib\nzlib.decompress(zlib.compress(bytes(90_000_000)) * 1, 15, 1 << 31)",
  ],
  ["a format of text in itself", "s = '{0}' * 100_000\nwhile True: s = s.format(s)"],
];

/** JavaScript, WebAssembly and files: memory outside of the ceiling. The host dies for it. */
const OUTSIDE: [name: string, tool: "py" | "js", code: string][] = [
  [
    "arrays in JavaScript's heap",
    "js",
    "const held = []; for (;;) held.push(new Array(100000).fill(Math.random()))",
  ],
  [
    "array buffers",
    "js",
    "const held = []; for (;;) held.push(new Uint8Array(16 << 20).fill(1))",
  ],
  [
    "a memory of WebAssembly",
    "js",
    `const held = []; for (;;) { const memory = new WebAssembly.Memory({ initial: 512 });
     new Uint8Array(memory.buffer).fill(1); held.push(memory); }`,
  ],
  [
    "files in the session's folder",
    "py",
    "import os\nfor i in range(10 ** 6):\n  with open(f'/tmp/{i}', 'wb') as f: f.write(b'x' * (4 << 20))",
  ],
  [
    "one file that grows",
    "py",
    "f = open('/tmp/x', 'wb')\nwhile True: f.write(b'x' * (4 << 20))",
  ],
];

/** How such memory comes to its end. */
const REFUSED = /^raised .*(Range|Memory)Error|^\[ended: memory\] .*memory|^\[ended: crashed\]/;

Deno.test("hostile: Python meets its memory ceiling as MemoryError, and the session continues", async (t) => {
  await using arena = await openArena({ memoryMb: 128 });
  const { session } = await arena.open();
  for (const [name, code] of PYTHON) {
    await t.step(name, async () => {
      const text = await callTool(session, "py", { code });
      assertMatch(text, /^raised (MemoryError|OverflowError)/);
      assertEquals(await callTool(session, "quick"), "quick");
    });
  }
  const code = "held = []\ntry:\n  while True: held.append(bytearray(1 << 20))\n" +
    "except MemoryError: out = len(held); held.clear()";
  const megabytes = Number(await callTool(session, "py", { code }));
  // What was taken before is free again.
  assertGreater(megabytes, 40);
  assertLess(megabytes, 128);
  await arena.check("linear memory");
});

Deno.test("hostile: memory beside the ceiling ends the host, and nothing else", async (t) => {
  await using arena = await openArena({ sessionsPerHost: 1, warmSessions: 1 });
  for (const [name, tool, code] of OUTSIDE) {
    await t.step(name, async () => {
      const { session, ended } = await arena.open(ANYTHING, { server: name });
      const text = await callTool(session, tool, { code });
      // Which wall holds first is a matter of chance: V8 at its heap's limit, the watch, or the
      // limit on mapped data, at which the code gets an error or its process gives up.
      assertMatch(text, REFUSED);
      if (text.startsWith("raised")) await session.close();
      const reason = await ended;
      const kills = arena.kills.splice(0).map(({ reason }) => reason);
      if (text.startsWith("[ended: memory]")) assertEquals([reason, kills], ["memory", ["memory"]]);
      else assert(kills.every((kill) => kill === "memory" || kill === "crashed"), kills.join());
      await arena.check(name);
    });
  }
});

Deno.test("hostile: the system's limit holds by itself, without the watch", async () => {
  await using arena = await openArena({
    sessionsPerHost: 1,
    readUsage: () => Promise.resolve(new Map()),
  });
  const { session, ended } = await arena.open();
  const code = `const held = [];
    try { for (let i = 0; i < 200; i++) held.push(new Uint8Array(64 << 20).fill(1)); }
    catch (error) { return held.length * 64 + " " + error; }
    return "none refused"`;
  const text = await callTool(session, "js", { code });
  const isRefused = !text.startsWith("[ended");
  if (isRefused) {
    assertMatch(text, /^\d+ RangeError/);
    assertLess(parseInt(text), 2000);
  }
  // At the limit the process may also ask for something itself, then or later, and not go on.
  const last = isRefused ? await callTool(session, "quick") : text;
  assertMatch(last, /^quick$|MemoryError|RangeError|^\[ended: (memory|crashed)\]/);
  const reason = /^\[ended: (\w+)\]/.exec(last)?.[1];
  if (reason !== undefined) assertEquals(await ended as string, reason);
  for (const { server, reason } of arena.kills) {
    assertEquals(server, "attacker");
    assert(reason === "memory" || reason === "crashed", reason);
  }
  await arena.check("limit");
});
