/** Faults of the database and of the way to it, while Berth is used. */
import { assert, assertEquals } from "@std/assert";
import postgres from "postgres";
import { until } from "../helpers/interpreter.ts";
import { descendants } from "../helpers/processes.ts";
import { slowDisk } from "../helpers/slow_disk.ts";
import { type Installation, LONG, PROGRAMS, startInstallation } from "./harness.ts";

function seconds(n: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, n * 1000));
}

async function killed({ postgres, suffer }: Installation): Promise<void> {
  await suffer(async () => {
    await postgres.kill();
    await postgres.start();
  });
}

/** One backend is killed, so all of them end, and what was not written is read from the log. */
async function backendKilled({ postgres, suffer }: Installation): Promise<void> {
  await suffer(async () => {
    const [backend] = await postgres.ask<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'berth' limit 1",
    );
    Deno.kill(backend!.pid, "SIGKILL");
    await seconds(0.5);
  });
}

async function away({ postgres, suffer }: Installation, forSeconds: number): Promise<void> {
  await suffer(async (users) => {
    await postgres.stop("fast");
    const before = users.refused();
    await seconds(forSeconds);
    assert(users.refused() > before);
    await postgres.start();
  });
}

async function connectionsEnded({ postgres, suffer }: Installation): Promise<void> {
  await suffer(async () => {
    for (let i = 0; i < 10; i++) {
      await postgres.ask(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'berth'`,
      );
      await seconds(0.1);
    }
  });
}

/** As a standby does, or a provider whose disk is full. */
async function readOnly({ postgres, suffer, berth }: Installation): Promise<void> {
  async function set(value: "on" | "off") {
    await postgres.ask(`alter system set default_transaction_read_only = ${value}`);
    await postgres.ask("select pg_reload_conf()");
  }
  await suffer(async (users) => {
    await set("on");
    const before = users.acknowledged.length;
    await seconds(1);
    const reading = await fetch(`${berth().apiUrl}/servers/notes`);
    assertEquals(reading.status, 200, await reading.text());
    const ready = await fetch(`${berth().registryUrl}/readyz`);
    assertEquals(ready.status, 503, await ready.text());
    // One may have been under way.
    assert(users.acknowledged.length <= before + 1);
    await set("off");
  });
}

async function outOfConnections({ postgres: own, suffer }: Installation): Promise<void> {
  await suffer(async () => {
    const taken = Array.from(
      { length: 40 },
      () => postgres(own.urlBy(own.port), { max: 1, fetch_types: false, onnotice: () => {} }),
    );
    try {
      // All but those that the installation has: whichever come first.
      const asked = await Promise.allSettled(taken.map((sql) => sql`select 1`));
      const connected = taken[asked.findIndex(({ status }) => status === "fulfilled")]!;
      // It loses its own, and gets none back.
      await connected`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'berth'`;
      await Promise.allSettled(taken.map((sql) => sql`select 1`));
      await seconds(1);
    } finally {
      await Promise.all(taken.map((sql) => sql.end({ timeout: 0 })));
    }
  });
}

async function slow({ way, suffer }: Installation): Promise<void> {
  await suffer(async (users) => {
    way.slow(100);
    await users.served();
    assertEquals(users.refused(), 0);
    way.mend();
  });
}

/** Each commit waits for a disk that takes a few writes a second. */
async function slowWrites({ postgres, suffer, berth }: Installation): Promise<void> {
  const set = async (fsync: "on" | "off") => {
    await postgres.ask(`alter system set fsync = ${fsync}`);
    await postgres.ask("select pg_reload_conf()");
  };
  const commitMs = async () => {
    const begun = performance.now();
    for (let n = 0; n < 5; n++) {
      await postgres.ask("select pg_logical_emit_message(true, 'probe', 'commit')");
    }
    return (performance.now() - begun) / 5;
  };
  await set("on");
  await suffer(async (users) => {
    const usual = await commitMs();
    const { mainPid } = berth();
    const pids = [...await postgres.pids(), mainPid, ...await descendants(mainPid)];
    await using _disk = await slowDisk(postgres.folder, pids, 10);
    const slow = await commitMs();
    assert(slow > 2 * usual, `Commits took ${usual} ms, and then ${slow} ms`);
    await users.served();
    await users.served();
    assertEquals(users.refused(), 0);
  });
  await set("off");
}

/** Connections end within answers, at ever other places. */
async function cutAnswers({ way, suffer }: Installation): Promise<void> {
  await suffer(async () => {
    for (let bytes = 100; bytes < 6000; bytes += 237) {
      way.cutAfter(bytes);
      await seconds(0.1);
    }
    way.mend();
  });
}

/** Nothing comes through and nobody says so. */
async function silent({ way, suffer }: Installation): Promise<void> {
  await suffer(async () => {
    way.stall();
    await seconds(LONG ? 30 : 3);
    way.mend();
  });
}

/** Somebody changes a table, say. */
async function locked({ postgres: own, suffer }: Installation): Promise<void> {
  await suffer(async () => {
    const sql = postgres(own.urlBy(own.port), { max: 1, fetch_types: false });
    await sql.begin(async (tx) => {
      await tx`lock table servers in access exclusive mode`;
      await seconds(3);
    });
    await sql.end();
  });
}

/** A standby that has all that was acknowledged takes the place of the database, which is lost. */
async function failedOver({ postgres, suffer, follow, berth }: Installation): Promise<void> {
  const standby = await postgres.standby();
  await postgres.ask("alter system set synchronous_standby_names = '*'");
  await postgres.ask("select pg_reload_conf()");
  await until(async () => {
    const [follower] = await postgres.ask<{ state: string }>(
      "select sync_state as state from pg_stat_replication",
    );
    return follower?.state === "sync";
  });
  await suffer(async (users) => {
    const before = users.acknowledged.length;
    await until(() => users.acknowledged.length > before + 5);
    await postgres.kill();
    follow(standby);
    // Until it is told to, it takes no writes, which the next one shows; what it has can be read.
    await until(async () => (await fetch(`${berth().registryUrl}/readyz`)).status === 503);
    await until(async () => (await fetch(`${berth().apiUrl}/servers/notes`)).ok);
    await standby.promote();
  });
  const [{ recovering }] = await standby.ask<{ recovering: boolean }>(
    "select pg_is_in_recovery() as recovering",
  ) as [{ recovering: boolean }];
  assertEquals(recovering, false);
}

const FAULTS: Record<string, (installation: Installation) => Promise<void>> = {
  "the database is killed": killed,
  "one process of the database is killed": backendKilled,
  "the database is away for a moment": (one) => away(one, 1),
  [`the database is away for ${LONG ? 30 : 5} seconds`]: (one) => away(one, LONG ? 30 : 5),
  "all connections are ended, again and again": connectionsEnded,
  "the database takes no writes": readOnly,
  "the database has no connections left": outOfConnections,
  "the database is slow": slow,
  "the disk is slow": slowWrites,
  "answers of the database are cut half-way": cutAnswers,
  "the database is silent": silent,
  "a table is locked": locked,
  // The last: what the others ask is no longer there.
  "the database is lost, and its standby takes its place": failedOver,
};

Deno.test({
  name: "what befalls the database loses nothing and passes by itself",
  ignore: PROGRAMS === null,
  async fn(t) {
    await using installation = await startInstallation();
    for (const [name, fault] of Object.entries(FAULTS)) {
      await t.step(name, () => fault(installation));
    }
  },
});
