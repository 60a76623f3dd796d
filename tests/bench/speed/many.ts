/**
 * Many sessions that live side by side, each called once a second.
 *
 * @module
 */
import { connect, type Connection } from "./clients.ts";
import { emptyServer } from "./sdk.ts";
import { startService } from "./service.ts";
import { type Bar, pause, quantile } from "./table.ts";

const CALL_EVERY_MS = 1000;
const MAX_P99_MS = 100;

/** Sessions that begin at once: more would wait for each other's boots. */
const AT_ONCE = 4;

async function open(urls: readonly string[]): Promise<Connection[]> {
  const connections: Connection[] = [];
  for (let from = 0; from < urls.length; from += AT_ONCE) {
    connections.push(...await Promise.all(urls.slice(from, from + AT_ONCE).map(connect)));
  }
  return connections;
}

/** Calls once a second until `end`; a call that takes longer is followed by the next at once. */
async function calls({ call }: Connection, end: number, note: (ms: number | null) => void) {
  await pause(Math.random() * CALL_EVERY_MS);
  while (performance.now() < end) {
    const start = performance.now();
    try {
      await call();
      note(performance.now() - start);
    } catch {
      note(null);
    }
    await pause(Math.max(0, CALL_EVERY_MS - (performance.now() - start)));
  }
}

export const manyBar: Bar = {
  name: "many",
  async measure({ quick }) {
    const [sessions, servers, seconds] = quick ? [20, 5, 15] : [200, 50, 300];
    const sources = Object.fromEntries(
      Array.from({ length: servers }, (_, n) => [`server-${n}`, emptyServer()]),
    );
    await using service = await startService(sources, {
      MAX_SESSIONS: String(sessions),
      SESSIONS_PER_CLIENT: String(sessions),
      SESSION_IDLE_SECONDS: "1800",
    });
    const urls = Array.from({ length: sessions }, (_, n) => service.urlOf(`server-${n % servers}`));
    const connections = await open(urls);
    // Not measured: what each session compiles at its first call.
    for (const one of connections) await one.call();
    const times: number[] = [];
    let errors = 0;
    const end = performance.now() + seconds * 1000;
    await Promise.all(
      connections.map((connection) =>
        calls(connection, end, (ms) => ms === null ? errors++ : times.push(ms))
      ),
    );
    const p99 = quantile(times, 0.99);
    return [{
      what:
        `${sessions} sessions of ${servers} servers, each called once a second for ${seconds} s`,
      berth: `${errors} errors, 99th percentile ${p99.toFixed(0)} ms (${times.length} calls)`,
      peer: "",
      ratio: "",
      bar: `no error, ${MAX_P99_MS} ms`,
      isReached: quick ? null : errors === 0 && p99 < MAX_P99_MS,
    }];
  },
};
