import { assert, assertEquals } from "@std/assert";
import { seccompCommands, seccompFilter } from "../../src/sandbox/seccomp.ts";
import { systemCallsOf } from "../../src/sandbox/syscalls.ts";
import { SYSTEM } from "../../src/sandbox/system.ts";

/** What the filter says of a call, as the kernel would run it. */
function verdictOf(filter: Uint8Array, data: { arch: number; nr: number; first?: number }): number {
  const view = new DataView(filter.buffer);
  let loaded = 0;
  for (let at = 0;; at++) {
    const code = view.getUint16(8 * at, true);
    const value = view.getUint32(8 * at + 4, true);
    const jump = (holds: boolean) => at += view.getUint8(8 * at + (holds ? 2 : 3));
    if (code === 0x06) return value;
    else if (code === 0x20) loaded = [data.nr, data.arch, 0, 0, data.first ?? 0][value / 4]!;
    else if (code === 0x15) jump(loaded === value);
    else if (code === 0x25) jump(loaded > value);
    else if (code === 0x45) jump((loaded & value) !== 0);
    else throw new Error(`Instruction ${code}`);
  }
}

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const KILL = 0x80000000;

Deno.test("the filter allows threads and ordinary calls, on each processor that it knows", () => {
  for (const [arch, read, futex] of [["x86_64", 0, 202], ["aarch64", 63, 98]] as const) {
    const filter = seccompFilter(arch)!;
    const calls = systemCallsOf(arch)!;
    const verdict = (nr: number, first = 0) => verdictOf(filter, { arch: calls.audit, nr, first });
    assertEquals([verdict(read), verdict(futex)], [ALLOW, ALLOW], arch);
    // As glibc starts a thread, and as it forks.
    assertEquals([verdict(calls.clone, 0x3d0f00), verdict(calls.clone, 0x1200011)], [ALLOW, EPERM]);
    assertEquals([verdict(calls.socketpair, 1), verdict(calls.socketpair, 2)], [ALLOW, EPERM]);
    assertEquals([verdict(calls.clone3), verdict(463), verdict(0x40000001)], Array(3).fill(ENOSYS));
    for (const call of calls.refused) assertEquals(verdict(call), EPERM, `${arch} ${call}`);
    assertEquals(new Set(calls.refused).size, calls.refused.length);
    assertEquals(verdictOf(filter, { arch: 0x40000003, nr: 1 }), KILL);
  }
  assertEquals([seccompFilter("riscv64"), seccompCommands("riscv64")], [null, []]);
});

Deno.test({
  name: "each of the programs that put the filter in place does",
  ignore: Deno.build.os !== "linux",
  async fn() {
    let tried = 0;
    const works = async (command: string[]) => await SYSTEM.run(command) !== null;
    for (const words of seccompCommands()) {
      if (!await works([words[0]!, ...words[0] === "perl" ? ["-v"] : ["-V"]])) continue;
      tried++;
      const without = ["setpriv", "--no-new-privs"];
      const status = ["grep", "-q", "Seccomp:[[:space:]]*2", "/proc/self/status"];
      assert(await works([...without, ...words, ...status]), words[0]);
      assertEquals(await works([...without, ...words, "/bin/sh", "-c", "exit 3"]), false);
      // Another process not available.
      const forks = ["/bin/sh", "-c", "(exit 0)"];
      assertEquals(await works([...without, ...words, ...forks]), false, words[0]);
    }
    assert(tried > 0, "neither perl nor python3 is here");
  },
});
