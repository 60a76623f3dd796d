import { assert, assertEquals, assertMatch } from "@std/assert";
import { denoProgram } from "../../../src/execution/hosts/launcher.ts";
import { raiseWalls, SYSTEM, type WallsSystem } from "../../../src/execution/hosts/walls.ts";
import { openTestHosts, server, sessionInput, testWalls } from "../../helpers/interpreter.ts";

const OPTIONS = { dataMb: 2, memoryMb: 1000, niceness: 5, mustRead: ["/a"] };

/** A system on which a command works unless `broken` is one of its words. */
function systemWithout(broken: string[], overrides: Partial<WallsSystem> = {}): WallsSystem {
  return {
    os: "linux",
    isRoot: true,
    works: (command) => Promise.resolve(!command.some((word) => broken.includes(word))),
    findControlGroups: () => Promise.resolve(null),
    ...overrides,
  };
}

Deno.test("raiseWalls() puts every wall in front of a host, rights last", async () => {
  const walls = await raiseWalls(OPTIONS, systemWithout([]));
  assertEquals(walls.missing, []);
  assertEquals(walls.uid, 65534);
  assertEquals(
    walls.prefix(3).join(" "),
    "unshare --net --ipc --uts nice -n 5 prlimit --core=0 --nofile=256 --data=3145728 " +
      "setpriv --no-new-privs --pdeathsig=KILL --inh-caps=-all --bounding-set=-all " +
      "--reuid=65534 --regid=65534 --clear-groups",
  );
  assert(!walls.prefix(null).join(" ").includes("--data"));
});

Deno.test("raiseWalls() names each wall that it has to leave out, and keeps the others", async () => {
  const cases: [broken: string[], missing: string[], left: RegExp][] = [
    [["unshare"], ["no network"], /^nice .* prlimit .* setpriv .*--reuid/],
    [["nice", "prlimit"], ["lower priority", "limits"], /^unshare \S+ \S+ \S+ setpriv/],
    [["--reuid=65534"], ["another user"], /setpriv --no-new-privs .*--bounding-set=-all$/],
    // A process without the right to change its bounding set, and a reader without access.
    [["--bounding-set=-all"], ["another user"], /setpriv --no-new-privs --pdeathsig=KILL$/],
    // Berth itself may map less than a host should.
    [["--data=2097152"], ["limits"], /nice -n 5 setpriv/],
    [["/a"], ["another user"], /setpriv --no-new-privs .*--bounding-set=-all$/],
    [["setpriv"], ["another user", "no new privileges"], /--nofile=256$/],
  ];
  for (const [broken, missing, left] of cases) {
    const walls = await raiseWalls(OPTIONS, systemWithout(broken));
    assertEquals(walls.missing.map(({ wall }) => wall), missing, broken.join());
    assertMatch(walls.prefix(null).join(" "), left);
    assertEquals(walls.uid, missing.includes("another user") ? null : 65534);
    for (const { why } of walls.missing) assertMatch(why, /\w{3}/);
  }
});

Deno.test("raiseWalls() misses no other user where Berth is not root", async () => {
  const walls = await raiseWalls(OPTIONS, systemWithout([], { isRoot: false }));
  assertEquals([walls.missing, walls.uid], [[], null]);
  assertMatch(walls.prefix(null).join(" "), /^unshare --user --net/);
});

Deno.test("raiseWalls() says on other systems that only the permissions hold", async () => {
  const walls = await raiseWalls(OPTIONS, systemWithout([], { os: "darwin" }));
  assertEquals(walls.prefix(1), []);
  assertMatch(walls.missing[0]!.why, /darwin.*Run Berth on Linux/);
});

Deno.test("raiseWalls() asks for control groups of the size that a host may have", async () => {
  const folder = "/sys/fs/cgroup/berth.service";
  const system = systemWithout([], { findControlGroups: () => Promise.resolve(folder) });
  const { groups } = await raiseWalls(OPTIONS, system);
  assertEquals(groups, { folder, memoryMb: 1000, processes: 256 });
});

Deno.test("the path of Deno is not the text that Deno's child processes look for", () => {
  const path = denoProgram();
  assert(path !== Deno.execPath());
  assertEquals(Deno.realPathSync(path), Deno.realPathSync(Deno.execPath()));
});

Deno.test("a host runs behind the walls that this system has", async () => {
  const walls = await testWalls();
  await using hosts = await openTestHosts();
  await hosts.open(sessionInput(server("")));
  const pid = hosts.stats().pids[0]!;
  const words = (await Deno.readTextFile(`/proc/${pid}/cmdline`)).split("\0");
  assert(!words.some((word) => word === "-A" || word === "--allow-all"), words.join(" "));
  assertEquals(
    words.filter((word) => word.startsWith("--allow-")).map((word) => word.split("=")[0]),
    ["--allow-read"],
  );
  // Deno's cache folder, how it prints, the open descriptor; nothing of Berth's own environment.
  const environment = (await Deno.readTextFile(`/proc/${pid}/environ`)).split("\0");
  const names = environment.map((entry) => entry.split("=")[0]).filter((name) => name !== "");
  const ofDeno = ["DENO_DIR", "NO_COLOR", "DENO_NO_UPDATE_CHECK", "DENO_EXTRA_STDIO_FDS"];
  const ofShell = ["PWD", "OLDPWD", "SHLVL", "_"];
  assertEquals(names.filter((name) => ![...ofDeno, ...ofShell].includes(name!)), []);

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
    assertMatch(field("Uid")!, /^65534\s+65534\s+65534\s+65534$/);
    assertMatch(field("Gid")!, /^65534\s+65534\s+65534\s+65534$/);
    assertEquals(field("Groups")?.trim(), "");
    for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]) {
      assertMatch(field(set)!, /^0+$/, set);
    }
  }
  if (walls.missing.every(({ wall }) => wall !== "no network")) {
    const own = await Deno.readLink("/proc/self/ns/net");
    assert(await Deno.readLink(`/proc/${pid}/ns/net`) !== own);
  }
});

Deno.test("the system's own answer: what runs and what does not", async () => {
  assertEquals(await SYSTEM.works(["/bin/sh", "-c", "exit 0"]), true);
  assertEquals(await SYSTEM.works(["/bin/sh", "-c", "exit 3"]), false);
  assertEquals(await SYSTEM.works(["/no/such/program"]), false);
});
