import { assertEquals } from "@std/assert";
import { COMPILED, linkedPackage } from "../helpers/compiled_package.ts";
import { runWith } from "./sessions.ts";

Deno.test("compiled modules of a server's own packages find all that the interpreter has", async () => {
  const { said } = await runWith(
    [COMPILED, linkedPackage()],
    "compiled\nlinked\n",
    `
import ctypes
from compiled import first, second
from linked import third

HASH_SLOT = 60

@tool
def run() -> str:
    try:
        first.refuse(None)
    except BlockingIOError as error:
        refused = str(error)
    slot = ctypes.c_uint32.from_address(id(list) + HASH_SLOT).value
    return repr([
        first.lines("a\\nb"), refused, first.count(None) + first.count(None), first.caught(None),
        first.missing(None), third.base(None),
        [slot == first.place_in_table(None), slot == second.place_in_table(None)],
        first.place_of_lent(None) == second.place_of_lent(None) > 0,
    ])
`,
  );
  const wanted = "[['a', 'b'], 'refused by compiled code', 3, 7, 0, 41, [True, True], True]";
  assertEquals(said, wanted);
});
