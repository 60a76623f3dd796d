/**
 * Session hosts in memory: servers are functions, keyed by the entrypoint's text.
 *
 * @module
 */
import { RawJson } from "../../src/protocol/raw_json.ts";
import type { SessionHosts, SpareHosts } from "../../src/execution/hosts/types.ts";
import type {
  CallOptions,
  CodeInput,
  EndReason,
  Interpreter,
  InterpreterInput,
  LoadOutcome,
  ParkOptions,
  ParkOutcome,
} from "../../src/execution/interpreters/types.ts";
import { plainCallbacks, type PlainInput, type PlainOutcome } from "../helpers/plain_json.ts";

export const LOADED: LoadOutcome = {
  kind: "loaded",
  info: {
    name: "Weather",
    version: "1.2.3",
    instructions: "Ask for a city",
    capabilities: { tools: { listChanged: false } },
  },
};

export interface FakeSession {
  input: PlainInput;
  /** As the engine gave it, with text in place of values. */
  exact: InterpreterInput;
  /** What the engine told the code beside requests. */
  notes: { method: string; params: unknown }[];
  requests: { method: string; params: unknown; text: RawJson; options: CallOptions }[];
  /** Whose it is; null while it waits for a client. */
  client: string | null;
  closed: boolean;
  parked: boolean;
  /** Ends the session from inside, as a crash does. */
  lose(reason: EndReason): void;
}

export interface FakeHosts extends SessionHosts, SpareHosts {
  sessions: FakeSession[];
  /** Images whose files are kept for parked sessions. */
  kept: (string | null)[];
  /** What {@link SpareHosts.room} says, beside the sessions that are open. */
  places: number;
  /** Whether somebody waits for a boot. */
  isBusy: boolean;
}

export interface FakeServer {
  /** What comes of parking; default: bytes that say which session it was. */
  park?: (session: FakeSession, options: ParkOptions) => ParkOutcome | Promise<ParkOutcome>;
  load?: LoadOutcome | (() => LoadOutcome | Promise<LoadOutcome>);
  answer?: (method: string, params: unknown, options: CallOptions, session: FakeSession) =>
    | PlainOutcome
    | Promise<PlainOutcome>;
}

/** What a parked session leaves: one byte that tells it from others. */
export function parkedState(session: FakeSession, dueMs: number | null = null): ParkOutcome {
  const bytes = new Uint8Array(100).fill(session.requests.length);
  const { info } = LOADED as Extract<LoadOutcome, { kind: "loaded" }>;
  return { kind: "parked", state: { bytes, image: null, info, dueMs } };
}

/** A host for which every server behaves like `server`. */
export function fakeHosts(server: FakeServer = {}): FakeHosts {
  const sessions: FakeSession[] = [];
  async function start(code: CodeInput, client: string | null): Promise<Interpreter> {
    const input: InterpreterInput = { client: client ?? "nobody", ...code };
    let ended = false;
    function end(reason: EndReason) {
      if (ended) return;
      ended = true;
      session.closed = true;
      input.onEnd(reason);
    }
    const session: FakeSession = {
      input: { ...input, ...plainCallbacks(input) },
      exact: input,
      notes: [],
      requests: [],
      client,
      closed: false,
      parked: false,
      lose: end,
    };
    sessions.push(session);
    const given = server.load ?? LOADED;
    const load = typeof given === "function" ? await given() : given;
    return {
      pid: 0,
      load,
      async request(method, text, options) {
        const params = text.value();
        if (String(options.requestId).startsWith("berth:")) {
          session.notes.push({ method, params });
          return { kind: "result", result: RawJson.EMPTY };
        }
        session.requests.push({ method, params, text, options });
        const plain = {
          kind: "result",
          result: method === "tools/list" ? { tools: [] } : { method },
        };
        const outcome = await (server.answer?.(method, params, options, session) ??
          plain as PlainOutcome);
        if (outcome.kind !== "result") return outcome;
        return { kind: "result", result: RawJson.of(outcome.result ?? null) };
      },
      async park(options) {
        const outcome = await (server.park?.(session, options) ?? parkedState(session));
        if (outcome.kind === "parked") {
          session.parked = true;
          end("parked");
        }
        return outcome;
      },
      close() {
        session.closed = true;
        end("closed");
        return Promise.resolve();
      },
    };
  }
  const hosts: FakeHosts = {
    kept: [],
    keep({ image }) {
      hosts.kept.push(image);
      return () => void hosts.kept.splice(hosts.kept.indexOf(image), 1);
    },
    sessions,
    places: 20,
    isBusy: false,
    open: (input) => start(input, input.client),
    room: () => hosts.places - sessions.filter(({ closed }) => !closed).length,
    mayOpenSpare: () => !hosts.isBusy && hosts.room() > 0,
    async openSpare(input) {
      const at = sessions.length;
      const interpreter = await start(input, null);
      return Object.assign(interpreter, {
        adopt: (client: string) => void (sessions[at]!.client = client),
      });
    },
    stats: () => ({ hosts: 1, sessions: sessions.length, warm: 0, pids: [], images: null }),
    onKill: () => {},
    close: () => Promise.resolve(),
  };
  return hosts;
}
