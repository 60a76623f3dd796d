import { assert, assertEquals, assertThrows } from "@std/assert";
import { choosePorts, portOf } from "../helpers/demo_ports.ts";

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

Deno.test("the demo names a variable that is not a port, or leaves no room for those that follow", () => {
  const name = "BERTH_TEST_DEMO_PORT";
  try {
    assertEquals(portOf(name, 8010, 5), 8010);
    for (const [text, expected] of [["", 8010], ["9000", 9000], ["65531", 65531]] as const) {
      Deno.env.set(name, text);
      assertEquals(portOf(name, 8010, 5), expected);
    }
    for (const text of ["abc", "0", "-1", "80.5", "1e3", "65532", "99999", " 8000"]) {
      Deno.env.set(name, text);
      assertThrows(() => portOf(name, 8010, 5), RangeError, name);
    }
  } finally {
    Deno.env.delete(name);
  }
});
