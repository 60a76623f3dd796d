/**
 * Many sessions and requests at two nodes, one of which is killed half-way.
 *
 * @module
 */
import { sendMessage } from "./clients.ts";
import type { Cluster, ClusterNode } from "./cluster.ts";

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
  /** Requests to the registry that were. */
  requests: number;
  /** Sessions of the killed node that were refused, told that they are lost, and begun anew. */
  begunAnew: number;
  /** Calls that failed for sessions of the killed node. */
  lostCalls: number;
  /** Everything else: there should be none. */
  wrong: string[];
  /** Milliseconds: half, and 99 of 100, were faster. */
  callMs: { median: number; p99: number };
  requestMs: { median: number; p99: number };
}

const INITIALIZE = {
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "load", version: "1" },
  },
};
/** Wrong answers that are kept. */
const WRONG_MAX = 20;

interface Session {
  id: string;
  holder: ClusterNode;
  /** How many notes it has told; null: an answer was lost. */
  told: number | null;
  busy: boolean;
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

/** Loads the first two nodes of `cluster`, and kills the second one half-way. */
export async function loadNodes(cluster: Cluster, load: Load): Promise<LoadReport> {
  const [stays, dies] = cluster.nodes as [ClusterNode, ClusterNode];
  const report = { calls: 0, requests: 0, begunAnew: 0, lostCalls: 0, wrong: [] as string[] };
  const callMs: number[] = [];
  const requestMs: number[] = [];
  let isKilled = false;

  function blame(text: string): void {
    if (report.wrong.length < WRONG_MAX) report.wrong.push(text.slice(0, 300));
  }

  /** Tells the session's note by its holder, or by the other node, while both are there. */
  async function call(session: Session, nth: number): Promise<void> {
    if (session.busy) return;
    session.busy = true;
    const by = isKilled || nth % 2 === 0 ? stays : dies;
    const begun = performance.now();
    try {
      const answer = await cluster.note(by.workerUrl, session.id, "n");
      if (answer.status === 200 && answer.body.result !== undefined) {
        const notes = cluster.notesOf(answer).split(",").length;
        const told = (session.told ?? notes - 1) + 1;
        if (notes !== told) blame(`${session.id}: ${notes} notes, ${told} told`);
        session.told = notes;
        report.calls++;
        callMs.push(performance.now() - begun);
      } else if (session.holder === dies && isKilled) {
        report.lostCalls++;
        if (answer.status === 404) await beginAnew(session);
        else if (answer.status !== 503) blame(`${answer.status} ${JSON.stringify(answer.body)}`);
      } else blame(`${answer.status} ${JSON.stringify(answer.body)}`);
    } catch (error) {
      // What was on its way by the killed node has no answer, and may have been done or not.
      if (by !== dies || !isKilled) blame(String(error));
      report.lostCalls++;
      session.told = null;
    } finally {
      session.busy = false;
    }
  }

  async function beginAnew(session: Session): Promise<void> {
    const target = { server: "notes", session: session.id };
    const { status, body } = await sendMessage(stays.workerUrl, target, INITIALIZE);
    if (status === 503) return;
    if (status !== 200) return blame(`anew: ${status} ${JSON.stringify(body)}`);
    Object.assign(session, { holder: stays, told: 0 });
    report.begunAnew++;
  }

  async function request(nth: number): Promise<void> {
    const begun = performance.now();
    const path = nth % 10 === 0 ? "/servers?limit=20" : "/servers/notes";
    const response = await fetch(`${stays.apiUrl}${path}`);
    await response.body?.cancel();
    if (response.status !== 200) return blame(`${path}: ${response.status}`);
    report.requests++;
    requestMs.push(performance.now() - begun);
  }

  const sessions: Session[] = [];
  for (let i = 0; i < load.sessions; i++) {
    const session = { id: crypto.randomUUID(), told: 1, busy: false };
    sessions.push({ ...session, holder: i % 2 === 0 ? stays : dies });
  }
  // Each is begun by its holder.
  for (const session of sessions) {
    const { status, body } = await cluster.note(session.holder.workerUrl, session.id, "n");
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
  const ends = performance.now() + load.seconds * 1000;
  const timer = setTimeout(() => {
    isKilled = true;
    Deno.kill(dies.mainPid, "SIGKILL");
  }, load.seconds * 500);
  await Promise.all([
    atRate(load.callsPerSecond, ends, (nth) => call(sessions[nth % sessions.length]!, nth)),
    atRate(load.requestsPerSecond, ends, request),
  ]);
  clearTimeout(timer);
  return { ...report, callMs: quantiles(callMs), requestMs: quantiles(requestMs) };
}
