/**
 * Where hostile servers are let loose: one supervisor, and a session of another server that must
 * not notice anything.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { SessionHostsOptions } from "../../../src/execution/hosts/options.ts";
import type { HostKill } from "../../../src/execution/hosts/types.ts";
import type { EndReason } from "../../../src/execution/interpreters/types.ts";
import type { TestHosts } from "../../helpers/interpreter.ts";
import type { PlainInput, PlainSession } from "../../helpers/plain_json.ts";
import {
  callTool,
  openTestHosts,
  processorSeconds,
  server,
  sessionInput,
  until,
  watchEnd,
} from "../../helpers/interpreter.ts";
import { insideOf } from "../../helpers/processes.ts";

/** A server whose client may run any Python or JavaScript in it; `out` is the answer of Python. */
export const ANYTHING = server(`
@tool
def quick() -> str:
    return "quick"
@tool
def py(code: str) -> str:
    scope = {}
    try:
        exec(code, scope)
    except Exception as error:
        return f"raised {type(error).__name__}: {error}"[:500]
    return str(scope.get("out"))
@tool
async def js(code: str) -> str:
    from pyodide.code import run_js
    try:
        return str(await run_js("(async () => {" + code + "})()"))[:500]
    except Exception as error:
        return f"raised {error}"[:500]
`);

/** A session of a hostile server. */
export interface Attacker {
  session: PlainSession;
  ended: Promise<EndReason>;
}

/** See the module. */
export interface Arena extends AsyncDisposable {
  hosts: TestHosts;
  /** Hosts that were ended for what their code did. */
  kills: HostKill[];
  open(source?: string, overrides?: Partial<PlainInput>): Promise<Attacker>;
  /** The other server's session answers, and no process but those of live hosts is left. */
  check(what: string): Promise<void>;
}

/** Opens the arena. A deadline that the bystander's own entrypoint does not meet is doubled. */
export async function openArena(options: Partial<SessionHostsOptions> = {}): Promise<Arena> {
  const hosts = await openTestHosts(options);
  const kills: HostKill[] = [];
  hosts.onKill((kill) => kills.push(kill));
  const pids = new Set<number>();
  const bystander = await hosts.open(sessionInput(ANYTHING, { server: "bystander" }));
  const { loadDeadlineMs } = options;
  if (bystander.load.kind !== "loaded" && loadDeadlineMs !== undefined) {
    await hosts.close();
    return await openArena({ ...options, loadDeadlineMs: 2 * loadDeadlineMs });
  }
  return {
    hosts,
    kills,
    async open(source = ANYTHING, overrides = {}) {
      const { ended, onEnd } = watchEnd();
      const input = sessionInput(source, {
        server: "attacker",
        ...overrides,
        onEnd(reason) {
          onEnd(reason);
          overrides.onEnd?.(reason);
        },
      });
      const session = await hosts.open(input);
      for (const pid of hosts.stats().pids) pids.add(pid).add(await insideOf(pid));
      return { session, ended };
    },
    async check(what) {
      assertEquals(await callTool(bystander, "quick"), "quick", what);
      const live: number[] = [];
      for (const pid of hosts.stats().pids) live.push(pid, await insideOf(pid));
      for (const pid of pids) {
        if (live.includes(pid)) continue;
        // Gone: it uses no processor any more.
        await until(async () => await processorSeconds(pid) === null);
        pids.delete(pid);
      }
    },
    [Symbol.asyncDispose]: () => hosts.close(),
  };
}
