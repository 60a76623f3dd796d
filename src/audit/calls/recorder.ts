/**
 * Keeps records of calls, behind the calls: each costs an entry in a list.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import type { Logger } from "../../log.ts";

/** A call of a tool that has ended. */
export interface CallRecord {
  startedAt: Date;
  ms: number;
  /** Null: without a token. */
  userId: string | null;
  server: string;
  version: string | null;
  tool: string;
  result: string;
  session: string;
  traceId: string | null;
}

export interface RecorderOptions {
  sql: Sql;
  log: Logger;
  /** What this node is called. */
  node: string;
  /** Milliseconds between writes. */
  flushMs?: number;
}

/** Records since the node's start. */
export interface RecorderFigures {
  stored: number;
  dropped: number;
}

/** Takes calls, and writes them every second. */
export interface CallRecorder {
  readonly figures: RecorderFigures;
  /** Takes a call; where too many wait for the database, it is dropped and counted. Never throws. */
  note(call: CallRecord): void;
  /** Writes what waits. Never rejects. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_MS = 1_000;
/** Rows of a statement. */
const ROWS = 1_000;
/** Calls that wait: a minute of what a node can do, while the database does not answer. */
const WAITING_MAX = 20_000;

function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

async function write(sql: Sql, node: string, calls: readonly CallRecord[]): Promise<void> {
  const rows = calls.map(({ startedAt, ms, userId, server, version, tool, ...rest }) => ({
    at: startedAt,
    ms,
    node,
    user_id: userId,
    server,
    version,
    tool: storable(tool),
    result: rest.result,
    session: rest.session,
    trace_id: rest.traceId,
  }));
  await sql`insert into call_records ${sql(rows)}`;
}

/** Starts to keep records. */
export function startCallRecorder(
  { sql, log, node, flushMs = FLUSH_MS }: RecorderOptions,
): CallRecorder {
  const figures: RecorderFigures = { stored: 0, dropped: 0 };
  let waiting: CallRecord[] = [];
  let dropped = 0;

  function keep(calls: readonly CallRecord[]): void {
    const room = Math.max(0, WAITING_MAX - waiting.length);
    waiting = [...calls.slice(0, room), ...waiting];
    dropped += Math.max(0, calls.length - room);
  }

  async function writeAll(): Promise<void> {
    const calls = waiting;
    waiting = [];
    for (let at = 0; at < calls.length; at += ROWS) {
      const some = calls.slice(at, at + ROWS);
      try {
        await write(sql, node, some);
        figures.stored += some.length;
      } catch (error) {
        // They wait for the next time, as far as there is room.
        keep(calls.slice(at));
        log.warn("calls.not_recorded", { calls: calls.length - at, error });
        break;
      }
    }
    if (dropped === 0) return;
    figures.dropped += dropped;
    log.error("calls.dropped", { calls: dropped });
    dropped = 0;
  }

  let writing = Promise.resolve();
  function flush(): Promise<void> {
    return writing = writing.then(writeAll);
  }
  const timer = setInterval(() => void (waiting.length > 0 && flush()), flushMs);
  return {
    figures,
    note(call) {
      if (waiting.length >= WAITING_MAX) dropped++;
      else waiting.push(call);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
