/**
 * Running a tool: as a page that goes on while the tool runs, or as a stream of parts for a script
 * that shows them as they come. When the browser goes away the call is cancelled.
 *
 * @module
 */
import { z } from "zod";
import type { PageRequest } from "../layout/context.ts";
import { Alert } from "../layout/parts.tsx";
import { type StreamedPart, streamOf } from "../layout/streamed.tsx";
import type { Message, Outgoing, TrySession } from "./mcp.ts";
import { CallSnippets } from "./copied_call.tsx";
import { ResultView } from "./result/view.tsx";
import type { CopiedCall } from "./snippets.ts";

/** Log lines and raw messages that are shown. */
const LINES_MAX = 500;
const RAW_MAX = 20_000;

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

export interface ToolProgress {
  value: number;
  total: number | null;
  message: string | null;
}

/** What a message is, for people. */
export type Shown =
  | { kind: "log"; line: LogLine }
  | { kind: "progress" } & ToolProgress
  | { kind: "other" };

/** Reads a notification. */
function showMessage(message: Message): Shown {
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
function rawText(direction: "→" | "←", message: unknown): string {
  const text = JSON.stringify(message, null, 2);
  const cut = text.length > RAW_MAX ? `${text.slice(0, RAW_MAX)}\n…` : text;
  return `${direction} ${cut}`;
}

/** The message to the session, and the same for people who copy it. */
export interface MadeCall {
  outgoing: Outgoing;
  copied: CopiedCall;
}

/** A `tools/call` request with a random id, which is its progress token too. */
export function callMessage(name: string, args: unknown): Outgoing {
  const id = crypto.getRandomValues(new Uint32Array(1))[0]!;
  return {
    id,
    method: "tools/call",
    params: { name, arguments: args, _meta: { progressToken: id } },
  };
}

/** What happens while a tool runs, bounded. */
type RunEvent =
  | { kind: "raw"; text: string }
  | { kind: "log"; line: LogLine }
  | { kind: "progress" } & ToolProgress
  | { kind: "answer"; message: Message; milliseconds: number };

async function* runEvents(
  session: TrySession,
  call: Outgoing,
  signal: AbortSignal,
): AsyncIterable<RunEvent> {
  const from = performance.now();
  let logs = 0;
  let raws = 0;
  yield { kind: "raw", text: rawText("→", { jsonrpc: "2.0", ...call }) };
  for await (const message of session.send(call, signal)) {
    const shown = showMessage(message);
    if (shown.kind === "progress") yield shown;
    else if (shown.kind === "log" && logs++ < LINES_MAX) yield shown;
    if (raws++ < LINES_MAX) yield { kind: "raw", text: rawText("←", message.exact ?? message) };
    if (message.method !== undefined) continue;
    yield { kind: "answer", message, milliseconds: performance.now() - from };
  }
}

/** A line of the log. */
function LogItem({ line }: { line: LogLine }) {
  return (
    <li>
      <span class="severity">{line.level}</span> <bdi>{line.text}</bdi>
    </li>
  );
}

function progressText({ value, total, message }: ToolProgress): string {
  return message ?? (total === null ? `${value} done` : `${value} of ${total}`);
}

/** What came of a call, and the call to be copied. */
function Answer(
  { message, milliseconds, copied }: {
    message: Message;
    milliseconds: number;
    copied: CopiedCall;
  },
) {
  return (
    <>
      <ResultView message={message} milliseconds={milliseconds} />
      <CallSnippets call={copied} />
    </>
  );
}

function Unreadable() {
  return (
    <Alert>
      <p>The response could not be read.</p>
    </Alert>
  );
}

/** The raw messages; open on request. */
function RawMessages({ texts }: { texts: readonly string[] }) {
  return (
    <details>
      <summary>Raw messages</summary>
      <pre id="run-raw" tabindex={0} aria-label="Raw messages">{texts.join("\n\n")}</pre>
    </details>
  );
}

/** Slots of the page that goes on while a tool runs, in order. */
export const RUN_SLOTS = { log: 0, result: 1 } as const;

/** The parts of the page, as the tool makes them. */
export async function* runParts(
  request: PageRequest,
  session: TrySession,
  { outgoing, copied }: MadeCall,
  signal: AbortSignal,
): AsyncIterable<StreamedPart> {
  const raw: string[] = [];
  try {
    for await (const event of runEvents(session, outgoing, signal)) {
      if (event.kind === "raw") raw.push(event.text);
      else if (event.kind === "log") {
        yield { slot: RUN_SLOTS.log, content: <LogItem line={event.line} /> };
      } else if (event.kind === "progress") {
        const line = { level: "progress", text: progressText(event) };
        yield { slot: RUN_SLOTS.log, content: <LogItem line={line} /> };
      } else {
        const { message, milliseconds } = event;
        const content = (
          <div class="run-done">
            <Answer message={message} milliseconds={milliseconds} copied={copied} />
          </div>
        );
        yield { slot: RUN_SLOTS.result, content };
      }
    }
  } catch (error) {
    if (signal.aborted) return;
    request.c.get("log").warn("web.try_failed", { error });
    yield { slot: RUN_SLOTS.result, content: <Unreadable /> };
  }
  yield { slot: RUN_SLOTS.result, content: <RawMessages texts={raw} /> };
}

async function text(content: unknown): Promise<string> {
  return await (<>{content as never}</>).toString();
}

async function partOf(event: RunEvent, copied: CopiedCall): Promise<Record<string, unknown>> {
  switch (event.kind) {
    case "raw":
      return { part: "raw", text: event.text };
    case "log":
      return { part: "logs", html: await text(<LogItem line={event.line} />) };
    case "progress": {
      const { value, total } = event;
      return { part: "progress", value, total, text: progressText(event) };
    }
    case "answer": {
      const { message, milliseconds } = event;
      const view = <Answer message={message} milliseconds={milliseconds} copied={copied} />;
      return { part: "result", html: await text(view) };
    }
  }
}

/** Tells the session that nobody waits for the call any more. */
export async function cancelCall(
  { c }: PageRequest,
  session: TrySession,
  id: number,
): Promise<void> {
  await session.cancel(id).catch((error) => {
    c.get("log").warn("web.cancel_failed", { error });
  });
}

/** Runs a tool as lines of JSON, each a part of the page: `{part, html}`, `{part: "progress", …}`. */
export function runStreaming(
  request: PageRequest,
  session: TrySession,
  { outgoing, copied }: MadeCall,
): Response {
  const line = (part: Record<string, unknown>) => `${JSON.stringify(part)}\n`;
  async function* lines(signal: AbortSignal): AsyncIterable<string> {
    try {
      for await (const event of runEvents(session, outgoing, signal)) {
        yield line(await partOf(event, copied));
      }
    } catch (error) {
      if (signal.aborted) return;
      request.c.get("log").warn("web.try_failed", { error });
      yield line({ part: "result", html: await text(<Unreadable />) });
    }
  }
  const stream = streamOf(lines, () => cancelCall(request, session, outgoing.id));
  return new Response(stream, {
    headers: {
      "Content-Type": "application/x-ndjson; charset=utf-8",
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
    },
  });
}
