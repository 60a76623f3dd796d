import { assert, assertEquals, assertMatch } from "@std/assert";
import { denoProgram } from "../../src/sandbox/launcher.ts";
import { SYSTEM, type WallsSystem } from "../../src/sandbox/system.ts";
import { createUsers } from "../../src/sandbox/users.ts";
import { type Place, raiseWalls, strongestWalls, type Walls } from "../../src/sandbox/walls.ts";

const OPTIONS = {
  kind: "session",
  dataMb: 2,
  memoryMb: 1000,
  niceness: 5,
  mustRead: ["/a"],
} as const;

/** Files that must be readable: whether they are is not this machine's to say. */
const FILES = ["/a", "/proc/1/task/1/children"];

/** Fails where one of its words is broken, and otherwise runs what follows them. */
const FAKE = `#!/bin/sh
for word in "\${0##*/}" "$@"
do
  test "$word" = /bin/sh && break
  case " $BROKEN " in *" $word "*) exit 1;; esac
done
while test "$1" != /bin/sh
do shift
done
exec "$@"`;

const programs = await Deno.makeTempDir({ prefix: "berth-test-" });
for (const name of ["unshare", "nice", "prlimit", "setpriv", "perl", "python3"]) {
  await Deno.writeTextFile(`${programs}/${name}`, FAKE, { mode: 0o755 });
}
globalThis.addEventListener("unload", () => Deno.removeSync(programs, { recursive: true }));

/** A system on which a command works unless `broken` is one of its words. */
function systemWithout(broken: string[], overrides: Partial<WallsSystem> = {}): WallsSystem {
  return {
    os: "linux",
    arch: "x86_64",
    isRoot: true,
    async run(command) {
      const [program, ...args] = command.map((word) =>
        FILES.reduce(
          (text, file) => text.replaceAll(`'${file}'`, broken.includes(file) ? "/none" : "/"),
          word,
        )
      );
      const env = { PATH: programs, BROKEN: broken.join(" ") };
      const { success, stdout } = await new Deno.Command(program!, { args, env, clearEnv: true })
        .output();
      return success ? new TextDecoder().decode(stdout) : null;
    },
    findControlGroups: () => Promise.resolve(null),
    isHidden: () => false,
    ...overrides,
  };
}

/** The words in front of a process, without the long ones. */
function shown(walls: Walls, dataMb: number | null): string {
  return walls.enter(dataMb).prefix.filter((word) => word.length < 40).join(" ");
}

const USER = createUsers("session", Deno.pid).first;

Deno.test("raiseWalls() puts every wall in front of a process, that of system calls last", async () => {
  const walls = await raiseWalls(OPTIONS, systemWithout([]));
  assertEquals(walls.missing, []);
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

Deno.test("strongestWalls() takes the best way of each wall without trying any", async () => {
  const untried = strongestWalls(OPTIONS, {
    ...systemWithout([]),
    run: () => Promise.reject(new Error("nothing is to be run")),
  });
  const tried = await raiseWalls(OPTIONS, systemWithout([]));
  assert(shown(untried, 3).startsWith(shown(tried, 3)));
  assertEquals([untried.uid, untried.missing], [tried.uid, tried.missing]);
  // What is left out is what trying would leave out: a user who cannot get at the files.
  const hidden = strongestWalls(OPTIONS, systemWithout([], { isHidden: (path) => path === "/a" }));
  const alone = await raiseWalls(OPTIONS, systemWithout(["/a"]));
  assert(shown(hidden, 3).startsWith(shown(alone, 3)));
  assertEquals([hidden.uid, hidden.missing], [null, alone.missing]);
});

Deno.test(
  "a process behind the strongest walls ends before its program when a file is not to be read",
  {
    ignore: Deno.build.os !== "linux",
  },
  async () => {
    for (const [file, code] of [["/etc/passwd", 0], ["/no/such/file", 1]] as const) {
      const walls = strongestWalls({ ...OPTIONS, mustRead: [file] }, systemWithout([]));
      const { prefix } = walls.enter(null);
      // The files of processes in a namespace of their own are not there.
      const words = prefix.slice(prefix.indexOf("/bin/sh"))
        .map((word) => word.replace("/proc/1/task/1/children", "/etc/passwd"));
      const ended = await new Deno.Command(words[0]!, { args: [...words.slice(1), "echo", "runs"] })
        .output();
      assertEquals(ended.code, code);
      assertEquals(new TextDecoder().decode(ended.stdout), code === 0 ? "runs\n" : "");
    }
  },
);

Deno.test("a folder that only its owner enters hides what is in it", async () => {
  const folder = await Deno.makeTempDir({ prefix: "berth-test-" });
  try {
    const file = `${folder}/file`;
    await Deno.writeTextFile(file, "");
    await Deno.chmod(file, 0o644);
    await Deno.chmod(folder, 0o755);
    assertEquals(SYSTEM.isHidden(file), false);
    await Deno.chmod(folder, 0o700);
    assertEquals(SYSTEM.isHidden(file), true);
    await Deno.chmod(folder, 0o755);
    await Deno.chmod(file, 0o640);
    assertEquals([SYSTEM.isHidden(file), SYSTEM.isHidden(`${folder}/none`)], [true, true]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
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
  assertMatch(walls.missing[0]!.why, /Berth is not root.*Start Berth as root/);
  assertMatch(shown(walls, null), /^setpriv --pdeathsig=KILL unshare --user --net/);
  // What is left then is not what is left to root.
  const { missing } = await raiseWalls(OPTIONS, systemWithout(["--pid"], { isRoot: false }));
  assertEquals(missing.map(({ wall }) => wall), ["no other processes", "another user"]);
  assertMatch(missing[0]!.why, /Only Deno's permissions/);
});

Deno.test("raiseWalls() says on other systems and processors what does not hold", async () => {
  const walls = await raiseWalls(OPTIONS, systemWithout([], { os: "darwin" }));
  assertEquals(walls.enter(1).prefix, []);
  assertMatch(walls.missing[0]!.why, /darwin.*Use Linux/);
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
  assertEquals(await SYSTEM.run(["/bin/sh", "-c", "echo yes; exit 0"]), "yes\n");
  assertEquals(await SYSTEM.run(["/bin/sh", "-c", "echo yes; exit 3"]), null);
  assertEquals(await SYSTEM.run(["/no/such/program"]), null);
});

Deno.test("the walls that this machine raises hold what is started behind them", async () => {
  const mustRead = ["/bin/sh"];
  const walls = await raiseWalls({ ...OPTIONS, dataMb: 100, mustRead });
  if (Deno.build.os !== "linux") return;
  const { prefix, leave } = walls.enter(100);
  const told = await SYSTEM.run([...prefix, "cat", "/proc/self/status"]);
  leave();
  const missing = walls.missing.map(({ wall }) => wall);
  if (!missing.includes("no new privileges")) assertMatch(told!, /^NoNewPrivs:\s*1$/m);
  if (!missing.includes("fewer system calls")) assertMatch(told!, /^Seccomp:\s*2$/m);
  if (walls.uid !== null) assertMatch(told!, new RegExp(`^Uid:\\s*${walls.uid}\\s`, "m"));
});
