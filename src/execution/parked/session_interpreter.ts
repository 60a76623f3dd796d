/**
 * What runs the code of a client session, and may leave its host, or the node.
 *
 * @module
 */
import type { EndReason, Interpreter, ParkedState } from "../interpreters/types.ts";

/** What is left of a session that goes on elsewhere. */
export interface Left extends ParkedState {
  /** When its next timer is due, by this node's clock; null: it has none. */
  dueAt: number | null;
}

/** What answers for a session, whether it has a host at the moment or not. */
export interface SessionInterpreter extends Pick<Interpreter, "request" | "close"> {
  /** Id of its host process; null while it is parked. */
  readonly pid: number | null;
  readonly isParked: boolean;
  /** Whether it is parked and has no timer. */
  readonly isStill: boolean;
  /**
   * Gives what is left of it, which is parked for that if need be; null when it has to stay. Until
   * {@link SessionInterpreter.stay} or its end nothing happens in it.
   */
  leave(): Promise<Left | null>;
  /** It does not leave after all. */
  stay(): void;
}

/** The interpreter of one session, and how it comes back. */
export interface Parkable {
  /** What runs it, or what is left of it where it goes on here. */
  began: Interpreter | Left;
  /** Starts another that goes on with `state`. Rejects when none can be started now. */
  wake(state: ParkedState): Promise<Interpreter>;
  /** Keeps files of this node that `state` needs to go on. @returns What ends that. */
  keep(state: ParkedState): () => void;
  /** It is no more. */
  onLost(reason: EndReason): void;
  /** For the log. */
  server: string;
  /** Whose session it is: `key` of a client. */
  client: string;
}

/** An interpreter that is never parked: it keeps its host until it ends. */
export function neverParked(interpreter: Interpreter): SessionInterpreter {
  return {
    get pid() {
      return interpreter.pid;
    },
    isParked: false,
    isStill: false,
    leave: () => Promise.resolve(null),
    stay() {},
    request: (method, params, options) => interpreter.request(method, params, options),
    close: () => interpreter.close(),
  };
}
