/**
 * A filter of system calls (seccomp) around a sandboxed process: no sockets, no new processes, none
 * of the calls that reach into other processes or the kernel's rarely used parts. Deno needs none of
 * them once it runs.
 *
 * The filter is put in place by an interpreter that is on nearly every machine, and then stays for
 * whatever is started from there.
 *
 * @module
 */
import { LAST_KNOWN, type SystemCalls, systemCallsOf } from "./syscalls.ts";

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_ABOVE = 0x25;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const REFUSE = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;

/** Where `struct seccomp_data` has these. */
const NUMBER = 0;
const PROCESSOR = 4;
const FIRST_ARGUMENT = 16;

const CLONE_THREAD = 0x10000;
const AF_UNIX = 1;

type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];

function ret(value: number): Instruction {
  return [RETURN, 0, 0, value];
}

/** `call` is allowed when its first argument passes `test`, a jump over one instruction. */
function onlyWhen(call: number, [code, value]: [code: number, value: number]): Instruction[] {
  return [
    [IF_EQUAL, 0, 4, call],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [code, 1, 0, value],
    ret(REFUSE | EPERM),
    ret(ALLOW),
  ];
}

function program(calls: SystemCalls): Instruction[] {
  return [
    [LOAD, 0, 0, PROCESSOR],
    [IF_EQUAL, 1, 0, calls.audit],
    ret(KILL_PROCESS),
    [LOAD, 0, 0, NUMBER],
    // glibc then takes `clone`, whose flags can be looked at.
    [IF_EQUAL, 1, 0, calls.clone3],
    // Also those that a 64-bit processor has for 32-bit programs.
    [IF_ABOVE, 0, 1, LAST_KNOWN],
    ret(REFUSE | ENOSYS),
    ...onlyWhen(calls.clone, [IF_ANY_BIT, CLONE_THREAD]),
    ...onlyWhen(calls.socketpair, [IF_EQUAL, AF_UNIX]),
    ...calls.refused.flatMap((call): Instruction[] => [
      [IF_EQUAL, 0, 1, call],
      ret(REFUSE | EPERM),
    ]),
    ret(ALLOW),
  ];
}

/** The filter as the kernel takes it; null on a processor that Berth does not know. */
export function seccompFilter(arch: string = Deno.build.arch): Uint8Array | null {
  const calls = systemCallsOf(arch);
  if (calls === undefined) return null;
  const instructions = program(calls);
  const bytes = new Uint8Array(8 * instructions.length);
  const view = new DataView(bytes.buffer);
  for (const [i, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
    view.setUint16(8 * i, code, true);
    view.setUint8(8 * i + 2, ifTrue);
    view.setUint8(8 * i + 3, ifFalse);
    view.setUint32(8 * i + 4, value, true);
  }
  return bytes;
}

// `struct sock_fprog` is a count and an address; the call's first argument asks for a filter.
const PERL = `
my $filter = pack "H*", shift;
my $program = pack "S x6 P", length($filter) / 8, $filter;
syscall(int(shift), 1, 0, $program) == 0 or exit 126;
exec { $ARGV[0] } @ARGV;
exit 127;`;

const PYTHON = `
import ctypes, os, sys
filter = bytes.fromhex(sys.argv[1])
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]
program = Program(len(filter) // 8, filter)
if ctypes.CDLL(None).syscall(int(sys.argv[2]), 1, 0, ctypes.byref(program)):
    sys.exit(126)
os.execvp(sys.argv[3], sys.argv[3:])`;

/** Words in front of a command that put the filter in place, by what may be there to do it. */
export function seccompCommands(arch: string = Deno.build.arch): string[][] {
  const filter = seccompFilter(arch);
  const calls = systemCallsOf(arch);
  if (filter === null || calls === undefined) return [];
  const given = [filter.toHex(), String(calls.seccomp)];
  return [
    ["perl", "-e", PERL, ...given],
    ["python3", "-I", "-S", "-c", PYTHON, ...given],
  ];
}
