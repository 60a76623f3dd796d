/**
 * Sessions that leave this node for the database, and those that come from there.
 *
 * @module
 */
import { eachAtOnce } from "../../at_once.ts";
import { AppError } from "../../errors.ts";
import { admit } from "../admission/admission.ts";
import {
  ExecutionError,
  imageNotHere,
  nodeCutOff,
  sessionNotFound,
  shuttingDown,
} from "../failures.ts";
import { Elsewhere } from "../nodes/types.ts";
import { CODES } from "../../protocol/json_rpc.ts";
import type { Arrived, Depot } from "./depot.ts";
import type { StoredRow } from "./store.ts";
import type { RunnableServer } from "../types.ts";
import { setValues, withdrawGone } from "../sessions/prepare.ts";
import { checkOwn, type Entry, type Started } from "../sessions/entry.ts";
import { goOn, type Run } from "../sessions/launch.ts";
import type { SessionKey, SessionsDeps } from "../sessions/types.ts";
import { whereabouts } from "../nodes/whereabouts.ts";

/** What it takes to store a session. */
type DepartDeps = SessionsDeps & { depot: Depot };

/** Why a session is not stored; `stays`: its code cannot be parked. */
type NotStored = "stays" | "full" | "superseded" | "image" | "error";

/** When the session ends for being idle. */
function expiryOf({ lastActive }: Entry, { clock, idleMs }: SessionsDeps): Date {
  return new Date(clock.date().getTime() + idleMs - (clock.now() - lastActive));
}

async function put(deps: DepartDeps, entry: Entry): Promise<"stored" | NotStored> {
  const { clock, depot } = deps;
  const { row, client, server, environment: given, values, packages, session } = entry;
  const left = await session.leave();
  if (left === null) return "stays";
  const { bytes, image, info, dueAt } = left;
  const { archiveSha256, folder, entrypoint } = server!;
  return await depot.put({
    row: { ...row, archiveSha256, client: client.key, expiresAt: expiryOf(entry, deps) },
    image,
    session: {
      bytes,
      info,
      folder,
      entrypoint,
      packages,
      given,
      values,
      memory: session.memory,
      dueAt: dueAt === null ? null : clock.date().getTime() + dueAt - clock.now(),
    },
  });
}

/** Stores what is left of the session; false when it stays here. Never rejects. */
async function depart(deps: DepartDeps, entry: Entry): Promise<boolean> {
  const { metrics: { parking: { stores } }, log } = deps;
  const fields = { server: entry.row.server, session: entry.row.instance };
  let outcome: "stored" | NotStored;
  try {
    outcome = await put(deps, entry);
  } catch (error) {
    outcome = "error";
    log.warn("session.not_stored", { ...fields, error });
  }
  stores[outcome] = (stores[outcome] ?? 0) + 1;
  if (outcome === "stored") return true;
  entry.session.stay();
  log.debug("session.stays_here", { ...fields, reason: outcome });
  return false;
}

/** Sessions of this node, as their moves need them. */
export interface SessionsHere {
  /** Those that live. */
  all(): Entry[];
  /** The session takes one of the places that there are. @throws {AppError} When there is none. */
  enter(entry: Entry, server: RunnableServer): void;
  start(entry: Entry, server: RunnableServer, run: Run): Promise<Started>;
  /** From now on the session counts. */
  count(entry: Entry): Promise<void>;
  /** It is not here any more; false when it was not. */
  forget(entry: Entry): boolean;
}

/** Sessions that are stored at once. */
const STORED_AT_ONCE = 4;
/** Sessions that are asked to make way, before it is given up. */
const ASKED_TO_LEAVE = 3;

/** What moves between this node and the database. Without a depot nothing does. */
export class Moves {
  readonly #deps: SessionsDeps;
  readonly #here: SessionsHere;
  #isEnding = false;

