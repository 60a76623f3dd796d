import { assert, assertEquals, assertMatch } from "@std/assert";
import { denoProgram } from "../../src/sandbox/launcher.ts";
import { SYSTEM, type WallsSystem } from "../../src/sandbox/system.ts";
import { createUsers } from "../../src/sandbox/users.ts";
import { type Place, raiseWalls, type Walls } from "../../src/sandbox/walls.ts";

const OPTIONS = {
  kind: "session",
  dataMb: 2,
  memoryMb: 1000,
  niceness: 5,
  mustRead: ["/a"],
} as const;

/** A system on which a command works unless `broken` is one of its words. */
function systemWithout(broken: string[], overrides: Partial<WallsSystem> = {}): WallsSystem {
  return {
    os: "linux",
    arch: "x86_64",
    isRoot: true,
    works: (command) => Promise.resolve(!command.some((word) => broken.includes(word))),
    findControlGroups: () => Promise.resolve(null),
    ...overrides,
  };
}

/** The words in front of a process, without the long ones. */
function shown(walls: Walls, dataMb: number | null): string {
  return walls.enter(dataMb).prefix.filter((word) => word.length < 40).join(" ");
}

const USER = createUsers("session", Deno.pid).first;

Deno.test("raiseWalls() puts every wall in front of a process, that of system calls last", async () => {
  let asked = 0;
  const system = systemWithout([]);
  const walls = await raiseWalls(OPTIONS, {
    ...system,
    works(command) {
      asked++;
      return system.works(command);
    },
  });
  assertEquals([walls.missing, asked], [[], 1]);
  assertEquals(walls.uid, USER);
  assertEquals(
    shown(walls, 3),
    "setpriv --pdeathsig=KILL unshare --net --ipc --uts --pid --fork --kill-child --mount-proc " +
      "nice -n 5 prlimit --core=0 --nofile=256 --data=3145728 " +
      "setpriv --no-new-privs --pdeathsig=KILL --inh-caps=-all --bounding-set=-all " +
      `--reuid=${USER} --regid=${USER} --clear-groups perl -e 317`,
  );
  assert(!shown(walls, null).includes("--data"));
});

Deno.test("each process that lives has a user id of its own", async () => {
  const walls = await raiseWalls(OPTIONS, systemWithout([]));
  const others = await raiseWalls({ ...OPTIONS, kind: "analysis" }, systemWithout([]));
  const idOf = ({ prefix }: Place) => prefix.find((word) => word.startsWith("--reuid="));
  const first = walls.enter(null);
  const places = [first, walls.enter(null), others.enter(null), others.enter(null)];
  assertEquals(new Set(places.map(idOf)).size, 4);
  first.leave();
  assert(!places.map(idOf).includes(idOf(walls.enter(null))));
  // Where all are in use it is nobody's, as no id may be shared that is somebody's.
  for (let i = 0; i < 2046; i++) walls.enter(null);
  assertEquals(idOf(walls.enter(null)), "--reuid=65534");
});

Deno.test("raiseWalls() names each wall that it has to leave out, and keeps the others", async () => {
  const cases: [broken: string[], missing: string[], left: RegExp][] = [
    [["unshare"], ["no network", "no other processes"], /^nice .* prlimit .* setpriv .*--reuid/],
    [["--mount-proc"], ["no view of other processes"], /unshare .*--pid --fork --kill-child nice/],
    // The kernel does not say which processes are whose children.
    [["/proc/1/task/1/children"], ["no other processes"], /^unshare --net --ipc --uts nice/],
    [["--kill-child"], ["no other processes"], /^unshare --net --ipc --uts nice/],
    [["nice", "prlimit"], ["lower priority", "limits"], /--mount-proc setpriv/],
    [[`--reuid=${USER}`], ["a user of its own"], /setpriv --no-new-privs .*--reuid=65534/],
    [["--clear-groups"], ["another user"], /--bounding-set=-all perl -e 317$/],
    // A process without the right to change its bounding set, and a reader without access.
    [["--bounding-set=-all"], ["another user"], /setpriv --no-new-privs --pdeathsig=KILL perl/],
    // Berth itself may map less than a host should.
    [["--data=2097152"], ["limits"], /nice -n 5 setpriv/],
    [["/a"], ["another user"], /setpriv --no-new-privs .*--bounding-set=-all perl/],
    [["perl"], [], /--clear-groups python3 -I -S -c 317$/],
    [["perl", "python3"], ["fewer system calls"], /--clear-groups$/],
    [
      ["setpriv"],
      ["no other processes", "another user", "no new privileges"],
      /--nofile=256 perl -e 317$/,
    ],
  ];
  for (const [broken, missing, left] of cases) {
    const walls = await raiseWalls(OPTIONS, systemWithout(broken));
    assertEquals(walls.missing.map(({ wall }) => wall), missing, broken.join());
    assertMatch(shown(walls, null), left);
    const expected = missing.includes("another user")
      ? null
      : missing.includes("a user of its own")
      ? 65534
      : USER;
    assertEquals(walls.uid, expected);
    for (const { why } of walls.missing) {
      assertMatch(why, /\w{3}/);
      assert(!why.includes("{"), why);
    }
  }
});

Deno.test("raiseWalls() says where Berth is not root that no other user is to be had", async () => {
  const walls = await raiseWalls(OPTIONS, systemWithout([], { isRoot: false }));
  assertEquals([walls.missing.map(({ wall }) => wall), walls.uid], [["another user"], null]);
  assertMatch(walls.missing[0]!.why, /Berth is not root.*Start it as root/);
  assertMatch(shown(walls, null), /^setpriv --pdeathsig=KILL unshare --user --net/);
  // What is left then is not what is left to root.
  const { missing } = await raiseWalls(OPTIONS, systemWithout(["--pid"], { isRoot: false }));
  assertEquals(missing.map(({ wall }) => wall), ["no other processes", "another user"]);
  assertMatch(missing[0]!.why, /Deno's permissions alone/);
});

Deno.test("raiseWalls() says on other systems and processors what does not hold", async () => {
  const walls = await raiseWalls(OPTIONS, systemWithout([], { os: "darwin" }));
  assertEquals(walls.enter(1).prefix, []);
  assertMatch(walls.missing[0]!.why, /darwin.*Run Berth on Linux/);
  const { missing } = await raiseWalls(OPTIONS, systemWithout([], { arch: "riscv64" }));
  assertMatch(missing[0]!.why, /riscv64/);
});

Deno.test("raiseWalls() asks for control groups of the size that a process may have", async () => {
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

Deno.test("the system's own answer: what runs and what does not", async () => {
  assertEquals(await SYSTEM.works(["/bin/sh", "-c", "exit 0"]), true);
  assertEquals(await SYSTEM.works(["/bin/sh", "-c", "exit 3"]), false);
  assertEquals(await SYSTEM.works(["/no/such/program"]), false);
});
