import { assert, assertEquals, assertMatch } from "@std/assert";
import { openTestHosts, server, sessionInput, testWalls } from "../../helpers/interpreter.ts";
import { insideOf } from "../../helpers/processes.ts";

Deno.test("a host runs behind the walls that this system has", async () => {
  const walls = await testWalls();
  await using hosts = await openTestHosts();
  await hosts.open(sessionInput(server("")));
  const pid = await insideOf(hosts.stats().pids[0]!);
  const words = (await Deno.readTextFile(`/proc/${pid}/cmdline`)).split("\0");
  assert(!words.some((word) => word === "-A" || word === "--allow-all"), words.join(" "));
  assertEquals(
    words.filter((word) => word.startsWith("--allow-")).map((word) => word.split("=")[0]),
    ["--allow-read"],
  );
  // Deno's cache folder, how it prints, the open descriptor, and what says when memory is given back;
  // nothing of Berth's own environment.
  const environment = (await Deno.readTextFile(`/proc/${pid}/environ`)).split("\0");
  const names = environment.map((entry) => entry.split("=")[0]).filter((name) => name !== "");
  const ofDeno = ["DENO_DIR", "NO_COLOR", "DENO_NO_UPDATE_CHECK", "DENO_EXTRA_STDIO_FDS"];
  const ofAllocator = [
    ...["MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"],
    "DENO_USR2_MEMORY_TRIM",
  ];
  const ofShell = ["PWD", "OLDPWD", "SHLVL", "_"];
  assertEquals(
    names.filter((name) => ![...ofDeno, ...ofAllocator, ...ofShell].includes(name!)),
    [],
  );
  // What keeps sessions small: docs/performance.md and decision 0048 have the figures.
  const allocator = environment.filter((entry) => ofAllocator.includes(entry.split("=")[0]!));
  assertEquals(allocator.sort(), [
    "DENO_USR2_MEMORY_TRIM=1",
    "MALLOC_ARENA_MAX=1",
    "MALLOC_MMAP_THRESHOLD_=131072",
    "MALLOC_TRIM_THRESHOLD_=131072",
  ]);
  const [flags = ""] = words.filter((word) => word.startsWith("--v8-flags="));
  for (
    const flag of [
      "--optimize-for-size",
      "--wasm-tiering-budget=300000000",
      "--no-wasm-deopt",
      "--wasm-num-compilation-tasks=1",
      "--no-flush-liftoff-code",
    ]
  ) assert(flags.includes(flag), `${flag} in ${flags}`);

  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  const limits = await Deno.readTextFile(`/proc/${pid}/limits`);
  const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, "m").exec(status)?.[1];
  assertMatch(limits, /Max core file size\s+0 /);
  if (walls.missing.every(({ wall }) => wall !== "limits")) {
    assertMatch(limits, /Max open files\s+256 /);
  }
  if (walls.missing.every(({ wall }) => wall !== "no new privileges")) {
    assertEquals(field("NoNewPrivs"), "1");
  }
  if (walls.uid !== null) {
    const user = Number(field("Uid")!.split("\t")[0]);
    assert(user === walls.uid || user - walls.uid < 2048 && user > walls.uid, String(user));
    assertEquals(field("Uid"), [user, user, user, user].join("\t"));
    assertEquals(field("Gid"), field("Uid"));
    assertEquals(field("Groups")?.trim(), "");
    for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]) {
      assertMatch(field(set)!, /^0+$/, set);
    }
  }
  if (walls.missing.every(({ wall }) => wall !== "fewer system calls")) {
    assertEquals(field("Seccomp"), "2");
  }
  const spaces = [["no network", "net"], ["no other processes", "pid"]] as const;
  for (const [name, space] of spaces) {
    if (walls.missing.some(({ wall }) => wall === name)) continue;
    const own = await Deno.readLink(`/proc/self/ns/${space}`);
    assert(await Deno.readLink(`/proc/${pid}/ns/${space}`) !== own);
  }
});
