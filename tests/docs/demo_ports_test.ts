import { assert, assertEquals } from "@std/assert";
import { choosePorts } from "../helpers/demo_ports.ts";

Deno.test("the demo takes the ports it names where they are free, and others where they are not", () => {
  const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  const { other } = choosePorts({ other: port });
  const chosen = choosePorts({ free: other, taken: port, again: port });
  assert(chosen.taken !== port && chosen.again !== port);
  assertEquals(chosen.free, other);
  assertEquals(new Set(Object.values(chosen)).size, 3);
  taken.close();
});
