import { assertEquals } from "@std/assert";
import type { Execution } from "../../src/execution/execution.ts";
import { ENDED_CHANNEL, listenForSessions } from "../../src/services/session_events.ts";
import { createServerDatabase, silentLog } from "../helpers/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { until } from "../helpers/interpreter.ts";

const DATABASE = Deno.env.get("TEST_DATABASE_URL");

Deno.test({
  name: "a node looks at its sessions anew when its connection to the others was lost",
  ignore: DATABASE === undefined,
  async fn() {
    const own = await createServerDatabase(DATABASE!);
    const open = () => openDatabase({ url: own.url, dataDir: "", log: silentLog });
    const [node, other] = await Promise.all([open(), open()]);
    const told: string[] = [];
    const execution = {
      endServerSessions: (name: string) => Promise.resolve(void told.push(`ended ${name}`)),
      recheckAll: () => Promise.resolve(void told.push("rechecked")),
    } as Partial<Execution> as Execution;
    const stop = await listenForSessions(node.sql, silentLog, execution);
    try {
      await other.sql.notify(ENDED_CHANNEL, "weather");
      await until(() => told.length > 0);
      assertEquals(told, ["ended weather"]);
      const ended = await other.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query ilike 'listen%'`;
      assertEquals(ended.length, 1);
      await until(() => told.length > 1);
      assertEquals(told, ["ended weather", "rechecked"]);
    } finally {
      await stop();
      await node.close();
      await other.close();
      await own.drop();
    }
  },
});
