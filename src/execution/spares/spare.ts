/**
 * One spare session: a server that has started and waits for its client.
 *
 * @module
 */
import type { SpareHosts } from "../hosts/types.ts";
import type { Interpreter } from "../interpreters/types.ts";
import type { ServerInfo } from "../../protocol/mcp.ts";
import type { ServerCode } from "../sessions/server_code.ts";
import { createLateEvents, type SessionEvents, type Unfitness } from "./late.ts";

/** A server that waits. */
export interface Spare {
  readonly info: ServerInfo;
  /** Why nobody may have it; null as long as somebody may. */
  readonly fault: Unfitness | null;
  /** Called when it comes to have a fault. */
  onFault: ((why: Unfitness) => void) | null;
  /**
   * Makes it a session of `client`, which is told what was said so far.
   *
   * @throws {AppError} `unavailable` when the node is full; it waits on then.
   */
  hand(client: string, events: SessionEvents): Interpreter;
  close(): Promise<void>;
}

/** Longer than honest starts take on a busy machine; what takes longer blocks others. */
const LOAD_DEADLINE_MS = 30_000;

/**
 * Starts a server without a client and without variables.
 *
 * @returns Why nobody may have it, where that shows before it waits.
 * @throws {AppError} `unavailable` when no interpreter could be started.
 */
export async function startSpare(
  hosts: Pick<SpareHosts, "openSpare">,
  code: ServerCode,
): Promise<Spare | Unfitness> {
  let fault: Unfitness | null = null;
  let spare: Spare | null = null;
  const late = createLateEvents((why) => {
    if (fault !== null) return;
    fault = why;
    spare?.onFault?.(why);
  });
  const interpreter = await hosts.openSpare({
    ...code,
    environment: {},
    loadDeadlineMs: LOAD_DEADLINE_MS,
    ...late.events,
  });
  const { load } = interpreter;
  if (load.kind !== "loaded" || fault !== null) {
    const why = fault ?? "not_started";
    await interpreter.close();
    return why;
  }
  spare = {
    info: load.info,
    get fault() {
      return fault;
    },
    onFault: null,
    hand(client, events) {
      interpreter.adopt(client);
      late.bind(events);
      return interpreter;
    },
    close: () => interpreter.close(),
  };
  return spare;
}
