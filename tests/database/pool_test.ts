import { assertEquals, assertRejects } from "@std/assert";
import { connectTo } from "../../src/database/client.ts";
import { isLostWrite } from "../../src/database/pool.ts";
import { silentLog } from "../helpers/database.ts";

const DATABASE = Deno.env.get("TEST_DATABASE_URL");

Deno.test({
  name: "a pool whose connections are ended within transactions goes on, and listens on",
  ignore: DATABASE === undefined,
  async fn() {
    const sql = connectTo({ url: DATABASE!, dataDir: "", log: silentLog }, null);
    const other = connectTo({ url: DATABASE!, dataDir: "", log: silentLog }, null);
    let lost = 0;
    // As `main.ts` does: the driver throws where nobody can catch it.
    function outlive(event: ErrorEvent) {
      if (!isLostWrite(event.error)) return;
      event.preventDefault();
      lost++;
    }
    addEventListener("error", outlive);
    try {
      const channel = `pool_${crypto.randomUUID().replaceAll("-", "")}`;
      const heard = Promise.withResolvers<string>();
      await sql.listen(channel, heard.resolve);
      for (let round = 0; round < 5; round++) {
        const ended = Array.from({ length: 5 }, () =>
          assertRejects(() =>
            sql.begin(async (tx) => {
              const [{ pid }] = await tx<[{ pid: number }]>`select pg_backend_pid() as pid`;
              await other`select pg_terminate_backend(${pid})`;
              await new Promise((resolve) => setTimeout(resolve, 20));
              // Goes to a connection that is gone.
              await tx`select 1`;
            })
          ));
        await Promise.all(ended);
        // More than there are connections.
        const asked = Array.from(
          { length: 40 },
          (_, n) => sql<[{ n: number }]>`select ${n}::int as n`,
        );
        assertEquals((await Promise.all(asked)).map(([{ n }]) => n).length, 40);
      }
      await other`select pg_notify(${channel}, 'said')`;
      assertEquals(await heard.promise, "said");
      assertEquals(lost <= 25, true);
    } finally {
      await sql.end({ timeout: 1 });
      await other.end({ timeout: 1 });
      removeEventListener("error", outlive);
    }
  },
});
