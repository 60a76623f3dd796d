/**
 * Users who go on whatever happens: one changes a record, one reads it, one calls a tool of a session
 * that keeps what it was told.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { BerthProcess } from "../helpers/berth_process.ts";
import type { JsonAnswer } from "../helpers/clients.ts";
import { PATIENCE_MS } from "../helpers/patience.ts";

/** What may happen to users during a fault, beside 503. */
export interface Allowed {
  /** Berth itself is away: nothing answers. */
  away?: boolean;
  /** Sessions end, and say so. */
  sessionsEnd?: boolean;
  /** Tokens are not valid at that time. */
  tokensRefused?: boolean;
}

/** Users at work. */
export interface Users extends AsyncDisposable {
  /** Changes that were answered with success. */
  acknowledged: { number: number; requestId: string }[];
  /** How many requests failed with 503, or with nothing where that is allowed. */
  refused(): number;
  /** Waits until each has been served with something that it asked for from now on. */
  served(): Promise<void>;
  /** Has them stop. @throws What was wrong with an answer. */
  stop(): Promise<void>;
}

interface Options {
  berth: () => Pick<BerthProcess, "apiUrl" | "workerUrl">;
  mint: (claims: { sub: string }) => Promise<string>;
  allowed: Allowed;
}

const PAUSE_MS = 20;
/** A request that has got no answer by then is one too many that waits. */
const ANSWER_MS = 20_000;

/** One of them: what it does again and again; true: it was served. */
type Turn = () => Promise<boolean>;

function numberIn(description: string): number {
  return Number(/^Keeps notes \((\d+)\)$/.exec(description)?.[1] ?? 0);
}

function describing(number: number): string {
  return `Keeps notes (${number})`;
}

/** Asks; null when nothing answers, where that is allowed. */
async function ask(
  { allowed }: Options,
  url: string,
  init: RequestInit = {},
): Promise<JsonAnswer | null> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MS) });
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, body: text === "" ? null : JSON.parse(text) };
  } catch (error) {
    if (allowed.away && error instanceof TypeError) return null;
    if (allowed.away && error instanceof DOMException) return null;
    throw error;
  }
}

/** Whether it is an answer of success; one that is neither that nor 503 is wrong. */
function isServed(answer: JsonAnswer | null, allowed: Allowed): answer is JsonAnswer {
  if (answer === null || allowed.tokensRefused && answer.status === 401) return false;
  if (answer.status === 503) {
    assert(Number(answer.headers.get("retry-after")) > 0, "503 without Retry-After");
    return false;
  }
  assertEquals(answer.status, 200, JSON.stringify(answer.body));
  return true;
}

/** Changes the record's description to a number that grows. */
function writer(options: Options, state: State): Turn {
  return async () => {
    const number = ++state.tried;
    const answer = await ask(options, `${options.berth().apiUrl}/servers/notes`, {
      method: "PUT",
      headers: {
        "Content-Type": "application/json",
        Authorization: `Bearer ${await options.mint({ sub: "ada" })}`,
      },
      body: JSON.stringify({ description: describing(number) }),
    });
    if (!isServed(answer, options.allowed)) return false;
    assertEquals(answer.body.server.description, describing(number));
    state.acknowledged.push({ number, requestId: answer.headers.get("x-request-id")! });
    return true;
  };
}

/** Reads what was acknowledged, or what came after it. */
function reader(options: Options, state: State): Turn {
  return async () => {
    const oldest = state.acknowledged.at(-1)?.number ?? 0;
    const answer = await ask(options, `${options.berth().apiUrl}/servers/notes`);
    if (!isServed(answer, options.allowed)) return false;
    const number = numberIn(answer.body.server.description);
    assert(number >= oldest, `read ${number} after ${oldest} was acknowledged`);
    return true;
  };
}

/** Tells its session numbers, which must know all that it has answered for. */
function caller(options: Options): Turn {
  let session = crypto.randomUUID();
  let next = 1;
  let told: number[] = [];
  return async () => {
    const number = next++;
    const answer = await ask(options, `${options.berth().workerUrl}/mcp?name=notes`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Mcp-Session-Id": session },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: number,
        method: "tools/call",
        params: { name: "note", arguments: { text: String(number) } },
      }),
    });
    const ended = answer?.status === 404 || answer?.body?.error?.data?.reason === "session_ended";
    if (options.allowed.sessionsEnd && ended) {
      [session, told] = [crypto.randomUUID(), []];
      return false;
    }
    if (!isServed(answer, options.allowed)) return false;
    const text = answer.body.result?.content[0].text;
    assert(typeof text === "string", JSON.stringify(answer.body));
    const known = text.split(",").map(Number);
    assertEquals(known.at(-1), number);
    // In order, and none twice.
    known.forEach((one, i) => assert(i === 0 || one > known[i - 1]!, text));
    const isNew = options.allowed.sessionsEnd && !told.some((one) => known.includes(one));
    if (!isNew) { for (const one of told) assert(known.includes(one), `${one} is not in ${text}`); }
    told = [...(isNew ? [] : told), number];
    return true;
  };
}

interface State {
  tried: number;
  acknowledged: { number: number; requestId: string }[];
}

/** Has users begin, each at its own pace. */
export async function startUsers(options: Options): Promise<Users> {
  const current = await fetch(`${options.berth().apiUrl}/servers/notes`);
  const body = await current.json();
  assertEquals(current.status, 200, JSON.stringify(body));
  const before = numberIn(body.server.description);
  const state: State = { tried: before, acknowledged: [] };
  const turns = [writer(options, state), reader(options, state), caller(options)];
  let [isStopped, refused] = [false, 0];
  let failure: unknown = null;
  /** When what was served last had been asked for, of each. */
  const served = turns.map(() => -Infinity);
  const working = turns.map(async (turn, i) => {
    while (!isStopped && failure === null) {
      const begun = performance.now();
      try {
        if (await turn()) served[i] = begun;
        else refused++;
      } catch (error) {
        failure = error;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  });
  async function stop() {
    isStopped = true;
    await Promise.all(working);
    if (failure !== null) throw failure;
  }
  return {
    acknowledged: state.acknowledged,
    refused: () => refused,
    async served() {
      const since = performance.now();
      while (served.some((at) => at < since)) {
        if (failure !== null) throw failure;
        const waits = served.map((at) => at < since).join();
        assert(performance.now() - since < PATIENCE_MS, `Not served: ${waits}`);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    },
    stop,
    async [Symbol.asyncDispose]() {
      isStopped = true;
      await Promise.all(working);
    },
  };
}
