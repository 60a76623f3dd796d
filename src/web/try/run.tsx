/**
 * Running a tool: as one page, or as a stream of parts for a script that shows them as they come.
 *
 * @module
 */
import { z } from "zod";
import type { PageRequest } from "../layout/context.ts";
import { Alert } from "../layout/parts.tsx";
import type { Message, Outgoing, TrySession } from "./mcp.ts";
import { ResultView } from "./result.tsx";

/** Log lines and raw messages that are shown. */
const LINES_MAX = 500;
const RAW_MAX = 20_000;

/** What happened while a tool ran. */
export interface Ran {
  answer: Message;
  milliseconds: number;
  logs: LogLine[];
  raw: string[];
}

/** A line of a log. */
export interface LogLine {
  level: string;
  text: string;
}

const Log = z.looseObject({ level: z.string().max(20).catch("info"), data: z.unknown() });
const Progress = z.looseObject({
  progress: z.number(),
  total: z.number().nullish(),
  message: z.string().nullish().catch(null),
});

/** What a message is, for people. */
export type Shown =
  | { kind: "log"; line: LogLine }
  | { kind: "progress"; value: number; total: number | null; message: string | null }
  | { kind: "other" };

/** Reads a notification. */
export function showMessage(message: Message): Shown {
  if (message.method === "notifications/message") {
    const log = Log.safeParse(message.params);
    if (!log.success) return { kind: "other" };
    const { level, data } = log.data;
    const text = typeof data === "string" ? data : JSON.stringify(data);
    return { kind: "log", line: { level, text: (text ?? "").slice(0, 4000) } };
  }
  if (message.method === "notifications/progress") {
    const progress = Progress.safeParse(message.params);
    if (!progress.success) return { kind: "other" };
    const { progress: value, total, message: text } = progress.data;
    return { kind: "progress", value, total: total ?? null, message: text?.slice(0, 300) ?? null };
  }
  return { kind: "other" };
}

/** A message as text, bounded. */
export function rawText(direction: "→" | "←", message: unknown): string {
  const text = JSON.stringify(message, null, 2);
  const cut = text.length > RAW_MAX ? `${text.slice(0, RAW_MAX)}\n…` : text;
  return `${direction} ${cut}`;
}

/** The call of a tool. */
export function callMessage(name: string, args: unknown): Outgoing {
  const id = crypto.getRandomValues(new Uint32Array(1))[0]!;
  return {
    id,
    method: "tools/call",
    params: { name, arguments: args, _meta: { progressToken: id } },
  };
}

/** Runs a tool to its end. */
export async function runWhole(session: TrySession, call: Outgoing): Promise<Ran> {
  const from = performance.now();
  const logs: LogLine[] = [];
  const raw = [rawText("→", { jsonrpc: "2.0", ...call })];
  let answer: Message | undefined;
  for await (const message of session.send(call)) {
    answer = message;
    const shown = showMessage(message);
    if (shown.kind === "log" && logs.length < LINES_MAX) logs.push(shown.line);
    if (raw.length < LINES_MAX) raw.push(rawText("←", message));
  }
  return { answer: answer!, milliseconds: performance.now() - from, logs, raw };
}

/** A line of the log, as a script adds it. */
export function LogItem({ line }: { line: LogLine }) {
  return (
    <li>
      <span class="severity">{line.level}</span> <bdi>{line.text}</bdi>
    </li>
  );
}

async function text(content: unknown): Promise<string> {
  return await (<>{content as never}</>).toString();
}

/**
 * Runs a tool as lines of JSON, each a part of the page: `{part, html}`, `{part: "progress", …}`.
 * When the browser goes away the call is cancelled.
 */
export function runStreaming(
  request: PageRequest,
  session: TrySession,
  call: Outgoing,
): Response {
  const from = performance.now();
  const left = new AbortController();
  const encoder = new TextEncoder();
  const { c } = request;
  let ended = false;

  async function* parts(): AsyncIterable<Record<string, unknown>> {
    let logs = 0;
    let raws = 0;
    yield { part: "raw", text: rawText("→", { jsonrpc: "2.0", ...call }) };
    for await (const message of session.send(call, left.signal)) {
      const shown = showMessage(message);
      if (shown.kind === "log" && logs++ < LINES_MAX) {
        yield { part: "logs", html: await text(<LogItem line={shown.line} />) };
      } else if (shown.kind === "progress") {
        const { value, total, message: said } = shown;
        yield { part: "progress", value, total, text: said };
      }
      if (raws++ < LINES_MAX) yield { part: "raw", text: rawText("←", message) };
      if (message.method !== undefined) continue;
      const milliseconds = performance.now() - from;
      const view = <ResultView message={message} milliseconds={milliseconds} />;
      yield { part: "result", html: await text(view) };
    }
  }

  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      try {
        for await (const part of parts()) {
          if (left.signal.aborted) return;
          controller.enqueue(encoder.encode(`${JSON.stringify(part)}\n`));
        }
      } catch (error) {
        if (left.signal.aborted) return;
        c.get("log").warn("web.try_failed", { error });
        const html = await text(
          <Alert>
            <p>The answer could not be read.</p>
          </Alert>,
        );
        controller.enqueue(encoder.encode(`${JSON.stringify({ part: "result", html })}\n`));
      } finally {
        ended = true;
        if (!left.signal.aborted) controller.close();
      }
    },
    async cancel() {
      if (ended) return;
      await session.cancel(call.id).catch((error) => {
        c.get("log").warn("web.cancel_failed", { error });
      });
      left.abort();
    },
  });
  return new Response(stream, {
    headers: {
      "Content-Type": "application/x-ndjson; charset=utf-8",
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
    },
  });
}
