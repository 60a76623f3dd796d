/**
 * Many sessions and requests at two nodes, one of which is killed half-way.
 *
 * @module
 */
import { eachAtOnce } from "../../src/at_once.ts";
import { initializeAs, sendMessage } from "./clients.ts";
import type { Cluster, ClusterNode } from "./cluster.ts";
import { PATIENCE_MS } from "./patience.ts";

/** How much is asked, and for how long. */
export interface Load {
  sessions: number;
  callsPerSecond: number;
  requestsPerSecond: number;
  seconds: number;
}

/** What became of it. */
export interface LoadReport {
  /** Calls of sessions that were answered with what they should be. */
  calls: number;
  /** Calls that were left out, as every session still waited for an answer. */
  skipped: number;
  /** Requests to the registry that were answered with what they should be. */
  requests: number;
  /** Requests that were left out, as too many still waited for an answer. */
  skippedRequests: number;
  /** Sessions that the killed node had. */
  deadSessions: number;
  /** Those of them that were told that they are lost, and were begun anew, empty. */
  begunAnew: number;
  /** Calls that failed for sessions of the killed node. */
  lostCalls: number;
  /** Calls of other sessions that failed, as the killed node was just passing them on. */
  passingCalls: number;
  /** Everything else: there should be none. */
  wrong: string[];
  /** Milliseconds: half, and 99 of 100, were faster. */
  callMs: { median: number; p99: number };
  requestMs: { median: number; p99: number };
}

const INITIALIZE = initializeAs("load");
const STARTS_AT_ONCE = 4;
/** So many connections are fewer than a listener has room for. */
const WAITING_MAX = 400;
/** Wrong answers that are kept. */
const WRONG_MAX = 20;

interface Session {
  id: string;
  holder: ClusterNode;
  /** How many notes it has told; null: an answer was lost. */
  told: number | null;
  busy: boolean;
}

/** Why a request got no answer. */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error
    ? `${error}: ${error.cause.message}`
    : String(error);
}

function quantiles(times: number[]): { median: number; p99: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  return { median: at(0.5), p99: at(0.99) };
}

/** Has `work` begin so often, without waiting for it, until `ends`; then waits for all of it. */
async function atRate(
  perSecond: number,
  ends: number,
  work: (nth: number) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const begun = performance.now();
  for (let nth = 0; performance.now() < ends; nth++) {
    const one = work(nth).finally(() => running.delete(one));
    running.add(one);
    const wait = begun + (nth + 1) * 1000 / perSecond - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }
  await Promise.all(running);
}

/** Who asks, and what they were told. */
class Clients {
  readonly report = {
    calls: 0,
    skipped: 0,
    requests: 0,
    skippedRequests: 0,
    begunAnew: 0,
    lostCalls: 0,
    passingCalls: 0,
    wrong: [] as string[],
  };
  readonly callMs: number[] = [];
  readonly requestMs: number[] = [];
  #isKilled = false;
  /** Requests to the registry that have no answer yet. */
  #waiting = 0;

  constructor(
    readonly cluster: Cluster,
    readonly stays: ClusterNode,
    readonly dies: ClusterNode,
  ) {}

  kill(): void {
    this.#isKilled = true;
    Deno.kill(this.dies.mainPid, "SIGKILL");
  }

