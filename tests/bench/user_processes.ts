// A script for people prints what it measured.
// deno-lint-ignore-file no-console
/**
 * What it takes in memory that users do not share processes: the sessions of one server, all of one
 * user or each of another. Proportional set sizes, as root on Linux, all in one run:
 * `deno run -A tests/bench/user_processes.ts [sessions]`.
 *
 * @module
 */
import { callTool, openTestHosts, server, sessionInput } from "../helpers/interpreter.ts";
import { descendants } from "../helpers/processes.ts";
import { proportionalMb } from "./speed/sdk.ts";

const SESSIONS = Number(Deno.args[0] ?? 8);
const SOURCE = server(`
@tool
def quick() -> str:
    return "quick"
`);

/** Megabytes of the processes of sessions whose users `clientOf` names. */
async function measure(clientOf: (session: number) => string): Promise<number> {
  await using hosts = await openTestHosts();
  for (let i = 0; i < SESSIONS; i++) {
    const session = await hosts.open(sessionInput(SOURCE, { client: clientOf(i) }));
    await callTool(session, "quick");
  }
  let sum = 0;
  for (const pid of hosts.stats().pids) {
    for (const each of [pid, ...await descendants(pid)]) sum += await proportionalMb(each);
  }
  console.log(`${hosts.stats().hosts} processes, ${(sum / SESSIONS).toFixed(0)} MB a session`);
  return sum;
}

console.log(`${SESSIONS} sessions of one server`);
const shared = await measure(() => "user a");
const pairs = await measure((i) => `user ${Math.floor(i / 2)}`);
const apart = await measure((i) => `user ${i}`);
console.log(`two sessions a user: ${(pairs / shared).toFixed(2)} of the memory of one user`);
console.log(`one session a user: ${(apart / shared).toFixed(2)} of it`);
