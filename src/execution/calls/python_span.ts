/**
 * The time that a call is Python's.
 *
 * @module
 */
import { beginSpan, currentContext, type Span } from "../../tracing.ts";

/** A span from when Python begins with a call until it is over, also where it waited for its turn. */
export function pythonSpan(method: string): { begin(): void; end(): void } {
  const within = currentContext();
  let span: Span | null = null;
  return {
    begin() {
      span = beginSpan({ name: `python ${method}` }, within);
    },
    end: () => span?.end(),
  };
}