  /** Tells a note to the session by either node, while both are there. */
  async call(session: Session, nth: number): Promise<void> {
    session.busy = true;
    const by = this.#isKilled || nth % 2 === 0 ? this.stays : this.dies;
    const begun = performance.now();
    try {
      const answer = await this.cluster.note(by.workerUrl, session.id, "n");
      if (answer.status === 200 && answer.body.result !== undefined) {
        this.#noted(session, this.cluster.notesOf(answer).split(",").length);
        this.callMs.push(performance.now() - begun);
      } else if (session.holder === this.dies && this.#isKilled) {
        this.report.lostCalls++;
        if (answer.status === 404) await this.#beginAnew(session);
        else if (answer.status !== 503) this.blame(JSON.stringify(answer.body));
      } else this.blame(`${answer.status} ${JSON.stringify(answer.body)}`);
    } catch (error) {
      // What was on its way by the killed node has no answer, and may have been done or not.
      if (by !== this.dies || !this.#isKilled) this.blame(reasonOf(error));
      if (session.holder === this.dies) this.report.lostCalls++;
      else this.report.passingCalls++;
      session.told = null;
    } finally {
      session.busy = false;
    }
  }

  /** Asks the registry of the node that stays. */
  async request(nth: number): Promise<void> {
    if (this.#waiting === WAITING_MAX) return void this.report.skippedRequests++;
    this.#waiting++;
    const begun = performance.now();
    const path = nth % 10 === 0 ? "/servers?limit=20" : "/servers/notes";
    try {
      const response = await fetch(`${this.stays.apiUrl}${path}`);
      await response.body?.cancel();
      if (response.status !== 200) return this.blame(`${path}: ${response.status}`);
      this.report.requests++;
      this.requestMs.push(performance.now() - begun);
    } catch (error) {
      this.blame(`${path}: ${reasonOf(error)}`);
    } finally {
      this.#waiting--;
    }
  }

  blame(text: string): void {
    if (this.report.wrong.length < WRONG_MAX) this.report.wrong.push(text.slice(0, 300));
  }

  #noted(session: Session, notes: number): void {
    const told = (session.told ?? notes - 1) + 1;
    if (notes !== told) this.blame(`${session.id}: ${notes} notes, ${told} told`);
    session.told = notes;
    this.report.calls++;
  }

  async #beginAnew(session: Session): Promise<void> {
    const target = { server: "notes", session: session.id };
    const { status, body } = await sendMessage(this.stays.workerUrl, target, INITIALIZE);
    if (status === 503) return;
    if (status !== 200) return this.blame(`anew: ${status} ${JSON.stringify(body)}`);
    Object.assign(session, { holder: this.stays, told: 0 });
    this.report.begunAnew++;
  }
}

/** Loads the first two nodes of `cluster`, and kills the second one half-way. */
export async function loadNodes(cluster: Cluster, load: Load): Promise<LoadReport> {
  const [stays, dies] = cluster.nodes as [ClusterNode, ClusterNode];
  const clients = new Clients(cluster, stays, dies);
  const sessions = Array.from({ length: load.sessions }, (_, i): Session => ({
    id: crypto.randomUUID(),
    told: 1,
    busy: false,
    holder: i % 2 === 0 ? stays : dies,
  }));
  await eachAtOnce(sessions, STARTS_AT_ONCE, async ({ id, holder }) => {
    // Each is begun by its holder.
    const { status, body } = await cluster.note(holder.workerUrl, id, "n");
    if (status !== 200) throw new Error(JSON.stringify(body));
  });
  const ends = performance.now() + load.seconds * 1000;
  const timer = setTimeout(() => clients.kill(), load.seconds * 500);
  let next = 0;
  async function call(nth: number): Promise<void> {
    const idle = sessions.find(({ busy }, i) => i >= next && !busy) ??
      sessions.find(({ busy }) => !busy);
    if (idle === undefined) return void clients.report.skipped++;
    next = (sessions.indexOf(idle) + 1) % sessions.length;
    await clients.call(idle, nth);
  }
  await Promise.all([
    atRate(load.callsPerSecond, ends, call),
    atRate(load.requestsPerSecond, ends, (nth) => clients.request(nth)),
  ]);
  clearTimeout(timer);
  // The lease may not be over yet.
  const last = performance.now() + PATIENCE_MS;
  for (const session of sessions) {
    while (session.holder === dies && clients.report.wrong.length === 0) {
      await clients.call(session, 0);
      if (performance.now() > last) clients.blame(`${session.id} has not begun anew`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // Each works, whoever has it now.
    await clients.call(session, 0);
  }
  const { report, callMs, requestMs } = clients;
  const deadSessions = Math.floor(load.sessions / 2);
  return { ...report, deadSessions, callMs: quantiles(callMs), requestMs: quantiles(requestMs) };
}
