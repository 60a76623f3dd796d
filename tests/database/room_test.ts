import { assertEquals } from "@std/assert";
import { createRoomWatch } from "../../src/database/room.ts";
import { createApp } from "../../src/http/app.ts";
import { stubServices } from "../http/stub_services.ts";

Deno.test("a write that PostgreSQL refused for want of room is remembered for 10 seconds", async () => {
  let time = 0;
  const room = createRoomWatch(() => time);
  const { services } = stubServices();
  const refuse = (code: string) => {
    const full = Object.assign(new Error("could not extend file"), { code });
    const registry = { ...services.registry, list: () => Promise.reject(full) };
    return createApp({ ...services, registry, room }).request("/api/v1/servers");
  };
  await (await refuse("22001")).body?.cancel();
  assertEquals(room.isFull(), false);
  const answer = await refuse("53100");
  assertEquals(answer.status, 503);
  await answer.body?.cancel();
  assertEquals(room.isFull(), true);
  time = 10_000;
  assertEquals(room.isFull(), false);
});
