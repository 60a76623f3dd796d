import { assertEquals } from "@std/assert";
import { createScheduling } from "../../src/sandbox/scheduling.ts";
import { textOf } from "../helpers/processes.ts";
import { until } from "../helpers/interpreter.ts";

async function groupNiceness(pid: number): Promise<number | null> {
  const text = await textOf(`/proc/${pid}/autogroup`);
  const found = /nice (-?\d+)/.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

/** A process that leads a session of its own. */
async function startSession(): Promise<Deno.ChildProcess> {
  const child = new Deno.Command("setsid", { args: ["sleep", "60"], stdin: "null" }).spawn();
  await until(async () => (await textOf(`/proc/${child.pid}/comm`)).startsWith("sleep"));
  return child;
}

Deno.test({
  name: "createScheduling() takes the share of a process away and gives it back",
  ignore: Deno.build.os !== "linux" || await groupNiceness(Deno.pid) === null,
  async fn() {
    const scheduling = createScheduling();
    const child = await startSession();
    const own = await groupNiceness(Deno.pid);
    try {
      scheduling.share(child.pid, 17);
      await until(async () => await groupNiceness(child.pid) === 17);
      scheduling.share(child.pid, 5);
      await until(async () => await groupNiceness(child.pid) === 5);
      assertEquals(await groupNiceness(Deno.pid), own);
    } finally {
      child.kill("SIGKILL");
      await child.status;
      await scheduling.close();
    }
  },
});

Deno.test("createScheduling() does not mind a process that is gone, and ends with its shell", async () => {
  const scheduling = createScheduling();
  scheduling.share(2 ** 22 + 1, 10);
  await scheduling.close();
  scheduling.share(Deno.pid, 10);
  await scheduling.close();
});
