import { assertEquals } from "@std/assert";
import { createScheduling } from "../../src/sandbox/scheduling.ts";
import { groupNiceness, groupsSessions, textOf } from "../helpers/processes.ts";
import { until } from "../helpers/interpreter.ts";

/** A process that leads a session of its own. */
async function startSession(): Promise<Deno.ChildProcess> {
  const child = new Deno.Command("setsid", { args: ["sleep", "60"], stdin: "null" }).spawn();
  await until(async () => (await textOf(`/proc/${child.pid}/comm`)).startsWith("sleep"));
  return child;
}

Deno.test({
  name: "createScheduling() takes a process's share away and gives it back, or changes nothing",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const grouped = await groupsSessions();
    const scheduling = createScheduling();
    const child = await startSession();
    const own = await groupNiceness(Deno.pid);
    try {
      scheduling.share(child.pid, 17);
      await until(async () => await groupNiceness(child.pid) === (grouped ? 17 : null));
      scheduling.share(child.pid, 5);
      await until(async () => await groupNiceness(child.pid) === (grouped ? 5 : null));
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