  constructor(deps: SessionsDeps, here: SessionsHere) {
    this.#deps = deps;
    this.#here = here;
    deps.launch.parking?.room.whenFull((client) => this.#makeRoom(client));
  }

  /** The session that is stored under an id. */
  async find(id: string): Promise<StoredRow | null> {
    const { depot, clock } = this.#deps;
    return await depot?.find(id, clock.date()) ?? null;
  }

  /**
   * Whether the session can go on here, for which it may take an image from another node.
   *
   * @throws {AppError} When it is another's, this node is about to end, or has no room at the moment.
   */
  async mayResume(stored: StoredRow, key: SessionKey): Promise<boolean> {
    checkOwn(stored, key);
    if (this.#isEnding) throw shuttingDown();
    const { depot, log } = this.#deps;
    const lacks = await depot!.whyNot(stored);
    if (lacks === null) return true;
    log.warn("session.not_resumable_here", { server: stored.server, lacks });
    if (lacks === "later") throw imageNotHere();
    return false;
  }

  /** Ends a session that is stored. @throws {AppError} When there is none of the caller's. */
  async end(key: SessionKey): Promise<void> {
    const { stored } = await whereabouts(this.#deps, this, key.id);
    if (stored === null) throw sessionNotFound();
    checkOwn(stored, key);
    const { depot, store, clock } = this.#deps;
    await depot!.drop(stored);
    await store.end(stored, "deleted", clock.date());
  }

  /**
   * The server of a stored session, if it may run, and is what it was: else the session is dropped.
   *
   * @throws {AppError} What admission throws, or `not_found`.
   */
  async #admit(entry: Entry, stored: StoredRow): Promise<RunnableServer> {
    const { admission, depot, log } = this.#deps;
    try {
      const server = await admit(admission, stored.server, entry.client);
      if (server.archiveSha256 === stored.archiveSha256) return server;
      log.info("session.not_resumed", { server: stored.server, message: "It has changed" });
      throw sessionNotFound();
    } catch (error) {
      if (error instanceof AppError && error.code !== "unavailable") await depot!.drop(stored);
      throw error;
    }
  }

  /** Goes on with a stored session. */
  async resume(entry: Entry, stored: StoredRow): Promise<Started> {
    const { metrics: { parking }, store, clock } = this.#deps;
    const server = await this.#admit(entry, stored);
    this.#here.enter(entry, server);
    try {
      const started = await this.#goOn(entry, server, await this.#take(entry, server, stored));
      await this.#here.count(entry);
      parking.arrivals += 1;
      return started;
    } catch (error) {
      parking.arrivalsFailed += 1;
      await store.end(entry.row, "not_resumed", clock.date());
      throw error;
    }
  }

  /** Whether that is why {@link Moves.resume} failed: nothing was there to go on with. */
  isLost({ hasArrived }: Entry, error: unknown): boolean {
    return !hasArrived && error instanceof ExecutionError &&
      error.rpcCode === CODES.sessionNotFound;
  }

  /** Takes what is stored: from now on it is this entry's. */
  async #take(entry: Entry, server: RunnableServer, stored: StoredRow): Promise<Arrived> {
    const { depot, clock, idleMs, ownership } = this.#deps;
    const node = ownership === undefined ? null : ownership.id;
    if (ownership !== undefined && node === null) throw nodeCutOff();
    const { instance } = entry.row;
    const arrived = await depot!.take(stored, { instance, node }, clock.date());
    // Where nodes share sessions, another one may have it by now.
    if (arrived === null) throw ownership === undefined ? sessionNotFound() : new Elsewhere(null);
    const { folder, entrypoint } = server;
    if (arrived.folder !== folder || arrived.entrypoint !== entrypoint) throw sessionNotFound();
    setValues(entry, arrived.given, arrived.values);
    if (await withdrawGone(this.#deps, entry)) throw sessionNotFound();
    entry.session.remember(arrived.memory);
    entry.hasArrived = true;
    // Being looked for is no use.
    entry.lastActive = clock.now() - idleMs + stored.expiresAt.getTime() - clock.date().getTime();
    return arrived;
  }

  async #goOn(
    entry: Entry,
    server: RunnableServer,
    { bytes, image, info, packages, dueAt }: Arrived,
  ): Promise<Started> {
    const { launch, clock, log } = this.#deps;
    const due = dueAt === null ? null : clock.now() + dueAt - clock.date().getTime();
    const left = { bytes, image, info, dueMs: null, dueAt: due };
    return await this.#here.start(entry, server, async (input) => {
      const running = await goOn(launch, server, input, { left, packages });
      if (running !== null) return running;
      log.info("session.not_resumed", {
        server: server.name,
        message: "Its packages have changed",
      });
      throw sessionNotFound();
    });
  }

  /** Stores the session, which is not here any more then; false when it stays. */
  async #leave(entry: Entry): Promise<boolean> {
    const { depot, metrics } = this.#deps;
    if (depot === undefined || entry.leaving !== null || entry.uses > 0) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    entry.leaving = promise;
    try {
      if (!await depart({ ...this.#deps, depot }, entry)) return false;
      // It may have been ended meanwhile.
      if (!this.#here.forget(entry)) {
        await depot.drop(entry.row).catch((error) => this.#logNotDropped(entry, error));
        return true;
      }
      metrics.sessionsActive -= 1;
      await entry.session.close();
      entry.streams.close();
      return true;
    } finally {
      entry.leaving = null;
      resolve();
    }
  }

  // Its session has ended in the database too, so that nobody can take it.
  #logNotDropped({ row }: Entry, error: unknown): void {
    this.#deps.log.warn("session.not_dropped", { session: row.instance, error });
  }

  /** Moves a parked session out of memory: the one that nobody has used for longest. */
  async #makeRoom(client: string | null): Promise<boolean> {
    const parked = this.#here.all()
      .filter(({ session, streams, client: { key } }) =>
        // Who listens would come back at once.
        session.isStill && !streams.standalone.isConnected && (client === null || key === client)
      )
      .sort((a, b) => a.lastActive - b.lastActive);
    for (const entry of parked.slice(0, ASKED_TO_LEAVE)) if (await this.#leave(entry)) return true;
    return false;
  }

  /** Stores all that nobody uses, for at most `ms`: this node is about to end. */
  async store(ms: number): Promise<void> {
    this.#isEnding = true;
    const { clock, depot, log } = this.#deps;
    if (depot === undefined) return;
    // Parked ones are there already; of the others, those that were used last are missed most.
    const all = this.#here.all().sort((a, b) =>
      Number(b.session.isParked) - Number(a.session.isParked) || b.lastActive - a.lastActive
    );
    const { promise: late, resolve } = Promise.withResolvers<void>();
    let isLate = false;
    const cancel = clock.after(ms, () => {
      isLate = true;
      resolve();
    });
    const storing = eachAtOnce(all, STORED_AT_ONCE, async (entry) => {
      if (!isLate) await this.#leave(entry);
    });
    await Promise.race([
      storing.catch((error) => log.error("sessions.store_failed", { error })),
      late,
    ]);
    cancel();
  }
}
