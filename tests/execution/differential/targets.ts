/**
 * What recordings are replayed against: an interpreter in this process, where `pydantic` is Berth's
 * own, or real sessions, where it is the real one.
 *
 * @module
 */
import { openTestHosts, sessionInput } from "../../helpers/interpreter.ts";
import type { PlainSession } from "../../helpers/plain_json.ts";
import type { Interpreter, Outcome } from "../../workers/python/pyodide.ts";

/** A request to the client, and the client's reply. */
export type Asked = [method: string, params: unknown, reply: Record<string, unknown>];

/** A notification to the client. */
export type Notified = [method: string, params: unknown];

/** Something that the server of a case runs in. */
export interface Target {
  /** Loads a server from its files and greets it as the recorder does. */
  load(files: Record<string, string>): Promise<unknown>;
  request(method: string, params: unknown): Promise<Outcome>;
  /** Sets what the client replies from now on. @returns What it is asked, as it comes. */
  reply(replies: Record<string, unknown>[]): Asked[];
  /** Notifications since the last call. */
  notified(): Notified[];
  close(): Promise<void>;
}

/** What the recorder's client can do. */
const CLIENT = {
  protocol_version: "2025-11-25",
  capabilities: {
    roots: { listChanged: true },
    sampling: { tools: {} },
    elicitation: { form: {}, url: {} },
  },
  client_info: { name: "recorder", version: "1.0.0" },
};

function outcomeOf(reply: Record<string, unknown>): Outcome {
  return ("code" in reply
    ? { kind: "error", ...reply }
    : { kind: "result", result: reply }) as Outcome;
}

/** A client that gives prepared replies. */
function createClient(): { asked: Asked[]; replies: Record<string, unknown>[] } & {
  ask(question: { method: string; params: unknown }): Promise<Outcome>;
} {
  return {
    asked: [],
    replies: [],
    ask({ method, params }) {
      const reply = this.replies[this.asked.length] ?? {};
      this.asked.push([method, params, reply]);
      return Promise.resolve(outcomeOf(reply));
    },
  };
}

/** An interpreter of this process. */
export function inProcess(python: Interpreter): Target {
  const client = createClient();
  python.ask = (question) => client.ask(question);
  return {
    async load(files) {
      const loaded = await python.load(files);
      await python.request("berth/client", CLIENT);
      return loaded;
    },
    request: (method, params) => python.request(method, params),
    reply(replies) {
      client.replies = replies;
      return client.asked = [];
    },
    notified() {
      const sent = python.events.filter((event) => event.type === "notification");
      python.events.length = 0;
      return sent.map(({ method, params }) => [method!, params]);
    },
    close: () => Promise.resolve(),
  };
}

/** A session of its own for each case, in the full profile. */
export async function inSessions(): Promise<Target> {
  const hosts = await openTestHosts({ loadDeadlineMs: 600_000 });
  const client = createClient();
  let session: PlainSession | null = null;
  let notified: Notified[] = [];
  async function request(method: string, params: unknown): Promise<Outcome> {
    const outcome = await session!.request(method, params, { deadlineMs: 600_000, requestId: 1 });
    if (outcome.kind === "ended") throw new Error(`The session ended: ${outcome.message}`);
    return outcome as Outcome;
  }
  return {
    async load(files) {
      await session?.close();
      const encoder = new TextEncoder();
      session = await hosts.open(sessionInput("", {
        files: new Map(
          Object.entries(files).sort().map(([path, text]) => [path, encoder.encode(text)]),
        ),
        entrypoint: "server.py",
        onNotification: ({ method, params }) => void notified.push([method, params]),
        ask: (question) => client.ask(question),
      }));
      await request("berth/client", CLIENT);
      return session.load;
    },
    request,
    reply(replies) {
      client.replies = replies;
      return client.asked = [];
    },
    notified() {
      const sent = notified;
      notified = [];
      return sent;
    },
    async close() {
      await session?.close();
      await hosts.close();
    },
  };
}
