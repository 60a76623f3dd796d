/** Faults of Berth's own processes, of its clock and of what it writes to, while Berth is used. */
import { assert, assertEquals } from "@std/assert";
import { sendMessage } from "../helpers/clients.ts";
import { until } from "../helpers/interpreter.ts";
import { descendants, textOf } from "../helpers/processes.ts";
import { registration } from "../helpers/cluster.ts";
import { EXAMPLE_OWNER } from "../helpers/world.ts";
import { type Installation, PROGRAMS, startInstallation } from "./harness.ts";

function seconds(n: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, n * 1000));
}

const LIST = { id: 1, method: "tools/list" };

/** Berth's processes that run `host`: those of sessions, or of analyses. */
async function hostsOf(mainPid: number, host: "session" | "analysis"): Promise<number[]> {
  const found: number[] = [];
  for (const pid of await descendants(mainPid)) {
    if ((await textOf(`/proc/${pid}/cmdline`)).includes(`workers/${host}/host`)) found.push(pid);
  }
  return found;
}

/** Killed within the writes of a user, and started again. */
async function mainKilled({ suffer, berth, start }: Installation): Promise<void> {
  await suffer(async (users) => {
    const before = users.acknowledged.length;
    await until(() => users.acknowledged.length > before + 5);
    Deno.kill(berth().mainPid, "SIGKILL");
    await berth().stop("SIGKILL");
    await start();
  }, { away: true, sessionsEnd: true });
}

/** All processes of sessions are killed: their sessions end and say so, others start. */
async function sessionHostKilled({ suffer, berth }: Installation): Promise<void> {
  await suffer(async () => {
    const hosts = await hostsOf(berth().mainPid, "session");
    assert(hosts.length > 0);
    for (const pid of hosts) Deno.kill(pid, "SIGKILL");
    await seconds(0.2);
  }, { sessionsEnd: true });
}

/** Nothing of Berth runs for longer than its clients wait for a sign of life. */
async function mainStopped({ suffer, berth }: Installation): Promise<void> {
  await suffer(async () => {
    const { mainPid } = berth();
    Deno.kill(mainPid, "SIGSTOP");
    await seconds(3);
    Deno.kill(mainPid, "SIGCONT");
  });
}

/** The process that examines a repository is killed: the scan says that it could not be done. */
async function analysisKilled({ suffer, berth, registry, world }: Installation): Promise<void> {
  const files = { "server.py": `${"x = 1\n".repeat(20_000)}` };
  await world.codeHost.add({ owner: EXAMPLE_OWNER, name: "examined", files });
  await suffer(async () => {
    const created = registry("POST", "/servers", registration("examined"));
    let hosts: number[] = [];
    await until(async () => {
      hosts = await hostsOf(berth().mainPid, "analysis");
      return hosts.length > 0;
    });
    for (const pid of hosts) Deno.kill(pid, "SIGKILL");
    const { status, body } = await created;
    // What was killed may have been a process that waited for its first scan.
    assert([201, 503].includes(status), JSON.stringify(body));
  });
  // The name is free, or has a record that is examined again.
  const again = await registry("GET", "/servers/examined");
  if (again.status === 404) {
    assertEquals((await registry("POST", "/servers", registration("examined"))).status, 201);
  } else {
    assertEquals((await registry("POST", "/servers/examined/rescan")).status, 202);
  }
}

/** Has a publication wait for the code host, does `end`, starts Berth, and publishes again. */
async function publicationEnds(
  { start, registry, world, postgres }: Installation,
  [name, end]: [string, () => Promise<void>],
): Promise<void> {
  const files = { "server.py": "" };
  await world.codeHost.add({ owner: EXAMPLE_OWNER, name, files });
  world.codeHost.fail("hang");
  const asked = world.codeHost.requests.api.length;
  const created = registry("POST", "/servers", registration(name)).catch(() => null);
  await until(() => world.codeHost.requests.api.length > asked);
  await end();
  const answer = await created;
  assert(answer === null || answer.status === 503, JSON.stringify(answer?.body));
  world.codeHost.fail(null);
  await start();
  // The name is held for at most a minute: that has passed now.
  const held = await postgres.ask<{ seconds: number }>(
    "select extract(epoch from lease_until - now())::float as seconds from scans where state = 'running'",
  );
  assert(held.every(({ seconds }) => seconds <= 60));
  await postgres.ask("update scans set lease_until = now() where state = 'running'");
  const again = await registry("POST", "/servers", registration(name));
  assertEquals(again.status, 201, JSON.stringify(again.body));
}

async function endedInPublication(installation: Installation): Promise<void> {
  const { berth } = installation;
  await publicationEnds(installation, ["ended", async () => {
    assertEquals(await berth().stop("SIGTERM"), 0, berth().log());
  }]);
}

async function killedInPublication(installation: Installation): Promise<void> {
  const { berth } = installation;
  await publicationEnds(installation, ["killed", async () => {
    Deno.kill(berth().mainPid, "SIGKILL");
    await berth().stop("SIGKILL");
  }]);
}

/**
 * Everything that the node has of its own is deleted: what runs goes on, no session starts, and the
 * next start makes it again.
 */
async function folderDeleted({ suffer, berth, dataDir, start }: Installation): Promise<void> {
  const kept = await Deno.makeTempDir({ prefix: "berth-kept-" });
  await suffer(async () => {
    for await (const { name } of Deno.readDir(dataDir)) {
      await Deno.rename(`${dataDir}/${name}`, `${kept}/${name}`);
    }
    for (let i = 0; i < 4; i++) {
      const target = { server: "notes", session: crypto.randomUUID() };
      const { status, body } = await sendMessage(berth().workerUrl, target, LIST);
      // One was ready before, of which something may be missing.
      const isFirst = status === 200 && i === 0;
      assert(isFirst || status === 503, `${status} ${JSON.stringify(body)}`);
    }
    assertEquals((await fetch(`${berth().apiUrl}/servers/notes`)).status, 200);
    for await (const { name } of Deno.readDir(kept)) {
      await Deno.remove(`${dataDir}/${name}`, { recursive: true }).catch(() => {});
      await Deno.rename(`${kept}/${name}`, `${dataDir}/${name}`);
    }
    await Deno.remove(kept);
    await berth().stop();
    await start();
  }, { away: true, sessionsEnd: true });
}

const FAULTS: Record<string, (installation: Installation) => Promise<void>> = {
  "the main process is killed": mainKilled,
  "processes of sessions are killed": sessionHostKilled,
  "the main process stops for a while": mainStopped,
  "the process that examines a repository is killed": analysisKilled,
  "Berth is told to end within a publication": endedInPublication,
  "Berth is killed within a publication": killedInPublication,
  "the data folder is deleted": folderDeleted,
};

Deno.test({
  name: "what befalls processes loses nothing and passes by itself",
  ignore: PROGRAMS === null,
  async fn(t) {
    await using installation = await startInstallation();
    for (const [name, fault] of Object.entries(FAULTS)) {
      await t.step(name, () => fault(installation));
    }
  },
});
