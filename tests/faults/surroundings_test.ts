/** Faults of what is around Berth's processes: the time of day, the log's reader, the disk. */
import { assert, assertEquals } from "@std/assert";
import { type Installation, PROGRAMS, startInstallation } from "./harness.ts";

/** Debian's `libfaketime`, which changes the time of day of a process while it runs. */
const FAKE_TIME = await findFakeTime();

async function findFakeTime(): Promise<string | null> {
  const architecture = { x86_64: "x86_64", aarch64: "aarch64" }[Deno.build.arch];
  const path = `/usr/lib/${architecture}-linux-gnu/faketime/libfaketimeMT.so.1`;
  try {
    await Deno.stat(path);
    return path;
  } catch {
    return null;
  }
}

interface Bench extends Installation {
  /** A file that says by how much the time of day is another. */
  clock: string;
}

/** Tokens may have expired by that clock, or not be valid yet; all else goes on. */
async function clockMoved({ suffer, clock, berth }: Bench, by: string): Promise<void> {
  await suffer(async () => {
    await Deno.writeTextFile(clock, by);
    try {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      assertEquals((await fetch(`${berth().apiUrl}/servers`)).status, 200);
    } finally {
      await Deno.writeTextFile(clock, "+0");
    }
  }, { tokensRefused: true });
}

async function mount(...args: string[]): Promise<boolean> {
  const options = { args, stdout: "null", stderr: "null" } as const;
  return (await new Deno.Command("mount", options).output()).success;
}

const canMount = Deno.build.os === "linux" && Deno.uid() === 0;

async function readOnlyFolder({ suffer, dataDir }: Installation): Promise<void> {
  await suffer(async (users) => {
    assert(await mount("--bind", dataDir, dataDir));
    try {
      assert(await mount("-o", "remount,ro,bind", dataDir));
      await users.served();
      await users.served();
    } finally {
      await new Deno.Command("umount", { args: ["-l", dataDir] }).output();
    }
  });
}

/** Whoever reads the log is gone: a write fails. */
async function logClosed({ berth, suffer }: Installation): Promise<void> {
  await suffer(async (users) => {
    await berth().closeLog();
    for (let i = 0; i < 3; i++) await users.served();
  });
}

/** A database of its own has no room: `tests/database/full_disk_test.ts`. Here, a folder has none. */
async function fullFolder({ suffer, dataDir, registry, berth }: Installation): Promise<void> {
  await Deno.mkdir(`${dataDir}/packages`, { recursive: true });
  await suffer(async (users) => {
    assert(await mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", `${dataDir}/packages`));
    try {
      await Deno.writeFile(`${dataDir}/packages/ballast`, new Uint8Array(60 * 1024));
      await users.served();
      const scanned = await registry("POST", "/servers/notes/rescan");
      assertEquals(scanned.status, 202, berth().log());
      await users.served();
    } finally {
      await new Deno.Command("umount", { args: ["-l", `${dataDir}/packages`] }).output();
    }
  });
}

type Fault = [name: string, ignore: boolean, fn: (bench: Bench) => Promise<void>];

const withoutFakeTime = FAKE_TIME === null;
const FAULTS: Fault[] = [
  ["the clock goes forward by an hour", withoutFakeTime, (one) => clockMoved(one, "+1h")],
  ["the clock goes back by an hour", withoutFakeTime, (one) => clockMoved(one, "-1h")],
  ["the data folder takes no writes", !canMount, readOnlyFolder],
  ["the folder of packages is full", !canMount, fullFolder],
  ["nobody reads the log any more", false, logClosed],
];

Deno.test({
  name: "what befalls the surroundings loses nothing and passes by itself",
  ignore: PROGRAMS === null,
  async fn(t) {
    const clock = await Deno.makeTempFile({ prefix: "berth-clock-" });
    await Deno.writeTextFile(clock, "+0");
    await using installation = await startInstallation({
      environment: FAKE_TIME === null ? {} : {
        LD_PRELOAD: FAKE_TIME,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      },
    });
    for (const [name, ignore, fault] of FAULTS) {
      await t.step({
        name: ignore ? `${name}: takes root, or libfaketime (apt-get install faketime)` : name,
        ignore,
        fn: () => fault({ ...installation, clock }),
      });
    }
    await Deno.remove(clock);
  },
});
