/**
 * A call as it is counted and told of.
 *
 * @module
 */

/**
 * What came of a request: `tool_error` is a result that says so, `error` the code's or Berth's answer,
 * `ended` the end of the session during it.
 */
export type CallResult =
  | "ok"
  | "tool_error"
  | "error"
  | "timeout"
  | "cancelled"
  | "busy"
  | "ended";

/** A call of a tool that has ended. */
export interface AnsweredCall {
  /** As the client named it, cut. */
  tool: string;
  result: CallResult;
  startedAt: Date;
  ms: number;
  traceId: string | null;
}
