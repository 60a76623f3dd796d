/**
 * A session of hostile code before a network that is watched: a site that may be reached, a canary
 * on loopback that may not, names that resolve as a test says.
 *
 * @module
 */
import type { PlainSession } from "../../helpers/plain_json.ts";
import { callTool, openTestHosts, server, sessionInput } from "../../helpers/interpreter.ts";
import { type BrokerOptions, type TestBroker, testBroker } from "../../egress/harness.ts";

/** What a test has. */
export interface Network {
  /** Port of the site, which `site.test` leads to. */
  port: number;
  /** Port of the canary. */
  canary: number;
  /** Heads of the requests that the site got, as text. */
  heads: string[];
  /** Connections that the canary got: every one is an escape. */
  escapes: string[];
  broker: TestBroker;
  session: PlainSession;
  /** Runs Python in the session: the value of `result`, or the exception as text. */
  attempt(code: string): Promise<string>;
}

/** Answers a request to the site. */
export type Answer = (conn: Deno.Conn, head: string) => Promise<void>;

const SERVER = server(`
import asyncio, json, requests
def http(**meta):
    """Asks the host directly, past everything that Python would check."""
    from berth_runtime import state
    from pyodide.ffi import run_sync, to_js
    body = meta.pop("body", None)
    asked = {"method": "GET", "headers": [], "connect_timeout_ms": 60000, "read_timeout_ms": 60000,
             "verify": True, **meta}
    pair = run_sync(state.session.http(json.dumps(asked), to_js(body) if body else None))
    found = json.loads(pair[0])
    return found.get("error", found.get("status")), found.get("message", "")
@tool
def attempt(code: str) -> str:
    space = {"requests": requests, "http": http, "asyncio": asyncio, "json": json}
    try:
        exec(code, space)
        return str(space.get("result"))
    except Exception as error:
        return f"{type(error).__module__}.{type(error).__name__}: {error}"
`);

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

/** Writes text or bytes whole. */
export async function write(conn: Deno.Conn, data: string | Uint8Array): Promise<void> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  for (let at = 0; at < bytes.byteLength;) at += await conn.write(bytes.subarray(at));
}

/** Writes `head` and then `piece` until the other side has enough. */
export async function forever(conn: Deno.Conn, head: string, piece: string | Uint8Array) {
  await write(conn, head);
  const bytes = typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
  for (;;) await write(conn, bytes);
}

interface Listening extends AsyncDisposable {
  port: number;
  heads: string[];
}

/** A raw server on 127.0.0.1 that notes the head of each connection's first request. */
function listen(answer: Answer): Listening {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const heads: string[] = [];
  const open = new Set<Deno.Conn>();
  const served: Promise<void>[] = [];

  async function serve(conn: Deno.Conn) {
    open.add(conn);
    try {
      const buffer = new Uint8Array(65_536);
      let text = "";
      while (!text.includes("\r\n\r\n")) {
        const count = await conn.read(buffer);
        if (count === null) break;
        text += new TextDecoder("latin1").decode(buffer.subarray(0, count));
      }
      heads.push(text);
      await answer(conn, text);
    } catch {
      // The other side had enough.
    } finally {
      if (open.delete(conn)) conn.close();
    }
  }

  const accepting = (async () => {
    for await (const conn of listener) served.push(serve(conn));
  })();
  return {
    port: (listener.addr as Deno.NetAddr).port,
    heads,
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      for (const conn of open) {
        open.delete(conn);
        conn.close();
      }
      await Promise.all(served);
    },
  };
}

/** Runs `body` with a session in the full profile. Its clock runs a second with each look. */
export async function withNetwork(
  options: Omit<BrokerOptions, "allow"> & {
    answer?: Answer;
    /** More that EGRESS_ALLOW has; `{canary}` stands for the canary's port. */
    allow?: string[];
    environment?: Record<string, string>;
    mask?: (text: string) => string;
  },
  body: (network: Network) => Promise<void>,
): Promise<void> {
  await using canary = listen((conn) => write(conn, OK));
  await using site = listen(options.answer ?? ((conn) => write(conn, OK)));
  let time = 0;
  const broker = testBroker({
    now: () => time += 1000,
    ...options,
    names: { "site.test": ["127.0.0.1"], ...options.names },
    allow: [
      `site.test:${site.port}`,
      ...(options.allow ?? []).map((entry) => entry.replace("{canary}", String(canary.port))),
    ],
    ...(options.own === undefined ? {} : { own: [{ host: "127.0.0.1", port: canary.port }] }),
  });
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(SERVER, {
    http: broker.channel,
    environment: options.environment ?? {},
  }));
  if (session.load.kind !== "loaded") throw new Error(JSON.stringify(session.load));
  await body({
    port: site.port,
    canary: canary.port,
    heads: site.heads,
    escapes: canary.heads,
    broker,
    session,
    attempt: (code) => callTool(session, "attempt", { code }),
  });
}
