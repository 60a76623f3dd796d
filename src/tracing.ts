/**
 * Traces by OpenTelemetry. Deno exports them where the operator has set `OTEL_DENO`
 * (docs/observing.md); elsewhere all of this does nothing.
 *
 * @module
 */
import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";

export type { Span, SpanContext };

const tracer = trace.getTracer("berth");

/** The header and the member of `_meta` that name the caller's trace (W3C Trace Context). */
export const TRACEPARENT = "traceparent";

// Later versions may add fields after these.
const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;
const PARENT_MAX_CHARS = 256;

/** The caller's span that `text` names; null where it names none. */
export function readParent(text: string | null | undefined): SpanContext | null {
  if (text === null || text === undefined || text.length > PARENT_MAX_CHARS) return null;
  const found = PARENT.exec(text);
  if (found === null) return null;
  const [whole, version, traceId, spanId, flags] = found;
  if (version === "ff" || version === "00" && whole.length !== text.length) return null;
  const parent = {
    traceId: traceId!,
    spanId: spanId!,
    traceFlags: Number.parseInt(flags!, 16) & 1,
    isRemote: true,
  };
  return isSpanContextValid(parent) ? parent : null;
}

/** What is told of a piece of work that is traced, when it begins. */
export interface SpanStart {
  name: string;
  /** Whether it answers somebody outside. */
  isServer?: boolean;
  /** Nothing that a client or a server's code sent as an argument, a result or a secret. */
  attributes?: Attributes;
  /** The caller's span, in place of the one that runs; that one is linked. */
  parent?: SpanContext | null;
}

/** Where spans begin that are not told of a parent: what runs now. */
export function currentContext(): Context {
  return context.active();
}

/** Begins a span that its caller ends; `within` is where it belongs, by default what runs now. */
export function beginSpan(start: SpanStart, within: Context = context.active()): Span {
  const { name, isServer = false, attributes = {}, parent = null } = start;
  const running = trace.getSpanContext(within);
  return tracer.startSpan(
    name,
    {
      kind: isServer ? SpanKind.SERVER : SpanKind.INTERNAL,
      attributes,
      ...(parent === null || running === undefined ? {} : { links: [{ context: running }] }),
    },
    parent === null ? within : trace.setSpanContext(within, parent),
  );
}

/** Marks a span as failed; `kind` is one of few words. */
export function failSpan(span: Span, kind: string): void {
  span.setAttribute("error.type", kind);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Runs `work` in a span: what it begins belongs to it. What `work` throws marks it as failed. */
export async function inSpan<T>(
  start: SpanStart,
  work: (span: Span) => T | Promise<T>,
): Promise<T> {
  const span = beginSpan(start);
  try {
    return await context.with(trace.setSpan(context.active(), span), () => work(span));
  } catch (error) {
    failSpan(span, error instanceof Error ? error.name : "thrown");
    throw error;
  } finally {
    span.end();
  }
}

/** Ids of the span that runs now, for log lines; none where nothing is traced. */
export function traceFields(): Record<string, string> {
  const running = trace.getActiveSpan()?.spanContext();
  if (running === undefined || !isSpanContextValid(running)) return {};
  return { trace_id: running.traceId, span_id: running.spanId };
}

/** The trace that runs now; null where there is none. */
export function currentTraceId(): string | null {
  return traceFields()["trace_id"] ?? null;
}
